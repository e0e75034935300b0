/** Pages of a site for search engines: `sitemap.xml`, in parts above 50,000 pages or 50 MB, and `robots.txt`. */
import * as ServedNames from "@lectern/core/site/ServedNames"
import { Slice } from "@lectern/core/storage/Slice"
import { Effect } from "effect"
import { escape } from "../html/Html.ts"

export interface Entry {
  readonly url: string
  readonly updatedAt: string
}

const maxEntries = 50_000
/** Bytes of a sitemap, without the lines around its entries. */
const maxBytes = 50_000_000 - 1_000

const xml = (root: string, content: ReadonlyArray<string>): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${content.join("\n")}\n</${root}>\n`

/** The entries of each sitemap, of which there is at least one. */
const partsOf = Effect.fnUntraced(function* (entries: Iterable<Entry>) {
  const slice = yield* Slice.begin
  let part: Array<string> = []
  let bytes = 0
  const parts = [part]
  for (const { url, updatedAt } of entries) {
    const line = `<url><loc>${escape(url)}</loc><lastmod>${escape(updatedAt)}</lastmod></url>`
    const size = encoder.encode(line).length + 1
    if (part.length === maxEntries || bytes + size > maxBytes) {
      parts.push((part = []))
      bytes = 0
    }
    part.push(line)
    bytes += size
    if (slice.isOver()) yield* slice.rest
  }
  return parts
})

const encoder = new TextEncoder()

/**
 * `part`: from 1; undefined for the whole. Undefined where there is no such part. Each part follows from all entries
 * before it: 50,000 take 0.1 s, in slices.
 */
export const of = Effect.fnUntraced(function* (entries: Iterable<Entry>, base: string, part: number | undefined) {
  const parts = yield* partsOf(entries)
  const asked = part === undefined ? (parts.length === 1 ? parts[0] : undefined) : parts[part - 1]
  if (asked !== undefined) return xml("urlset", asked)
  if (part !== undefined) return undefined
  return xml(
    "sitemapindex",
    parts.map((_, i) => `<sitemap><loc>${escape(`${base}sitemap-${i + 1}.xml`)}</loc></sitemap>`)
  )
})

/** Pages that are not to be found say so themselves, for which they have to be read. */
export const robots = (base: string, isListed: boolean): string =>
  ["User-agent: *", "Allow: /", ...(isListed ? ["", `Sitemap: ${base}${ServedNames.sitemap}`] : []), ""].join("\n")
