/**
 * Queue of the pages of a site that were found but not read yet. Each page is queued once. Order: links of the first
 * page, pages of the sitemaps, then other links.
 *
 * Limit: 10,000 known pages, since a site may have endless links.
 */
import * as SiteAddress from "./SiteAddress.ts"

const maxPages = 10_000

export interface CrawlTarget {
  readonly url: URL
  /** Order of the page among the imported pages. The lowest rank comes first. */
  readonly rank: number
}

export class Frontier {
  readonly #scope: SiteAddress.SiteScope
  readonly #seenKeys = new Set<string>()
  readonly #queue: Array<CrawlTarget> = []
  #next = 0
  #dropped = 0

  constructor(scope: SiteAddress.SiteScope) {
    this.#scope = scope
  }

  /** Adds the URL of a page. `isInSitemap`: true if a sitemap contains it. */
  add(text: string, isInSitemap = false): void {
    if (this.#seenKeys.size >= maxPages || !URL.canParse(text)) return
    const url = new URL(text)
    url.hash = ""
    if (!SiteAddress.isWithin(this.#scope, url) || !SiteAddress.isPage(url, isInSitemap)) return
    if (this.markKnown(url)) this.#queue.push({ url, rank: this.#seenKeys.size })
  }

  /** Marks a page as known, so that it is not read again. Returns false if it is already known. */
  markKnown(url: URL): boolean {
    const before = this.#seenKeys.size
    return this.#seenKeys.add(SiteAddress.keyOf(url.href)).size > before
  }

  take(): CrawlTarget | undefined {
    return this.#queue[this.#next++]
  }

  /** Counts a known page that turned out to be no page of the site. */
  drop(): void {
    this.#dropped++
  }

  /** Number of known pages of the site. */
  get count(): number {
    return this.#seenKeys.size - this.#dropped
  }
}
