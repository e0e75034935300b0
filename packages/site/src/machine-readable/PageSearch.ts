/** Searches the pages of a site for machines. Results are sorted by rank and have absolute URLs. */
import type { Searches } from "@lectern/core/search/Searches"
import { Effect } from "effect"
import * as LinkTargets from "../reading/LinkTargets.ts"
import * as Tree from "../reading/Tree.ts"
import type { VisibleSite } from "./VisibleSite.ts"

export interface FoundPage {
  readonly title: string
  readonly description?: string
  readonly url: string
  /** Text around the matched words in the best section. */
  readonly excerpt?: string
}

/**
 * Returns the pages that match a query. Each section is searched in its default variant. The section of the request's
 * URL is searched in the variant of that URL.
 */
export const find = Effect.fnUntraced(function* (
  { searches }: { readonly searches: Searches["Service"] },
  { published, site }: VisibleSite,
  query: string,
  limit: number
) {
  const { organization, site: id } = published
  const { items } = yield* searches.site(
    organization,
    id,
    { query, scope: { mode: "default", currentSiteSpace: published.siteSpace } },
    { limit }
  )
  const spaces = LinkTargets.siteSpacesOf(site)
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
