/** Takes a space that is gone out of the search index, some pages at a time. */
import { Effect } from "effect"
import type { SpaceId } from "../../space/Space.ts"
import { SearchIndex } from "../../storage/SearchIndex.ts"
import { Storage } from "../../storage/Storage.ts"
import { SearchStateTable } from "../SearchState.ts"

const slicePages = 16

/** Removes some pages from the index, and tells how many: 0 when none is left. */
export const removePages = Effect.fnUntraced(function* (index: SearchIndex["Service"], space: SpaceId) {
  const pages = yield* index.pages(space, { limit: slicePages })
  if (pages.length > 0) {
    yield* index.change(
      space,
      pages.map((page) => ({ page, words: undefined }))
    )
  }
  return pages.length
})

/** The same, with the state of the index before: who is about to write pages finds it gone, and stops. */
export const removeIndexed = Effect.fnUntraced(function* (space: SpaceId) {
  yield* (yield* Storage).repository(SearchStateTable).remove({ space })
  return yield* removePages(yield* SearchIndex, space)
})
