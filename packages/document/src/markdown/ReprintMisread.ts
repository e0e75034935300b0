/**
 * Finds blocks of a reprinted page (see `Reprint`) that do not parse back as intended. Their source has another meaning
 * now, because other blocks surround it or labels have another meaning.
 */
import { Fingerprints } from "../alignment/Fingerprints.ts"
import { matchEqual, type Pair } from "../alignment/SequenceMatch.ts"
import type { Block } from "../Document.ts"
import { blocksIn } from "./InnerBlocks.ts"
import { part } from "./ReprintFootnotes.ts"

/** Scope of reprinting of the blocks of a page, by block keys. */
export interface Widths {
  /** Blocks that are reprinted by whole lines instead of words. */
  readonly byLine: ReadonlySet<string>
  /** Blocks that are reprinted as a whole. */
  readonly anew: ReadonlySet<string>
}

export const narrow: Widths = { byLine: new Set(), anew: new Set() }

/**
 * Returns the next wider scope for blocks that did not parse back. Undefined if no wider scope exists. `merged`: the
 * blocks that were printed as their sources with edits applied.
 */
export const wider = (
  { anew, byLine }: Widths,
  merged: ReadonlyArray<Block>,
  wanted: ReadonlyArray<Block>,
  read: ReadonlyArray<Block>
): Widths | undefined => {
  const [one, other] = [part(wanted), part(read)]
  const search = new Search(anew)
  const found = search.misread(one.blocks, other.blocks)
  for (const [label, footnote] of one.footnotes) {
    found.push(...search.misread([footnote], [other.footnotes.get(label) ?? footnote]))
  }
  const words = new Set(merged.flatMap(({ key }) => (byLine.has(key) ? [] : [key])))
  const ways = found.map((block) => {
    const inside = [...keysIn(block)]
    const lines = inside.filter((key) => words.has(key))
    return lines.length === 0 ? { anew: [block.key], byLine: [] } : { anew: [], byLine: lines }
  })
  const next = {
    anew: new Set([...anew, ...ways.flatMap((way) => way.anew)]),
    byLine: new Set([...byLine, ...ways.flatMap((way) => way.byLine)])
  }
  return next.anew.size === anew.size && next.byLine.size === byLine.size ? undefined : next
}

function* keysIn(block: Block): Generator<string> {
  const open = [block]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    yield next.key
    for (const child of blocksIn(next) ?? []) open.push(child)
  }
}

class Search {
  readonly #known: ReadonlySet<string>
  readonly #prints = new Fingerprints()

  constructor(known: ReadonlySet<string>) {
    this.#known = known
  }

  /**
   * Returns the innermost misread blocks. Returns their parents instead if all of them are already reprinted as a
   * whole. Recursion is bounded: documents nest at most 100 deep.
   */
  misread(wanted: ReadonlyArray<Block>, read: ReadonlyArray<Block>): Array<Block> {
    const isSame = (one: Block | undefined, other: Block | undefined) => this.#prints.of(one) === this.#prints.of(other)
    const least = Math.min(wanted.length, read.length)
    let start = 0
    while (start < least && isSame(wanted[start], read[start])) start++
    let end = 0
    while (end < least - start && isSame(wanted.at(-1 - end), read.at(-1 - end))) end++
    const from = wanted.slice(start, wanted.length - end)
    const to = read.slice(start, read.length - end)
    // A block was printed as text that parses to more than one block.
    if (from.length === 0) return to.length === 0 ? [] : wanted.slice(Math.max(0, start - 1), start)
    const twins = this.#twins(from, to)
    // A block above may have absorbed the blocks below it, and is correct without them.
    const alone = from.filter((block) => !twins.has(block) && this.#isNew(block))
    if (alone.length > 0) return alone
    return from.flatMap((block) => {
      const twin = twins.get(block)
      if (twin === undefined || isSame(block, twin)) return []
      const [children, others] = [blocksIn(block), blocksIn(twin)]
      const within = children === undefined || others === undefined ? [] : this.misread(children, others)
      return within.some((each) => this.#isNew(each)) ? within : [block]
    })
  }

  #isNew({ key }: Block): boolean {
    return !this.#known.has(key)
  }

  /**
   * Pairs blocks of the same type: by index if their number is equal. Otherwise pairs equal blocks, and between these,
   * blocks of the same type and label, in order.
   */
  #twins(from: ReadonlyArray<Block>, to: ReadonlyArray<Block>): ReadonlyMap<Block, Block> {
    const pairs = from.length === to.length ? from.map((_, i) => [i, i] as const) : this.#pairs(from, to)
    return new Map(pairs.filter(([i, j]) => from[i]!.type === to[j]!.type).map(([i, j]) => [from[i]!, to[j]!]))
  }

  #pairs(from: ReadonlyArray<Block>, to: ReadonlyArray<Block>): ReadonlyArray<Pair> {
    const { budget: effort } = this.#prints
    const prints = (blocks: ReadonlyArray<unknown>) => blocks.map((block) => this.#prints.of(block))
    const types = (blocks: ReadonlyArray<Block>) => prints(blocks.map(({ data, type }) => [type, data?.label]))
    const pairs: Array<Pair> = []
    let [a, b] = [0, 0]
    for (const [i, j] of [...matchEqual(prints(from), prints(to), effort), [from.length, to.length] as const]) {
      for (const [k, l] of matchEqual(types(from.slice(a, i)), types(to.slice(b, j)), effort))
        pairs.push([a + k, b + l])
      if (i < from.length) pairs.push([i, j])
      ;[a, b] = [i + 1, j + 1]
    }
    return pairs
  }
}
