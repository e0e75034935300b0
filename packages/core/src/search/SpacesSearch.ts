/**
 * Groups results from several spaces by space.
 *
 * A list page holds the best pages by rank, 50 unless `limit` sets another number, from any space. A space can
 * therefore occur again on the next list page, with pages of a lower rank. `count` is the number of pages.
 *
 * Limit: 1,000 spaces in one search.
 */
import type { ListPage } from "../paging/Paging.ts"
import type { SpaceId } from "../space/Space.ts"
import type { MultiSpaceResult } from "./PageSearch.ts"
import type { SearchPageResult, SearchSpaceResult } from "./SearchResult.ts"

export const maxSpaces = 1_000

/** Groups pages by space, with the title of each space. The space with the best page comes first. */
export const groupBySpace = (
  { list, spaces }: MultiSpaceResult,
  titles: ReadonlyMap<SpaceId, string>
): ListPage<SearchSpaceResult> => {
  const pagesBySpace = new Map<SpaceId, Array<SearchPageResult>>()
  for (const [i, page] of list.items.entries()) {
    const space = spaces[i]!
    const spacePages = pagesBySpace.get(space)
    if (spacePages === undefined) pagesBySpace.set(space, [page])
    else spacePages.push(page)
  }
  const items = Array.from(pagesBySpace, ([id, pages]): SearchSpaceResult => ({
    type: "space",
    id,
    title: titles.get(id) ?? "",
    score: pages[0]!.score,
    pages
  }))
  return { ...list, items }
}
