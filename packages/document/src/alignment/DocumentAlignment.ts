/**
 * Assigns to the blocks of a new version of a document the keys of the corresponding blocks of the previous version.
 * Saving an unchanged document therefore changes nothing, and an edit of one paragraph changes one block.
 *
 * Blocks correspond in this order:
 *
 * 1. Equal blocks between the same neighbors.
 * 2. Equal blocks anywhere that occur once in both documents and have at least `minMovedWords` words (a move).
 * 3. Edited blocks of one type or family at the same position.
 * 4. All of these within each edited block: list items, tabs, fragments, lines of code, records and columns of a table.
 * 5. Container blocks that were edited and moved, such as a list that was put into a tab. Their descendants identify
 *    them.
 *
 * Keys of the new version are no evidence of a correspondence.
 *
 * A document that a client sent as a tree gets the line ends of the previous version back (see `LineEnds`).
 */
import type { Block, Document, Fragment, Inline, Node, Text } from "../Document.ts"
import {
  entries,
  fragmentNames,
  isBlock,
  freeKeyMaker,
  mapBlocks,
  type Parent,
  slots,
  withUniqueKeys
} from "../BlockTree.ts"
import { withParts } from "../DocumentMapping.ts"
import { type Candidate, candidate, wordSimilarity, matchEdited, minMovedWords } from "./EditMatch.ts"
import { Fingerprints } from "./Fingerprints.ts"
import { containsBlocks, DescendantSimilarity } from "./DescendantSimilarity.ts"
import * as LineEnds from "./LineEnds.ts"
import { matchEqual } from "./SequenceMatch.ts"
import * as TableAlignment from "./TableAlignment.ts"
import { isCode } from "../wire/WireText.ts"
import { blockTypes, isBlockType } from "../vocabulary/BlockTypes.ts"

export interface AlignOptions {
  /** True if a client sent the next document as a tree, which shows line ends of the source as spaces. Default: false. */
  readonly isTree?: boolean | undefined
}

export const align = (previous: Document, next: Document, { isTree = false }: AlignOptions = {}): Document => {
  const fingerprints = new Fingerprints()
  if (isAligned(previous, next, fingerprints)) return previous
  const { edited, renames, equal } = matchBlocks(previous, next, fingerprints)
  const newKey = newKeyChooser(next, equal, edited)
  const alignedDocument = mapBlocks(next, (rebuilt, original) => {
    const equalBlock = equal.get(original)
    if (equalBlock !== undefined) return equalBlock
    const previousBlock = edited.get(original)
    if (previousBlock === undefined) {
      const key = newKey(rebuilt.key)
      return key === rebuilt.key ? rebuilt : { ...rebuilt, key }
    }
    const renamedBlock = renames.get(original)?.(rebuilt) ?? rebuilt
    if (!isTree) return withPreviousKeys(previousBlock, renamedBlock, fingerprints)
    const restoredBlock = withPreviousLineEnds(previousBlock, renamedBlock, fingerprints)
    return fingerprints.of(restoredBlock) === fingerprints.of(previousBlock)
      ? previousBlock
      : withPreviousKeys(previousBlock, restoredBlock, fingerprints)
  })
  const data = fingerprints.of(previous.data) === fingerprints.of(next.data) ? previous.data : next.data
  return withUniqueKeys({ ...alignedDocument, data })
}

/**
 * Returns true if both documents have the same content, regardless of keys. `align` then returns the previous document
 * itself.
 */
export const isAligned = (previous: Document, next: Document, fingerprints = new Fingerprints()): boolean =>
  previous.nodes.length === next.nodes.length &&
  fingerprints.of(previous.data) === fingerprints.of(next.data) &&
  previous.nodes.every((block, i) => fingerprints.of(block) === fingerprints.of(next.nodes[i]!))

/**
 * Returns a function that chooses the key of a new block: the block's current key, or a free key if a block that stays
 * has that key.
 */
const newKeyChooser = (
  next: Document,
  equal: ReadonlyMap<Block, Block>,
  edited: ReadonlyMap<Block, Block>
): ((key: string) => string) => {
  const usedKeys = new Set(Array.from(edited.values(), ({ key }) => key))
  for (const { key } of withDescendants(equal.values())) usedKeys.add(key)
  const freeKey = freeKeyMaker(new Set([...usedKeys, ...entries(next).map(({ block }) => block.key)]))
  return (key) => (usedKeys.has(key) ? freeKey(key) : key)
}

/** Returns blocks and all of their descendants. */
const withDescendants = (blocks: Iterable<Block>): ReadonlyArray<Block> =>
  entries({ object: "document", data: {}, nodes: [...new Set(blocks)] }).map(({ block }) => block)

/** Minimum similarity, from 0 to 1, of a block that was edited and moved and its previous version. */
const minSimilarity = 0.5

/**
 * Corresponding blocks of the previous document, by block of the next document. `equal`: equal blocks. `edited`: edited
 * blocks. `renames`: functions that assign the ids of the previous table to a table.
 */
interface BlockMatches {
  readonly equal: ReadonlyMap<Block, Block>
  readonly edited: ReadonlyMap<Block, Block>
  readonly renames: ReadonlyMap<Block, (block: Block) => Block>
}

const matchBlocks = (previous: Document, next: Document, fingerprints: Fingerprints): BlockMatches => {
  const equal = new Map<Block, Block>()
  const edited = new Map<Block, Block>()
  const renames = new Map<Block, (block: Block) => Block>()
  const candidates = new Map<Block, Candidate>()
  const candidateOf = (block: Block) => {
    const blockCandidate = candidates.get(block) ?? candidate(block.type, family(block), block)
    candidates.set(block, blockCandidate)
    return blockCandidate
  }
  const similarity = new DescendantSimilarity(previous, next, fingerprints)
  const moves = uniqueInBoth(previous, next, fingerprints)
  const isMove = (block: Block) => moves.has(fingerprints.of(block)) && candidateOf(block).size >= minMovedWords

  const pendingPairs: Array<readonly [Parent | undefined, Parent]> = [[previous, next]]
  const descend = (block: Block) => {
    const previousBlock = edited.get(block)
    const rename = previousBlock && TableAlignment.tableRename(previousBlock, block, fingerprints)
    if (rename !== undefined) renames.set(block, rename)
    pendingPairs.push([previousBlock, rename?.(block) ?? block])
  }
  const unmatchedContainers: Array<Block> = []
  /** Blocks of the previous document that already have a counterpart. Undefined until all children are matched. */
  let matchedPreviousBlocks: Set<Block> | undefined
  const matchChildren = ([before, after]: readonly [Parent | undefined, Parent]) => {
    const from = new Map(before === undefined ? [] : slots(before).map((slot) => [slot.name, slot.blocks]))
    for (const { blocks: to, name } of slots(after)) {
      const blocks = from.get(name) ?? []
      const pairs = matchEqual(
        blocks.map((block) => fingerprints.of(block)),
        to.map((block) => fingerprints.of(block)),
        fingerprints.budget
      )
      for (const [i, j] of pairs) equal.set(to[j]!, blocks[i]!)
      for (const block of to) {
        const movedBlock = equal.has(block) ? undefined : moves.get(fingerprints.of(block))
        if (movedBlock !== undefined && isMove(block)) equal.set(block, movedBlock)
      }
      const edits = matchEdited(
        pairs,
        [blocks.length, to.length],
        (i) =>
          isMove(blocks[i]!) || matchedPreviousBlocks?.has(blocks[i]!) === true ? undefined : candidateOf(blocks[i]!),
        (j) => (equal.has(to[j]!) ? undefined : candidateOf(to[j]!)),
        fingerprints.budget,
        (i, j) => (containsBlocks(blocks[i]!) && containsBlocks(to[j]!) ? similarity.of(blocks[i]!, to[j]!) : undefined)
      )
      for (const [i, j] of edits) edited.set(to[j]!, blocks[i]!)
      for (const block of to) {
        const equalBlock = equal.get(block)
        if (equalBlock === undefined) descend(block)
        const previousBlock = equalBlock ?? edited.get(block)
        if (matchedPreviousBlocks === undefined) {
          if (previousBlock === undefined && containsBlocks(block)) unmatchedContainers.push(block)
        } else if (previousBlock !== undefined) {
          for (const each of equalBlock === undefined ? [previousBlock] : withDescendants([previousBlock]))
            matchedPreviousBlocks.add(each)
        }
      }
    }
  }
  let nextIndex = 0
  const matchPending = () => {
    for (; nextIndex < pendingPairs.length; nextIndex++) matchChildren(pendingPairs[nextIndex]!)
  }
  matchPending()
  if (unmatchedContainers.length === 0) return { equal, edited, renames }
  const previousMatches = (matchedPreviousBlocks = new Set([...edited.values(), ...withDescendants(equal.values())]))
  for (const block of unmatchedContainers) {
    if (edited.has(block) || equal.has(block)) continue
    const previousVersion = similarity.previousVersion(block, (one) => !previousMatches.has(one))
    if (
      previousVersion === undefined ||
      wordSimilarity(candidateOf(previousVersion), candidateOf(block)) < minSimilarity
    )
      continue
    edited.set(block, previousVersion)
    matchedPreviousBlocks.add(previousVersion)
    descend(block)
    matchPending()
  }
  return { equal, edited, renames }
}

/** Returns the blocks of the previous document that occur once in both documents, by fingerprint. */
const uniqueInBoth = (previous: Document, next: Document, fingerprints: Fingerprints): ReadonlyMap<number, Block> => {
  const uniqueBlocks = (document: Document) => {
    const blockByFingerprint = new Map<number, Block | undefined>()
    for (const { block } of entries(document)) {
      const fingerprint = fingerprints.of(block)
      blockByFingerprint.set(fingerprint, blockByFingerprint.has(fingerprint) ? undefined : block)
    }
    return blockByFingerprint
  }
  const uniqueInNext = uniqueBlocks(next)
  const result = new Map<number, Block>()
  for (const [fingerprint, block] of uniqueBlocks(previous)) {
    if (block !== undefined && uniqueInNext.get(fingerprint) !== undefined) result.set(fingerprint, block)
  }
  return result
}

/**
 * Returns the family of a block, within which an edit may change the type: a heading may change its level, for example.
 * A block of an unknown type belongs to the family `text` if it contains only text and inlines.
 */
const family = (block: Block): string | undefined => {
  if (isBlockType(block.type)) return blockTypes[block.type].family
  return block.nodes !== undefined && block.nodes.length > 0 && block.nodes.every((node) => !isBlock(node))
    ? "text"
    : undefined
}

const withPreviousLineEnds = (before: Block, block: Block, fingerprints: Fingerprints): Block =>
  before.nodes === undefined || block.nodes === undefined || isCode(block)
    ? block
    : withParts(block, { nodes: LineEnds.restoreLineEnds(before.nodes, block.nodes, fingerprints) })

const withPreviousKeys = (before: Block, block: Block, fingerprints: Fingerprints): Block => {
  const result = { ...block, key: before.key }
  const nodes = block.nodes && withPreviousInlines(before.nodes ?? [], block.nodes, fingerprints)
  const fragments = block.fragments && withPreviousFragmentKeys(before.fragments ?? [], block.fragments)
  return { ...result, ...(nodes && { nodes }), ...(fragments && { fragments }) }
}

/** Keeps the previous nodes for equal texts and inlines. Edited texts and inlines take the remaining keys in order. */
const withPreviousInlines = (
  before: ReadonlyArray<Node>,
  nodes: ReadonlyArray<Node>,
  fingerprints: Fingerprints
): ReadonlyArray<Node> => {
  const inlinesOf = (siblings: ReadonlyArray<Node>) => siblings.filter((node): node is Inline | Text => !isBlock(node))
  const from = inlinesOf(before)
  const to = inlinesOf(nodes)
  if (from.length === 0 || to.length === 0) return nodes
  const pairs = matchEqual(
    from.map((node) => fingerprints.of(node)),
    to.map((node) => fingerprints.of(node)),
    fingerprints.budget
  )
  const equalNodes = new Map<Node, Node>(pairs.map(([i, j]) => [to[j]!, from[i]!]))
  const used = new Set<Node>(equalNodes.values())
  // Reversed, so that taking the next one pops from the end instead of shifting.
  const unusedNodes = from.filter((node) => !used.has(node) && node.key !== undefined).toReversed()
  return nodes.map((node) => {
    if (isBlock(node)) return node
    const equal = equalNodes.get(node)
    if (equal !== undefined) return equal
    const key = unusedNodes.at(-1)?.object === node.object ? unusedNodes.pop()?.key : undefined
    return key === undefined ? node : { ...node, key }
  })
}

const withPreviousFragmentKeys = (
  before: ReadonlyArray<Fragment>,
  fragments: ReadonlyArray<Fragment>
): ReadonlyArray<Fragment> => {
  const names = fragmentNames(before)
  const keys = new Map(before.map(({ key }, i) => [names[i]!, key]))
  const ownNames = fragmentNames(fragments)
  return fragments.map((fragment, i) => {
    const key = keys.get(ownNames[i]!)
    return key === undefined || key === fragment.key ? fragment : { ...fragment, key }
  })
}
