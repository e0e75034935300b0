/**
 * The children of one page, in order, during an edit: determines which names are taken, and which position is between
 * two siblings.
 *
 * Positions are fractional indexes, so inserting a page changes no sibling. Two siblings can have equal positions after
 * a merge in which both sides inserted a page. In this case, or if a position would exceed 64 characters, no position
 * is free, and the caller assigns new positions to all siblings.
 */
import { generateKeyBetween, generateNKeysBetween } from "fractional-indexing"
import { byPosition, type ChildEntry } from "../ContentReader.ts"
import * as Slug from "./Slug.ts"

export const maxPositionLength = 64

export class Siblings {
  #order: Array<ChildEntry>
  readonly #names: Map<string, ChildEntry>
  /** The last suffix tried for each slug, so that adding many pages with one title does not try every suffix again. */
  readonly #suffixes = new Map<string, number>()

  constructor(entries: ReadonlyArray<readonly [name: string, child: ChildEntry]>) {
    this.#names = new Map(entries)
    this.#order = entries.map(([, child]) => child).sort(byPosition)
  }

  get order(): ReadonlyArray<ChildEntry> {
    return this.#order
  }

  get(name: string): ChildEntry | undefined {
    return this.#names.get(name)
  }

  add(name: string, child: ChildEntry): void {
    this.#names.set(name, child)
    this.#order.splice(this.#indexOf(child), 0, child)
  }

  remove(name: string): void {
    const child = this.#names.get(name)
    if (child === undefined) return
    this.#names.delete(name)
    this.#order.splice(this.#indexOf(child), 1)
  }

  removeAll(names: Iterable<string>): void {
    const removed = new Set<ChildEntry>()
    for (const name of names) {
      const child = this.#names.get(name)
      if (child === undefined) continue
      removed.add(child)
      this.#names.delete(name)
    }
    this.#order = this.#order.filter((child) => !removed.has(child))
  }

  /** Returns the slug, with a suffix if the slug is taken. */
  freeSlug(slug: string): string {
    if (!this.#names.has(Slug.foldCase(slug))) return slug
    const folded = Slug.foldCase(slug)
    for (let n = (this.#suffixes.get(folded) ?? 0) + 1; ; n++) {
      const candidate = Slug.withSuffix(slug, n)
      if (this.#names.has(Slug.foldCase(candidate))) continue
      this.#suffixes.set(folded, n)
      return candidate
    }
  }

  /** Returns the index of a sibling, or its insertion index if it is not present. */
  indexOf(child: ChildEntry): number {
    return this.#indexOf(child)
  }

  /**
   * Returns a position for a page at this index. An index beyond the end means the end. Undefined if no position is
   * free.
   */
  positionAt(index: number): string | undefined {
    const before = this.#order[Math.min(index, this.#order.length) - 1]?.position ?? null
    const after = this.#order[index]?.position ?? null
    if (before !== null && after !== null && before >= after) return undefined
    const position = generateKeyBetween(before, after)
    return position.length > maxPositionLength ? undefined : position
  }

  /**
   * Returns the position itself, or the next free position after it if a sibling has the position. Undefined if no
   * position is free.
   */
  freePositionFrom(position: string): string | undefined {
    let index = this.#indexOf({ id: "" as ChildEntry["id"], position })
    if (this.#order[index]?.position !== position) return position
    while (this.#order[index]?.position === position) index++
    return this.positionAt(index)
  }

  /** Returns evenly spaced positions for all siblings, in their order. */
  evenPositions(): ReadonlyArray<string> {
    return generateNKeysBetween(null, null, this.#order.length)
  }

  #indexOf(child: ChildEntry): number {
    let low = 0
    let high = this.#order.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (byPosition(this.#order[middle]!, child) < 0) low = middle + 1
      else high = middle
    }
    return low
  }
}
