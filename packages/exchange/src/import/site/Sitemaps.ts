/**
 * Reads the sitemaps of a site: those in its `robots.txt`, or else those at the usual paths. A sitemap may refer to
 * further sitemaps, including itself.
 *
 * Limits: 10 sitemaps of up to 10 MiB each.
 */
import { Effect } from "effect"
import type { ImportBudget } from "../ImportBudget.ts"
import type { Reader } from "../SourceReader.ts"
import type { SiteScope } from "./SiteAddress.ts"

const maxMaps = 10
const maxBytes = 10 * 1024 * 1024

export const read = Effect.fnUntraced(function* (
  declared: ReadonlyArray<string>,
  { origin, folder }: SiteScope,
  { budget, reader }: { readonly budget: ImportBudget; readonly reader: Reader },
  add: (url: string) => void
) {
  const defaultUrls = [`${origin}${folder}sitemap.xml`, `${origin}/sitemap.xml`]
  const pending = declared.length > 0 ? [...declared] : defaultUrls
  const visited = new Set<string>()
  for (let next = pending.shift(); next !== undefined && visited.size < maxMaps; next = pending.shift()) {
    if (visited.has(next)) continue
    visited.add(next)
    const map = yield* budget
      .fetch(next, { maxBytes, timeout: "10 seconds", accept: "application/xml, text/xml;q=0.9" })
      .pipe(
        Effect.flatMap(({ bytes }) => reader.sitemap(bytes)),
        // A missing or invalid sitemap is ignored, since links lead to further pages.
        Effect.catch(() => Effect.succeed({ pages: [], sitemaps: [] }))
      )
    for (const page of map.pages) add(page)
    pending.push(...map.sitemaps.slice(0, maxMaps))
  }
})
