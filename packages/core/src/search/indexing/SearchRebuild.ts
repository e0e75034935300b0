/**
 * Reads all spaces into the search index anew, whatever it says that it holds: for one that is wrong (see
 * `ContentCheck`), whose adapter has emptied it. What this leaves half done is finished by whoever searches there, or
 * by jobs.
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
  /** The space that was just read. */
  readonly space: SpaceId
}

/** Tells how many spaces were read, those of the trash among them. */
export const rebuild = Effect.fnUntraced(function* (
  onProgress: (progress: RebuildProgress) => Effect.Effect<void> = () => Effect.void
) {
  const storage = yield* Storage
  const indexing = yield* SearchIndexing
  const states = storage.repository(SearchStateTable)
  const listed = yield* storage.transaction(
    Effect.gen(function* () {
      yield* states.update({}, { words: unknownVersion })
      const spaces = yield* storage.repository(SpaceTable).list({ where: {} })
      yield* Effect.forEach(spaces, ({ id }) => indexing.relearn(id), { discard: true })
      return spaces
    })
  )
  for (const [i, { id }] of listed.entries()) {
    yield* indexing.catchUp(id)
    yield* onProgress({ done: i + 1, total: listed.length, space: id })
  }
  return listed.length
})
