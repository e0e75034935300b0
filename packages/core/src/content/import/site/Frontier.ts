/**
 * The pages of a site that are known and not read yet, each once, in the order in which they are to
 * be read: the first page's links, the pages of the maps, then whatever else is linked to.
 *
 * Limit: 10,000 pages are remembered; there may be links without end.
 */
import * as SiteAddress from "./SiteAddress.ts"

const maxKnown = 10_000

export interface Target {
  readonly url: URL
  /** By it the pages stand in order. */
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

  /** `isMapped`: a map of the site has it. */
  add(text: string, isMapped = false): void {
    if (this.#known.size >= maxKnown || !URL.canParse(text)) return
    const url = new URL(text)
    url.hash = ""
    if (!SiteAddress.isWithin(this.#scope, url) || !SiteAddress.isPage(url, isMapped)) return
    if (this.know(url)) this.#waiting.push({ url, rank: this.#known.size })
  }

  /** Remembers a page that need not be read any more; false where it is known. */
  know(url: URL): boolean {
    const before = this.#known.size
    return this.#known.add(SiteAddress.keyOf(url.href)).size > before
  }

  take(): Target | undefined {
    return this.#waiting[this.#next++]
  }

  /** Tells that a page is none of the site's after all. */
  drop(): void {
    this.#dropped++
  }

  /** How many pages the site has, as far as it is known. */
  get count(): number {
    return this.#known.size - this.#dropped
  }
}
