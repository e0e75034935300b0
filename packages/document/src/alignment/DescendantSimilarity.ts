/**
 * Measures the similarity of two container blocks by their descendants. This identifies a block that lost or gained
 * most of its text. By words, such a block would match the block that received the text.
 *
 * Only leaf blocks count. Leaf blocks that occur once in both documents are certain evidence; the others count only if
 * there are no such blocks. The share is computed from both sides, so a block matches its previous version whether it
 * gained or lost blocks.
 *
 * Limits: the first 64 leaf blocks of a block count. `previousVersion` searches up to eight levels above a leaf block.
 */
import { isBlock, slots } from "../BlockTree.ts"
import type { Block, Document } from "../Document.ts"
import type { Fingerprints } from "./Fingerprints.ts"

const maxLeaves = 64
/** Number of ancestors of a leaf block that `previousVersion` examines. */
const maxLevels = 8

/**
 * Similarity of two blocks: the share of one block's leaf blocks that the other block contains, from 0 to 1. The
 * greater share of the two sides counts.
 */
export interface Similarity {
  /** Share among leaf blocks that occur once in both documents. */
  readonly certain: number
  /**
   * Share among leaf blocks that occur several times. 0 if any leaf block occurs once, because then only `certain`
   * counts.
   */
  readonly likely: number
}

export class DescendantSimilarity {
  readonly #documents: readonly [previous: Document, next: Document]
  readonly #fingerprints: Fingerprints
  #leaves: readonly [previous: LeafBlocks, next: LeafBlocks] | undefined

  constructor(previous: Document, next: Document, fingerprints: Fingerprints) {
    this.#documents = [previous, next]
    this.#fingerprints = fingerprints
  }

  /** Returns the similarity of a block of the previous document and a block of the next one. */
  of(previous: Block, next: Block): Similarity {
    const [previousLeaves, nextLeaves] = this.#indexedLeaves()
    const [previousSpan, nextSpan] = [previousLeaves.spans.get(previous), nextLeaves.spans.get(next)]
    if (previousSpan === undefined || nextSpan === undefined) return noSimilarity
    const [fromPrevious, fromNext] = [
      sharedLeafBlocks(previousLeaves, previousSpan, nextLeaves, nextSpan),
      sharedLeafBlocks(nextLeaves, nextSpan, previousLeaves, previousSpan)
    ]
    return {
      certain: Math.max(fromPrevious.certain, fromNext.certain),
      likely: Math.max(fromPrevious.likely, fromNext.likely)
    }
  }

  /**
   * Returns the previous version of a block of the next document, regardless of position. It has the same type, and at
   * least half of the new block's leaf blocks that occur once in both documents. Undefined if no block qualifies.
   */
  previousVersion(next: Block, isCandidate: (previous: Block) => boolean): Block | undefined {
    const [previousLeaves, nextLeaves] = this.#indexedLeaves()
    const [from, to] = nextLeaves.spans.get(next) ?? [0, 0]
    const counts = new Map<Block, number>()
    let certainCount = 0
    for (let i = from; i < Math.min(to, from + maxLeaves); i++) {
      const indexes = previousLeaves.indexes.get(nextLeaves.fingerprints[i]!)
      if (indexes?.length !== 1 || nextLeaves.indexes.get(nextLeaves.fingerprints[i]!)!.length > 1) continue
      certainCount++
      let ancestor = previousLeaves.parents[indexes[0]!]
      for (let level = 0; level < maxLevels && ancestor !== undefined; level++) {
        if (ancestor.type === next.type && isCandidate(ancestor)) counts.set(ancestor, (counts.get(ancestor) ?? 0) + 1)
        ancestor = previousLeaves.parentOf.get(ancestor)
      }
    }
    let bestBlock: Block | undefined
    let bestShare = 0
    for (const [block, count] of counts) {
      const [start, end] = previousLeaves.spans.get(block)!
      // An outer list contains all leaf blocks of an inner list, so the share of its size decides.
      const share = count / (end - start + to - from)
      if (2 * count >= certainCount && share >= bestShare) [bestBlock, bestShare] = [block, share]
    }
    return bestBlock
  }

  #indexedLeaves(): readonly [previous: LeafBlocks, next: LeafBlocks] {
    this.#leaves ??= [
      indexLeafBlocks(this.#documents[0], this.#fingerprints),
      indexLeafBlocks(this.#documents[1], this.#fingerprints)
    ]
    return this.#leaves
  }
}

export const containsBlocks = ({ fragments, nodes }: Block): boolean =>
  fragments !== undefined || nodes?.some(isBlock) === true

const noSimilarity: Similarity = { certain: 0, likely: 0 }

/** Range of leaf blocks, by their index in the document. */
type Span = readonly [from: number, to: number]

/** Leaf blocks of a document, in document order. */
interface LeafBlocks {
  readonly fingerprints: ReadonlyArray<number>
  /** Indexes of leaf blocks by fingerprint, ascending. */
  readonly indexes: ReadonlyMap<number, ReadonlyArray<number>>
  /** Range of the leaf blocks in each block. */
  readonly spans: ReadonlyMap<Block, Span>
  /** Parent block of each leaf block. */
  readonly parents: ReadonlyArray<Block | undefined>
  readonly parentOf: ReadonlyMap<Block, Block>
}

const indexLeafBlocks = (document: Document, fingerprints: Fingerprints): LeafBlocks => {
  const leafFingerprints: Array<number> = []
  const indexes = new Map<number, Array<number>>()
  const spans = new Map<Block, Span>()
  /**
   * `stack`: blocks to visit. `firstLeaf`: index of the first leaf block of each block whose descendants are being
   * visited.
   */
  const stack: Array<Block> = [...document.nodes].reverse()
  const firstLeaf = new Map<Block, number>()
  const parents: Array<Block | undefined> = []
  const parentOf = new Map<Block, Block>()
  while (stack.length > 0) {
    const block = stack.at(-1)!
    const from = firstLeaf.get(block)
    const children = from === undefined && containsBlocks(block) ? slots(block) : []
    if (children.length > 0) {
      firstLeaf.set(block, leafFingerprints.length)
      for (let i = children.length - 1; i >= 0; i--) {
        const { blocks } = children[i]!
        for (let k = blocks.length - 1; k >= 0; k--) {
          stack.push(blocks[k]!)
          parentOf.set(blocks[k]!, block)
        }
      }
      continue
    }
    stack.pop()
    if (from !== undefined) {
      firstLeaf.delete(block)
      spans.set(block, [from, leafFingerprints.length])
      continue
    }
    const fingerprint = fingerprints.of(block)
    const existing = indexes.get(fingerprint)
    if (existing === undefined) indexes.set(fingerprint, [leafFingerprints.length])
    else existing.push(leafFingerprints.length)
    leafFingerprints.push(fingerprint)
    parents.push(parentOf.get(block))
  }
  return { fingerprints: leafFingerprints, indexes, spans, parents, parentOf }
}

/**
 * Returns the share of one block's leaf blocks that the other block contains. Only leaf blocks that occur in both
 * documents count.
 */
const sharedLeafBlocks = (leaves: LeafBlocks, [from, to]: Span, others: LeafBlocks, span: Span): Similarity => {
  let [certainCount, sharedCertainCount, leafCount, sharedLeafCount] = [0, 0, 0, 0]
  for (let i = from; i < Math.min(to, from + maxLeaves); i++) {
    const fingerprint = leaves.fingerprints[i]!
    const indexes = others.indexes.get(fingerprint)
    if (indexes === undefined) continue
    const isInSpan = hasNumberInSpan(indexes, span)
    leafCount++
    if (isInSpan) sharedLeafCount++
    if (indexes.length > 1 || leaves.indexes.get(fingerprint)!.length > 1) continue
    certainCount++
    if (isInSpan) sharedCertainCount++
  }
  if (certainCount > 0) return { certain: sharedCertainCount / certainCount, likely: 0 }
  return leafCount > 0 ? { certain: 0, likely: sharedLeafCount / leafCount } : noSimilarity
}

/** Returns true if one of the ascending numbers lies in a span. */
const hasNumberInSpan = (numbers: ReadonlyArray<number>, [from, to]: Span): boolean => {
  let low = 0
  let high = numbers.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (numbers[middle]! < from) low = middle + 1
    else high = middle
  }
  return low < numbers.length && numbers[low]! < to
}
