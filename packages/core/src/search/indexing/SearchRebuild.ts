/**
 * Indexes all spaces again, regardless of their index state. For a corrupt index that its adapter has emptied (see
 * `ContentCheck`). If the rebuild is interrupted, later searches or jobs finish the rest.
 */
import { Effect } from "effect"
import { type SpaceId, SpaceTable } from "../../space/Space.ts"
import { Storage } from "../../storage/Storage.ts"
import { unknownVersion } from "../PageWords.ts"
import { SearchStateTable } from "../SearchState.ts"
import { SearchIndexing } from "./SearchIndexing.ts"

export interface RebuildProgress {
  readonly done: number
  readonly total: number
  /** Space that was indexed last. */
  readonly space: SpaceId
}

/** Rebuilds the index. Returns the number of indexed spaces, including those in the trash. */
export const rebuild = Effect.fnUntraced(function* (
  onProgress: (progress: RebuildProgress) => Effect.Effect<void> = () => Effect.void
) {
  const storage = yield* Storage
  const indexing = yield* SearchIndexing
  const states = storage.repository(SearchStateTable)
  const allSpaces = yield* storage.transaction(
    Effect.gen(function* () {
      yield* states.update({}, { words: unknownVersion })
      const spaces = yield* storage.repository(SpaceTable).list({ where: {} })
      yield* Effect.forEach(spaces, ({ id }) => indexing.reindex(id), { discard: true })
      return spaces
    })
  )
  for (const [i, { id }] of allSpaces.entries()) {
    yield* indexing.catchUp(id)
    yield* onProgress({ done: i + 1, total: allSpaces.length, space: id })
  }
  return allSpaces.length
})
