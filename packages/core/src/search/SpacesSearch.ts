/**
 * Pages that were found in several spaces, by the space that they are in.
 *
 * A list has its pages by their rank, the best 50 of them unless `limit` says otherwise, whatever space they
 * are in. So a space can come again on the next page of the list, with pages of a lower rank. `count` counts pages.
 *
 * Limit: 1,000 spaces are searched at once.
 */
import type { ListPage } from "../paging/Paging.ts"
import type { SpaceId } from "../space/Space.ts"
import type { FoundAmong } from "./PageSearch.ts"
import type { SearchPageResult, SearchSpaceResult } from "./SearchResult.ts"

export const maxSpaces = 1_000

/** Found pages by their space, under its title; the space with the best page comes first. */
export const bySpace = (
  { list, spaces }: FoundAmong,
  titles: ReadonlyMap<SpaceId, string>
): ListPage<SearchSpaceResult> => {
  const found = new Map<SpaceId, Array<SearchPageResult>>()
  for (const [i, page] of list.items.entries()) {
    const space = spaces[i]!
    const there = found.get(space)
    if (there === undefined) found.set(space, [page])
    else there.push(page)
  }
  const items = Array.from(found, ([id, pages]): SearchSpaceResult => ({
    type: "space",
    id,
    title: titles.get(id) ?? "",
    score: pages[0]!.score,
    pages
  }))
  return { ...list, items }
}
