/**
 * Measures the similarity of two container blocks by their descendants. This identifies a block that lost or gained
 * most of its text. By words, such a block would match the block that received the text.
 *
 * Only leaf blocks count. Leaf blocks that occur once in both documents are certain evidence; the others count only if
 * there are no such blocks. The share is computed from both sides, so a block matches its previous version whether it
 * gained or lost blocks.
 *
 * Limits: the first 64 leaf blocks of a block count. `origin` searches up to eight levels above a leaf block.
 */
import { isBlock, slots } from "../BlockTree.ts"
import type { Block, Document } from "../Document.ts"
import type { Fingerprints } from "./Fingerprints.ts"

const maxLeaves = 64
/** Number of ancestors of a leaf block that `origin` examines, such as a list in an item of a list. */
const maxLevels = 8

/**
 * Similarity of two blocks: the share of one block's leaf blocks that the other block contains, from 0 to 1. The
 * greater share of the two sides counts.
 */
export interface Kin {
  /** Share among leaf blocks that occur once in both documents. */
  readonly certain: number
  /**
   * Share among leaf blocks that occur several times. 0 if any leaf block occurs once, because then only `certain`
   * counts.
   */
  readonly likely: number
}

export class Kinship {
  readonly #documents: readonly [previous: Document, next: Document]
  readonly #prints: Fingerprints
  #leaves: readonly [previous: Leaves, next: Leaves] | undefined

  constructor(previous: Document, next: Document, prints: Fingerprints) {
    this.#documents = [previous, next]
    this.#prints = prints
  }

  /** Returns the similarity of a block of the previous document and a block of the next one. */
  of(previous: Block, next: Block): Kin {
    const [before, after] = this.#both()
    const [one, other] = [before.spans.get(previous), after.spans.get(next)]
    if (one === undefined || other === undefined) return none
    const [left, right] = [shared(before, one, after, other), shared(after, other, before, one)]
    return { certain: Math.max(left.certain, right.certain), likely: Math.max(left.likely, right.likely) }
  }

  /**
   * Returns the previous version of a block of the next document, regardless of position. It has the same type, and at
   * least half of the new block's leaf blocks that occur once in both documents. Undefined if no block qualifies.
   */
  origin(next: Block, mayBe: (previous: Block) => boolean): Block | undefined {
    const [before, after] = this.#both()
    const [from, to] = after.spans.get(next) ?? [0, 0]
    const counts = new Map<Block, number>()
    let certain = 0
    for (let i = from; i < Math.min(to, from + maxLeaves); i++) {
      const places = before.places.get(after.prints[i]!)
      if (places?.length !== 1 || after.places.get(after.prints[i]!)!.length > 1) continue
      certain++
      let around = before.parents[places[0]!]
      for (let level = 0; level < maxLevels && around !== undefined; level++) {
        if (around.type === next.type && mayBe(around)) counts.set(around, (counts.get(around) ?? 0) + 1)
        around = before.parentOf.get(around)
      }
    }
    let found: Block | undefined
    let most = 0
    for (const [block, count] of counts) {
      const [start, end] = before.spans.get(block)!
      // An outer list contains all leaf blocks of an inner list, so the share of its size decides.
      const part = count / (end - start + to - from)
      if (2 * count >= certain && part >= most) [found, most] = [block, part]
    }
    return found
  }

  #both(): readonly [previous: Leaves, next: Leaves] {
    this.#leaves ??= [leavesOf(this.#documents[0], this.#prints), leavesOf(this.#documents[1], this.#prints)]
    return this.#leaves
  }
}

export const holdsBlocks = ({ fragments, nodes }: Block): boolean =>
  fragments !== undefined || nodes?.some(isBlock) === true

const none: Kin = { certain: 0, likely: 0 }

/** Range of leaf blocks, by their index in the document. */
type Span = readonly [from: number, to: number]

/** Leaf blocks of a document, in document order. */
interface Leaves {
  readonly prints: ReadonlyArray<number>
  /** Indexes of leaf blocks by fingerprint, ascending. */
  readonly places: ReadonlyMap<number, ReadonlyArray<number>>
  /** Range of the leaf blocks in each block. */
  readonly spans: ReadonlyMap<Block, Span>
  /** Parent block of each leaf block. */
  readonly parents: ReadonlyArray<Block | undefined>
  readonly parentOf: ReadonlyMap<Block, Block>
}

const leavesOf = (document: Document, prints: Fingerprints): Leaves => {
  const all: Array<number> = []
  const places = new Map<number, Array<number>>()
  const spans = new Map<Block, Span>()
  /**
   * `open` is the stack of blocks to visit. `begun` holds the index of the first leaf block of each block whose
   * descendants are being visited.
   */
  const open: Array<Block> = [...document.nodes].reverse()
  const begun = new Map<Block, number>()
  const parents: Array<Block | undefined> = []
  const parentOf = new Map<Block, Block>()
  while (open.length > 0) {
    const block = open.at(-1)!
    const from = begun.get(block)
    const inside = from === undefined && holdsBlocks(block) ? slots(block) : []
    if (inside.length > 0) {
      begun.set(block, all.length)
      for (let i = inside.length - 1; i >= 0; i--) {
        const { blocks } = inside[i]!
        for (let k = blocks.length - 1; k >= 0; k--) {
          open.push(blocks[k]!)
          parentOf.set(blocks[k]!, block)
        }
      }
      continue
    }
    open.pop()
    if (from !== undefined) {
      begun.delete(block)
      spans.set(block, [from, all.length])
      continue
    }
    const print = prints.of(block)
    const known = places.get(print)
    if (known === undefined) places.set(print, [all.length])
    else known.push(all.length)
    all.push(print)
    parents.push(parentOf.get(block))
  }
  return { prints: all, places, spans, parents, parentOf }
}

/**
 * Returns the share of one block's leaf blocks that the other block contains. Only leaf blocks that occur in both
 * documents count.
 */
const shared = (leaves: Leaves, [from, to]: Span, others: Leaves, span: Span): Kin => {
  let [certain, certainIn, any, anyIn] = [0, 0, 0, 0]
  for (let i = from; i < Math.min(to, from + maxLeaves); i++) {
    const print = leaves.prints[i]!
    const places = others.places.get(print)
    if (places === undefined) continue
    const isIn = hasWithin(places, span)
    any++
    if (isIn) anyIn++
    if (places.length > 1 || leaves.places.get(print)!.length > 1) continue
    certain++
    if (isIn) certainIn++
  }
  if (certain > 0) return { certain: certainIn / certain, likely: 0 }
  return any > 0 ? { certain: 0, likely: anyIn / any } : none
}

/** Returns true if one of the ascending numbers lies in a span. */
const hasWithin = (numbers: ReadonlyArray<number>, [from, to]: Span): boolean => {
  let low = 0
  let high = numbers.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (numbers[middle]! < from) low = middle + 1
    else high = middle
  }
  return low < numbers.length && numbers[low]! < to
}
