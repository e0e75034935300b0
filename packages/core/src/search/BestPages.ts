/**
 * Collects the best pages of several spaces, up to `limit` pages. Holds up to four times the limit at once, for any
 * number of spaces.
 */
export interface RankedPage {
  /** Sort key of the page: the best page has the lowest. */
  readonly position: string
}

const bufferFactor = 4

export class BestPages<A extends RankedPage> {
  readonly #limit: number
  #pages: Array<A> = []
  /** Sort key of the worst page within the limit. Undefined until `#trim` has kept `limit` pages. */
  #lastPosition: string | undefined

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Adds pages of one space, sorted best first. Stops at the first page that ranks below the limit. */
  add(pages: Iterable<A>): void {
    for (const page of pages) {
      if (this.#lastPosition !== undefined && page.position > this.#lastPosition) return
      this.#pages.push(page)
      if (this.#pages.length === bufferFactor * this.#limit) this.#trim()
    }
  }

  /** Number of pages in memory. */
  get size(): number {
    return this.#pages.length
  }

  /** Returns the best pages, best first, at most `limit`. */
  all(): ReadonlyArray<A> {
    this.#trim()
    return this.#pages
  }

  #trim(): void {
    this.#pages.sort((a, b) => (a.position < b.position ? -1 : 1))
    this.#pages = this.#pages.slice(0, this.#limit)
    if (this.#pages.length === this.#limit) this.#lastPosition = this.#pages.at(-1)?.position
  }
}
