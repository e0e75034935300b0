/**
 * Finds blocks of a reprinted page (see `Reprint`) that do not parse back as intended. Their source has another meaning
 * now, because other blocks surround it or labels have another meaning.
 */
import { Fingerprints } from "../alignment/Fingerprints.ts"
import { matchEqual, type Pair } from "../alignment/SequenceMatch.ts"
import type { Block } from "../Document.ts"
import { childBlocks } from "./ChildBlocks.ts"
import { splitPage } from "./ReprintFootnotes.ts"

/** Scope of reprinting of the blocks of a page, by block keys. */
export interface ReprintScope {
  /** Blocks that are reprinted by whole lines instead of words. */
  readonly byLine: ReadonlySet<string>
  /** Blocks that are reprinted as a whole. */
  readonly reprinted: ReadonlySet<string>
}

export const narrowScope: ReprintScope = { byLine: new Set(), reprinted: new Set() }

/**
 * Returns the next wider scope for blocks that did not parse back. Undefined if no wider scope exists. `merged`: the
 * blocks that were printed as their sources with edits applied.
 */
export const widerScope = (
  { reprinted, byLine }: ReprintScope,
  merged: ReadonlyArray<Block>,
  expected: ReadonlyArray<Block>,
  read: ReadonlyArray<Block>
): ReprintScope | undefined => {
  const [expectedPage, parsedPage] = [splitPage(expected), splitPage(read)]
  const search = new MisparsedSearch(reprinted)
  const misparsed = search.findMisparsed(expectedPage.blocks, parsedPage.blocks)
  for (const [label, footnote] of expectedPage.footnotes) {
    misparsed.push(...search.findMisparsed([footnote], [parsedPage.footnotes.get(label) ?? footnote]))
  }
  const mergedKeys = new Set(merged.flatMap(({ key }) => (byLine.has(key) ? [] : [key])))
  const widenings = misparsed.map((block) => {
    const keys = [...keysIn(block)]
    const lines = keys.filter((key) => mergedKeys.has(key))
    return lines.length === 0 ? { reprinted: [block.key], byLine: [] } : { reprinted: [], byLine: lines }
  })
  const nextScope = {
    reprinted: new Set([...reprinted, ...widenings.flatMap((widening) => widening.reprinted)]),
    byLine: new Set([...byLine, ...widenings.flatMap((way) => way.byLine)])
  }
  return nextScope.reprinted.size === reprinted.size && nextScope.byLine.size === byLine.size ? undefined : nextScope
}

function* keysIn(block: Block): Generator<string> {
  const pending = [block]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    yield next.key
    for (const child of childBlocks(next) ?? []) pending.push(child)
  }
}

class MisparsedSearch {
  readonly #reprinted: ReadonlySet<string>
  readonly #fingerprints = new Fingerprints()

  constructor(reprinted: ReadonlySet<string>) {
    this.#reprinted = reprinted
  }

  /**
   * Returns the innermost misread blocks. Returns their parents instead if all of them are already reprinted as a
   * whole. Documents are at most 100 levels deep, so the call stack cannot overflow.
   */
  findMisparsed(expected: ReadonlyArray<Block>, read: ReadonlyArray<Block>): Array<Block> {
    const isSame = (one: Block | undefined, other: Block | undefined) =>
      this.#fingerprints.of(one) === this.#fingerprints.of(other)
    const shorter = Math.min(expected.length, read.length)
    let start = 0
    while (start < shorter && isSame(expected[start], read[start])) start++
    let end = 0
    while (end < shorter - start && isSame(expected.at(-1 - end), read.at(-1 - end))) end++
    const from = expected.slice(start, expected.length - end)
    const to = read.slice(start, read.length - end)
    // A block was printed as text that parses to more than one block.
    if (from.length === 0) return to.length === 0 ? [] : expected.slice(Math.max(0, start - 1), start)
    const counterparts = this.counterparts(from, to)
    // A block above may have absorbed the blocks below it, and is correct without them.
    const unmatchedBlocks = from.filter((block) => !counterparts.has(block) && this.#isNew(block))
    if (unmatchedBlocks.length > 0) return unmatchedBlocks
    return from.flatMap((block) => {
      const counterpart = counterparts.get(block)
      if (counterpart === undefined || isSame(block, counterpart)) return []
      const [children, otherChildren] = [childBlocks(block), childBlocks(counterpart)]
      const misparsedChildren =
        children === undefined || otherChildren === undefined ? [] : this.findMisparsed(children, otherChildren)
      return misparsedChildren.some((each) => this.#isNew(each)) ? misparsedChildren : [block]
    })
  }

  #isNew({ key }: Block): boolean {
    return !this.#reprinted.has(key)
  }

  /**
   * Pairs blocks of the same type: by index if their number is equal. Otherwise pairs equal blocks, and between these,
   * blocks of the same type and label, in order.
   */
  counterparts(from: ReadonlyArray<Block>, to: ReadonlyArray<Block>): ReadonlyMap<Block, Block> {
    const pairs = from.length === to.length ? from.map((_, i) => [i, i] as const) : this.#matchBlocks(from, to)
    return new Map(pairs.filter(([i, j]) => from[i]!.type === to[j]!.type).map(([i, j]) => [from[i]!, to[j]!]))
  }

  #matchBlocks(from: ReadonlyArray<Block>, to: ReadonlyArray<Block>): ReadonlyArray<Pair> {
    const { budget } = this.#fingerprints
    const fingerprintsOf = (blocks: ReadonlyArray<unknown>) => blocks.map((block) => this.#fingerprints.of(block))
    const types = (blocks: ReadonlyArray<Block>) => fingerprintsOf(blocks.map(({ data, type }) => [type, data?.label]))
    const pairs: Array<Pair> = []
    let [a, b] = [0, 0]
    for (const [i, j] of [
      ...matchEqual(fingerprintsOf(from), fingerprintsOf(to), budget),
      [from.length, to.length] as const
    ]) {
      for (const [k, l] of matchEqual(types(from.slice(a, i)), types(to.slice(b, j)), budget))
        pairs.push([a + k, b + l])
      if (i < from.length) pairs.push([i, j])
      ;[a, b] = [i + 1, j + 1]
    }
    return pairs
  }
}
