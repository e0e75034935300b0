/**
 * How much two blocks are the same by the blocks that they hold: those that stayed in it tell a block that lost or got
 * most of its text. Its words alone would have it be the one that its text went to.
 *
 * The innermost blocks count, of which those that occur once in both documents can't be mistaken; others only where
 * there are none of these. It is counted from the blocks of either side, so that a block that others came to, and one
 * that others left, is akin to what it was.
 *
 * Bounds: the first 64 innermost blocks of a block count. What one was before, wherever it stands now, is looked for
 * eight levels above these.
 */
import { isBlock, slots } from "../BlockTree.ts"
import type { Block, Document } from "../Document.ts"
import type { Fingerprints } from "./Fingerprints.ts"

const maxLeaves = 64
/** How far above an innermost block the one is looked for that it came out of: a list in an item of a list, and more. */
const maxLevels = 8

/** The part of what one of them holds that the other holds too, from 0 to 1, of either the greater. */
export interface Kin {
  /** Of what occurs once in both documents. */
  readonly certain: number
  /** Of what occurs more often. Where anything in a block occurs once, only that counts. */
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

  /** Of a block of the previous document and one of the next. */
  of(previous: Block, next: Block): Kin {
    const [before, after] = this.#both()
    const [one, other] = [before.spans.get(previous), after.spans.get(next)]
    if (one === undefined || other === undefined) return none
    const [left, right] = [shared(before, one, after, other), shared(after, other, before, one)]
    return { certain: Math.max(left.certain, right.certain), likely: Math.max(left.likely, right.likely) }
  }

  /**
   * The block of the previous document that a block of the next one was, wherever either stands: of its type, and most
   * of what stands in it and occurs once in both documents came from there. Undefined where there is none.
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
      // A list that holds another has all that the inner one has, and more.
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

/** A range of innermost blocks, by their index among all. */
type Span = readonly [from: number, to: number]

/** The innermost blocks of a document, in the order in which they are read. */
interface Leaves {
  readonly prints: ReadonlyArray<number>
  /** By fingerprint, their indexes, which rise. */
  readonly places: ReadonlyMap<number, ReadonlyArray<number>>
  /** Of each block, those that stand in it. */
  readonly spans: ReadonlyMap<Block, Span>
  /** The block that each of them stands in. */
  readonly parents: ReadonlyArray<Block | undefined>
  readonly parentOf: ReadonlyMap<Block, Block>
}

const leavesOf = (document: Document, prints: Fingerprints): Leaves => {
  const all: Array<number> = []
  const places = new Map<number, Array<number>>()
  const spans = new Map<Block, Span>()
  /** Blocks that are to be gone through, and those of which all is, with where they began. */
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

/** How much of what stands in one block stands in the other, of what is there in both documents. */
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

/** Tells whether one of the numbers, which rise, lies in a span. */
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
