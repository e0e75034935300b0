/**
 * The best of the pages that several spaces have found: however many spaces there are, four times as many pages as are
 * wanted are held at once.
 */
export interface Positioned {
  /** Sorts as the pages do: the best first. */
  readonly position: string
}

const held = 4

export class BestPages<A extends Positioned> {
  readonly #limit: number
  #pages: Array<A> = []
  /** The position of the last page that counts, once there are enough. */
  #last: string | undefined

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Adds the pages of one space, the best of them first, as far as they count. */
  add(pages: Iterable<A>): void {
    for (const page of pages) {
      if (this.#last !== undefined && page.position > this.#last) return
      this.#pages.push(page)
      if (this.#pages.length === held * this.#limit) this.#trim()
    }
  }

  /** How many are held now. */
  get size(): number {
    return this.#pages.length
  }

  /** The best, at most as many as are wanted. */
  all(): ReadonlyArray<A> {
    this.#trim()
    return this.#pages
  }

  #trim(): void {
    this.#pages.sort((a, b) => (a.position < b.position ? -1 : 1))
    this.#pages = this.#pages.slice(0, this.#limit)
    if (this.#pages.length === this.#limit) this.#last = this.#pages.at(-1)?.position
  }
}
