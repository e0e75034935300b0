/** Pages of a site in which words are found, the best first, with URLs that hold anywhere. */
import type { SiteSearches } from "@lectern/core/publishing/SiteSearches"
import { Effect } from "effect"
import * as SiteTargets from "../reading/SiteTargets.ts"
import * as Tree from "../reading/Tree.ts"
import type { ShownSite } from "./ShownSite.ts"

export interface FoundPage {
  readonly title: string
  readonly description?: string
  readonly url: string
  /** Text around the words in the best section. */
  readonly excerpt?: string
}

/** Of each section in the space that the URL leads to, or in the section's default. */
export const find = Effect.fnUntraced(function* (
  { searches }: { readonly searches: SiteSearches["Service"] },
  { published, site }: ShownSite,
  query: string,
  limit: number
) {
  const { organization, site: id } = published
  const { items } = yield* searches.search(
    organization,
    id,
    { query, scope: { mode: "default", currentSiteSpace: published.siteSpace } },
    { limit }
  )
  const spaces = SiteTargets.siteSpacesOf(site)
  return items
    .flatMap(({ id, pages }) => {
      const base = spaces.find(({ space }) => space.id === id)?.urls.published
      return base === undefined ? [] : pages.map((page) => ({ page, base }))
    })
    .toSorted((a, b) => a.page.rank - b.page.rank)
    .map(({ page: { title, description, path, sections }, base }): FoundPage => {
      const excerpt = sections[0]?.body
      return {
        title,
        ...(description !== "" && { description }),
        url: Tree.urlAt(base, path),
        ...(excerpt !== undefined && excerpt !== "" && { excerpt })
      }
    })
})
