/**
 * The maps of a site: those that its `robots.txt` names, or the usual ones. A map may name further
 * maps, itself included.
 *
 * Limits: 10 maps, 10 MiB each.
 */
import { Effect } from "effect"
import type { ImportBudget } from "../ImportBudget.ts"
import type { Reader } from "../SourceReader.ts"
import type { SiteScope } from "./SiteAddress.ts"

const maxMaps = 10
const maxBytes = 10 * 1024 * 1024

export const read = Effect.fnUntraced(function* (
  named: ReadonlyArray<string>,
  { origin, folder }: SiteScope,
  { budget, reader }: { readonly budget: ImportBudget; readonly reader: Reader },
  add: (url: string) => void
) {
  const usual = [`${origin}${folder}sitemap.xml`, `${origin}/sitemap.xml`]
  const waiting = named.length > 0 ? [...named] : usual
  const known = new Set<string>()
  for (let next = waiting.shift(); next !== undefined && known.size < maxMaps; next = waiting.shift()) {
    if (known.has(next)) continue
    known.add(next)
    const map = yield* budget
      .fetch(next, { maxBytes, timeout: "10 seconds", accept: "application/xml, text/xml;q=0.9" })
      .pipe(
        Effect.flatMap(({ bytes }) => reader.sitemap(bytes)),
        // There need not be one, nor one that can be read: links lead on.
        Effect.catch(() => Effect.succeed({ pages: [], sitemaps: [] }))
      )
    for (const page of map.pages) add(page)
    waiting.push(...map.sitemaps.slice(0, maxMaps))
  }
})
