/**
 * Pages of a site for search engines: `sitemap.xml`, and `robots.txt`. A sitemap is split into parts above 50,000 pages
 * or 50 MB.
 */
import * as ServedNames from "@lectern/core/site/ServedNames"
import { Slice } from "@lectern/core/storage/Slice"
import { Effect } from "effect"
import { escape } from "../html/Html.ts"

export interface Entry {
  readonly url: string
  /** Time of the last change. Default: not listed. */
  readonly updatedAt?: string
}

const maxEntries = 50_000
/** Maximum bytes of a sitemap's entries, without the lines around them. */
const maxBytes = 50_000_000 - 1_000

const openingOf = (root: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n`

const encoder = new TextEncoder()

/** Minimum characters of the pieces that a sitemap is encoded in. */
const pieceLength = 64 * 1024

/**
 * Returns the texts of `sitemap.xml`, and of its numbered parts if one file cannot hold all entries. Each text is a list
 * of pieces. 50,000 entries take 0.1 s, in slices.
 */
export const files = Effect.fnUntraced(function* (entries: Iterable<Entry>, base: string) {
  const slice = yield* Slice.start
  const sitemaps: Array<Array<string>> = []
  let count = maxEntries
  let bytes = 0
  let piece = ""
  const flush = () => {
    sitemaps.at(-1)?.push(piece)
    piece = ""
  }
  for (const { url, updatedAt } of entries) {
    const lastChange = updatedAt === undefined ? "" : `<lastmod>${escape(updatedAt)}</lastmod>`
    const line = `<url><loc>${escape(url)}</loc>${lastChange}</url>\n`
    const size = encoder.encode(line).length
    if (count === maxEntries || bytes + size > maxBytes) {
      flush()
      sitemaps.push([openingOf("urlset")])
      count = bytes = 0
    }
    piece += line
    count++
    bytes += size
    if (piece.length > pieceLength) flush()
    if (slice.isOver()) yield* slice.pause
  }
  flush()
  if (sitemaps.length === 0) sitemaps.push([openingOf("urlset")])
  for (const sitemap of sitemaps) sitemap.push("</urlset>\n")
  if (sitemaps.length === 1) return sitemaps
  const lines = sitemaps.map((_, i) => `<sitemap><loc>${escape(`${base}sitemap-${i + 1}.xml`)}</loc></sitemap>\n`)
  return [[openingOf("sitemapindex"), ...lines, "</sitemapindex>\n"], ...sitemaps]
})

/** Returns `robots.txt`. It excludes no page: a crawler must read a page to learn that the page is not indexed. */
export const robotsTxt = (base: string, hasSitemap: boolean): string =>
  ["User-agent: *", "Allow: /", ...(hasSitemap ? ["", `Sitemap: ${base}${ServedNames.sitemap}`] : []), ""].join("\n")
