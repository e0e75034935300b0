/** Removes a deleted space from the search index, 16 pages at a time. */
import { Effect } from "effect"
import type { SpaceId } from "../../space/Space.ts"
import { SearchIndex } from "../../storage/SearchIndex.ts"
import { Storage } from "../../storage/Storage.ts"
import { SearchStateTable } from "../SearchState.ts"

const batchPages = 16

/** Removes up to 16 pages from the index. Returns the number of removed pages: 0 if the index is empty. */
export const removePages = Effect.fnUntraced(function* (index: SearchIndex["Service"], space: SpaceId) {
  const pages = yield* index.pages(space, { limit: batchPages })
  if (pages.length > 0) {
    yield* index.change(
      space,
      pages.map((page) => ({ page, words: undefined }))
    )
  }
  return pages.length
})

/**
 * Removes the index state of a space, then up to 16 pages. Without the state, a concurrent `SearchIndexing` writes no
 * more pages.
 */
export const removeIndexed = Effect.fnUntraced(function* (space: SpaceId) {
  yield* (yield* Storage).repository(SearchStateTable).remove({ space })
  return yield* removePages(yield* SearchIndex, space)
})
