/** Pages of a site for search engines: `sitemap.xml`, nested above 50,000 pages, and `robots.txt`. */
import { escape } from "../html/Html.ts"
import * as Addresses from "./Addresses.ts"

export interface Entry {
  readonly url: string
  readonly updatedAt: string
}

const maxEntries = 50_000

const xml = (root: string, content: ReadonlyArray<string>): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${content.join("\n")}\n</${root}>\n`

const sitemap = (entries: ReadonlyArray<Entry>): string =>
  xml(
    "urlset",
    entries.map(({ url, updatedAt }) => `<url><loc>${escape(url)}</loc><lastmod>${escape(updatedAt)}</lastmod></url>`)
  )

/** `part`: from 1; undefined for the whole. Undefined where there is no such part. */
export const of = (entries: ReadonlyArray<Entry>, base: string, part: number | undefined): string | undefined => {
  const parts = Math.ceil(entries.length / maxEntries)
  if (part !== undefined) {
    return part > parts ? undefined : sitemap(entries.slice((part - 1) * maxEntries, part * maxEntries))
  }
  if (parts <= 1) return sitemap(entries)
  return xml(
    "sitemapindex",
    Array.from({ length: parts }, (_, i) => `<sitemap><loc>${escape(`${base}sitemap-${i + 1}.xml`)}</loc></sitemap>`)
  )
}

/** Pages that are not to be found say so themselves, for which they have to be read. */
export const robots = (base: string, isListed: boolean): string =>
  ["User-agent: *", "Allow: /", ...(isListed ? ["", `Sitemap: ${base}${Addresses.sitemap}`] : []), ""].join("\n")
