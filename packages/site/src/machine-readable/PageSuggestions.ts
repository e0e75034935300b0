/**
 * Suggests up to 5 pages for a path without a page: pages that contain the words of the path. The list is empty while
 * the server is busy, so a missing page never waits for its suggestions.
 */
import type { Searches } from "@lectern/core/search/Searches"
import { Effect } from "effect"
import { decodePercent } from "@lectern/document/PercentEncoding"
import * as AlternateUrls from "./AlternateUrls.ts"
import * as PageSearch from "./PageSearch.ts"
import type { VisibleSite } from "./VisibleSite.ts"

const maxSuggestions = 5
const maxQuery = 200

/** Returns the words of path segments, without a file extension. */
const queryOf = (segments: ReadonlyArray<string>): string => {
  const text = segments.join(" ").replace(/\.[a-z]{2,5}$/i, "")
  return decodePercent(text)
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .slice(0, maxQuery)
    .toWellFormed()
}

export const find = Effect.fnUntraced(function* (
  services: { readonly searches: Searches["Service"] },
  site: VisibleSite
) {
  const segments = site.published.pathname.split("/").filter((segment) => segment !== "")
  const pagesByUrl = new Map<string, PageSearch.FoundPage>()
  // The last segment is the most specific. The last two segments are searched if it finds too few pages.
  for (const query of new Set([queryOf(segments.slice(-1)), queryOf(segments.slice(-2))])) {
    if (query === "" || pagesByUrl.size >= maxSuggestions) continue
    const pages = yield* Effect.catch(PageSearch.find(services, site, query, maxSuggestions), (failure) =>
      failure._tag === "StorageError" && failure.reason === "busy" ? Effect.succeed([]) : Effect.fail(failure)
    )
    for (const page of pages) pagesByUrl.set(page.url, pagesByUrl.get(page.url) ?? page)
  }
  return [...pagesByUrl.values()].slice(0, maxSuggestions)
})

export const renderMarkdown = (suggestions: ReadonlyArray<PageSearch.FoundPage>, index: string): string => {
  const lines = suggestions.map(
    ({ title, url }) => `- [${title.replace(/[[\]\\]/g, "\\$&")}](${AlternateUrls.markdownUrl(url)})`
  )
  return [
    `> For a list of all pages, see [llms.txt](${index}).`,
    "# There is no such page",
    "It may have moved, or is not for you.",
    ...(lines.length === 0 ? [] : ["It may be one of these:", lines.join("\n")])
  ]
    .join("\n\n")
    .concat("\n")
}
