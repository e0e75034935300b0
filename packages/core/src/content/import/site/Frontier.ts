/**
 * Queue of the known pages of a site that are not read yet, each once. Order: links of the first page, pages of the
 * sitemaps, then other links.
 *
 * Limit: 10,000 known pages, since a site may have endless links.
 */
import * as SiteAddress from "./SiteAddress.ts"

const maxKnown = 10_000

export interface Target {
  readonly url: URL
  /** Position of the page in the import. */
  readonly rank: number
}

export class Frontier {
  readonly #scope: SiteAddress.SiteScope
  readonly #known = new Set<string>()
  readonly #waiting: Array<Target> = []
  #next = 0
  #dropped = 0

  constructor(scope: SiteAddress.SiteScope) {
    this.#scope = scope
  }

  /** Adds the URL of a page. `isMapped`: true if a sitemap contains it. */
  add(text: string, isMapped = false): void {
    if (this.#known.size >= maxKnown || !URL.canParse(text)) return
    const url = new URL(text)
    url.hash = ""
    if (!SiteAddress.isWithin(this.#scope, url) || !SiteAddress.isPage(url, isMapped)) return
    if (this.know(url)) this.#waiting.push({ url, rank: this.#known.size })
  }

  /** Marks a page as known, so that it is not read again. Returns false if it is already known. */
  know(url: URL): boolean {
    const before = this.#known.size
    return this.#known.add(SiteAddress.keyOf(url.href)).size > before
  }

  take(): Target | undefined {
    return this.#waiting[this.#next++]
  }

  /** Counts a known page that turned out to be no page of the site. */
  drop(): void {
    this.#dropped++
  }

  /** Number of known pages of the site. */
  get count(): number {
    return this.#known.size - this.#dropped
  }
}
