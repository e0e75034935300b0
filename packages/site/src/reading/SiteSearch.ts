/**
 * Searches a site as its reader. Content that the reader cannot see is not found.
 *
 * Limits: the 20 best pages, their sections (see `SearchPage`), and the first 512 characters of a query.
 */
import type { PublishedSite } from "@lectern/core/publishing/PublishedSite"
import type { PublishedContent } from "@lectern/core/publishing/PublishedUrl"
import type { Searches } from "@lectern/core/search/Searches"
import type { SiteSpace } from "@lectern/core/site/SiteResources"
import { Effect } from "effect"
import * as SearchPage from "../page/SearchPage.ts"
import type { SearchResults } from "../page/SearchPage.ts"
import * as QueryHighlighting from "./QueryHighlighting.ts"
import * as LinkTargets from "./LinkTargets.ts"
import * as Tree from "./Tree.ts"

const maxQuery = 512
const maxPages = 20

export interface SearchQuery {
  readonly query: string
  readonly scope: SearchResults["scope"]
}

/** Parses the search of a URL or form: `q`, and `scope=here` to search only the current site space. */
export const queryOf = (params: URLSearchParams): SearchQuery => ({
  query: (params.get("q") ?? "").trim().slice(0, maxQuery).toWellFormed(),
  scope: params.get("scope") === "here" ? "here" : "all"
})

export const search = Effect.fnUntraced(function* (
  searches: Searches["Service"],
  published: PublishedContent,
  site: PublishedSite,
  { query, scope }: SearchQuery
) {
  if (query === "") return { query, scope, count: 0, pages: [] } satisfies SearchResults
  const current = { mode: "default", currentSiteSpace: published.siteSpace } as const
  const { items, count } = yield* searches.site(
    published.organization,
    published.site,
    { query, scope: scope === "here" ? { ...current, restrictTo: "currentSiteSpace" } : current },
    { limit: maxPages }
  )
  const spaces = LinkTargets.siteSpacesOf(site)
  const titles = sectionTitles(site)
  const results = items.flatMap((space) => {
    const siteSpace =
      spaces.find((siteSpace) => siteSpace.id === published.siteSpace && siteSpace.space.id === space.id) ??
      spaces.find((candidate) => candidate.space.id === space.id)
    if (siteSpace === undefined) return []
    const base = siteSpace.id === published.siteSpace ? published.basePath : siteSpace.urls.published
    if (base === undefined) return []
    const highlight = QueryHighlighting.highlighterOf(query, siteSpace.space.language)
    const sectionTitle = titles.get(siteSpace.id)
    return space.pages.map((page) => ({
      rank: page.rank,
      shown: SearchPage.resultOf(
        page,
        { url: Tree.urlAt(base, page.path), parentTitles: sectionTitle === undefined ? [] : [sectionTitle] },
        highlight
      )
    }))
  })
  results.sort((a, b) => a.rank - b.rank)
  const pages = results.map(({ shown }) => shown)
  return { query, scope, count, pages } satisfies SearchResults
})

/** Returns titles of sections by the ids of their site spaces. Empty for a site without sections. */
const sectionTitles = ({ structure }: PublishedSite): ReadonlyMap<SiteSpace["id"], string> =>
  new Map(
    structure.type === "siteSpaces"
      ? []
      : structure.structure
          .flatMap((candidate) => (candidate.object === "site-section" ? [candidate] : candidate.sections))
          .flatMap(({ title, siteSpaces }) => siteSpaces.map(({ id }) => [id, title] as const))
  )
