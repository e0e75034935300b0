/**
 * The pages right below one page, in order, while they are edited: which names are taken, and which
 * position lies between two of them.
 *
 * Positions are fractional indexes, so a page is placed without touching its siblings. Where two
 * siblings have the same position (both sides of a merge placed a page there) or a position would
 * grow over 64 characters, there is no room: the siblings are spaced anew.
 */
import { generateKeyBetween, generateNKeysBetween } from "fractional-indexing"
import { byPosition, type ChildEntry } from "../ContentReader.ts"
import * as Slug from "./Slug.ts"

export const maxPositionLength = 64

export class Siblings {
  #order: Array<ChildEntry>
  readonly #names: Map<string, ChildEntry>
  /** The suffix tried last for a slug, so that many pages of one title don't try all of them. */
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
    const gone = new Set<ChildEntry>()
    for (const name of names) {
      const child = this.#names.get(name)
      if (child === undefined) continue
      gone.add(child)
      this.#names.delete(name)
    }
    this.#order = this.#order.filter((child) => !gone.has(child))
  }

  /** The slug, with a suffix where it is taken. */
  free(slug: string): string {
    if (!this.#names.has(Slug.fold(slug))) return slug
    const folded = Slug.fold(slug)
    for (let n = (this.#suffixes.get(folded) ?? 0) + 1; ; n++) {
      const candidate = Slug.withSuffix(slug, n)
      if (this.#names.has(Slug.fold(candidate))) continue
      this.#suffixes.set(folded, n)
      return candidate
    }
  }

  /** The index of the sibling, or the one where it would stand. */
  indexOf(child: ChildEntry): number {
    return this.#indexOf(child)
  }

  /** A position for a page at this index (beyond the end: the end); undefined where there is no room. */
  positionAt(index: number): string | undefined {
    const before = this.#order[Math.min(index, this.#order.length) - 1]?.position ?? null
    const after = this.#order[index]?.position ?? null
    if (before !== null && after !== null && before >= after) return undefined
    const position = generateKeyBetween(before, after)
    return position.length > maxPositionLength ? undefined : position
  }

  /** The position itself, or where a sibling has it, the one right behind that. */
  positionBehind(position: string): string | undefined {
    let index = this.#indexOf({ id: "" as ChildEntry["id"], position })
    if (this.#order[index]?.position !== position) return position
    while (this.#order[index]?.position === position) index++
    return this.positionAt(index)
  }

  /** Positions that are as far apart as they can be, in the order the siblings have. */
  spaced(): ReadonlyArray<string> {
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
