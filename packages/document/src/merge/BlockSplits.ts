/**
 * Finds paragraphs that one side split or joined while the other side edited them. Applies the same split or join to
 * the base and the other side. Each part then merges as a block of its own, and the other side's edits stay with their
 * words.
 *
 * A text counts as split if its parts contain the same words in the same order and neither part moved.
 */
import type { Block, Document } from "../Document.ts"
import { contentFingerprint } from "./BlockMerge.ts"
import { inlines, isBlock, mapBlocks } from "../BlockTree.ts"
import { type DocumentIndex, indexOf } from "../alignment/DocumentIndex.ts"
import type { Fingerprints } from "../alignment/Fingerprints.ts"
import { matchWords } from "./TextMerge.ts"
import { nodesFromTokens, type Token, tokenizeNodes, wordToken } from "../alignment/TextTokens.ts"
import { blockSpec } from "../vocabulary/BlockTypes.ts"

interface Sides {
  readonly base: Document
  readonly main: Document
  readonly ours: Document
}

export const alignSplits = ({ base, main, ours }: Sides, fingerprints: Fingerprints): Sides => {
  // If no block was added or removed, no block was split or joined.
  if ([main, ours].every((side) => hasSameKeys(base, side))) return { base, main, ours }
  const [indexedBase, indexedMain, indexedOurs] = [indexDocument(base), indexDocument(main), indexDocument(ours)]
  const mainChanges = findChanges(indexedBase, indexedMain, indexedOurs, fingerprints)
  const oursChanges = findChanges(indexedBase, indexedOurs, indexedMain, fingerprints)
  // Splits and joins that both sides made are left to the merge of blocks.
  const commonKeys = new Set([...mainChanges.keys()].filter((key) => oursChanges.has(key)))
  for (const key of commonKeys) [mainChanges, oursChanges].forEach((changes) => changes.delete(key))
  if (mainChanges.size + oursChanges.size === 0) return { base, main, ours }
  const allChanges = new Map([...mainChanges, ...oursChanges])
  return {
    base: applyChanges(base, indexedBase.index, indexedBase.index, allChanges, fingerprints),
    main: applyChanges(main, indexedMain.index, indexedBase.index, oursChanges, fingerprints),
    ours: applyChanges(ours, indexedOurs.index, indexedBase.index, mainChanges, fingerprints)
  }
}

const hasSameKeys = (base: Document, side: Document): boolean => {
  const [{ blocks: before }, { blocks: after }] = [indexOf(base), indexOf(side)]
  return before.size === after.size && before.keys().every((key) => after.has(key))
}

/** A split or join, by the key of the block that stays. A sibling next to the block has, or had, a part of its text. */
interface SplitChange {
  readonly kind: "cut" | "joined"
  /** The added or removed block. */
  readonly other: Block
  readonly isOtherFirst: boolean
  /** Number of words of the first part. */
  readonly words: number
}

const findChanges = (
  base: IndexedDocument,
  side: IndexedDocument,
  other: IndexedDocument,
  fingerprints: Fingerprints
) => {
  const changes = new Map<string, SplitChange>()
  const usedKeys = new Set<string>()
  for (const [key, baseBlock] of base.index.blocks) {
    const [sideBlock, otherBlock] = [side.index.blocks.get(key), other.index.blocks.get(key)]
    if (
      sideBlock === undefined ||
      sideBlock === baseBlock ||
      otherBlock === undefined ||
      !isText(baseBlock) ||
      !isText(sideBlock) ||
      !isText(otherBlock)
    )
      continue
    const { slotId: id } = base.index.positions.get(key)!
    if (side.index.positions.get(key)!.slotId !== id || other.index.positions.get(key)!.slotId !== id) continue
    const change = findChange(key, [baseBlock, sideBlock], { base, side, other, id }, fingerprints)
    if (change === undefined || usedKeys.has(key) || usedKeys.has(change.other.key)) continue
    usedKeys.add(key).add(change.other.key)
    changes.set(key, change)
  }
  return changes
}

const isText = ({ fragments, nodes, type }: Block): boolean =>
  blockSpec(type).isSplittable === true && fragments === undefined && nodes !== undefined && !nodes.some(isBlock)

interface ChangeContext {
  readonly base: IndexedDocument
  readonly side: IndexedDocument
  readonly other: IndexedDocument
  /** Slot that contains the block on all sides. */
  readonly id: string
}

const findChange = (
  key: string,
  [before, after]: readonly [Block, Block],
  { base, id, other, side }: ChangeContext,
  fingerprints: Fingerprints
): SplitChange | undefined => {
  const isEdited = () => contentFingerprint(before, fingerprints) !== contentFingerprint(after, fingerprints)
  for (const step of [1, -1]) {
    const addedBlock = siblingAt(side, id, key, step)
    const isAdded =
      addedBlock !== undefined && !base.index.blocks.has(addedBlock.key) && !other.index.blocks.has(addedBlock.key)
    if (isAdded && isEdited()) {
      const words = partWords(before, after, addedBlock, step < 0, fingerprints)
      if (words !== undefined) return { kind: "cut", other: addedBlock, isOtherFirst: step < 0, words }
    }
    const removedBlock = siblingAt(base, id, key, step)
    if (removedBlock === undefined || side.index.blocks.has(removedBlock.key) || !isEdited()) continue
    const unchangedSibling = siblingAt(other, id, key, step)
    if (unchangedSibling === undefined || unchangedSibling.key !== removedBlock.key || !isText(unchangedSibling))
      continue
    const words = partWords(after, before, removedBlock, step < 0, fingerprints)
    if (words !== undefined) return { kind: "joined", other: removedBlock, isOtherFirst: step < 0, words }
  }
  return undefined
}

/**
 * Returns the number of words of the first part. Undefined if the words of the two parts differ from the words of the
 * whole.
 */
const partWords = (
  whole: Block,
  rest: Block,
  part: Block,
  isPartFirst: boolean,
  fingerprints: Fingerprints
): number | undefined => {
  if (!isText(part)) return undefined
  const [first, second] = (isPartFirst ? [part, rest] : [rest, part]).map((block) => wordsOf(block, fingerprints))
  const all = wordsOf(whole, fingerprints)
  const isSame = [...first!, ...second!].every((word, i) => word === all[i])
  const isSplit = first!.length > 0 && second!.length > 0 && first!.length + second!.length === all.length
  return isSame && isSplit ? first!.length : undefined
}

const siblingAt = (
  { index, siblingPositions }: IndexedDocument,
  id: string,
  key: string,
  step: number
): Block | undefined => {
  const joinedBlock = index.keysBySlot.get(id)?.[siblingPositions.get(key)! + step]
  return joinedBlock === undefined ? undefined : index.blocks.get(joinedBlock)
}

/** An index with the position of each block among its siblings. */
interface IndexedDocument {
  readonly index: DocumentIndex
  readonly siblingPositions: ReadonlyMap<string, number>
}

const indexDocument = (document: Document): IndexedDocument => {
  const index = indexOf(document)
  const siblingPositions = new Map(
    Array.from(index.keysBySlot.values()).flatMap((keys) => keys.map((key, i) => [key, i] as const))
  )
  return { index, siblingPositions }
}

const wordsOf = (block: Block, fingerprints: Fingerprints): ReadonlyArray<number> =>
  tokenizeNodes(inlines(block), fingerprints).flatMap((token) => {
    if ("inline" in token) return [token.fingerprint]
    const word = token.text.trim()
    return word === "" ? [] : [fingerprints.of(word)]
  })

/** Returns the document with the splits and joins of the other side. */
const applyChanges = (
  document: Document,
  index: DocumentIndex,
  base: DocumentIndex,
  changes: ReadonlyMap<string, SplitChange>,
  fingerprints: Fingerprints
): Document => {
  if (changes.size === 0) return document
  const removedKeys = new Set(
    [...changes.values()].flatMap(({ kind, other }) => (kind === "joined" ? [other.key] : []))
  )
  return mapBlocks(document, (rebuilt, original) => {
    if (removedKeys.has(original.key)) return []
    const change = changes.get(original.key)
    if (change === undefined) return rebuilt
    const { isOtherFirst, kind, other, words } = change
    if (kind === "joined") {
      const joinedBlock = index.blocks.get(other.key)!
      return joinBlocks(rebuilt, isOtherFirst ? [joinedBlock, rebuilt] : [rebuilt, joinedBlock], fingerprints)
    }
    const parts = splitTokens(base.blocks.get(original.key)!, rebuilt, words, fingerprints)
    if (parts === undefined) return rebuilt
    const [first, second] = isOtherFirst ? [other, rebuilt] : [rebuilt, other]
    return [
      { ...first, nodes: nodesFromTokens(parts[0], inlines(rebuilt), fingerprints) },
      { ...second, nodes: nodesFromTokens(parts[1], [], fingerprints) }
    ]
  })
}

const joinBlocks = (block: Block, [first, second]: readonly [Block, Block], fingerprints: Fingerprints): Block => {
  const space = wordToken([{ text: " ", marks: [] }], fingerprints)
  const all = [...tokenizeNodes(inlines(first), fingerprints), space, ...tokenizeNodes(inlines(second), fingerprints)]
  return { ...block, nodes: nodesFromTokens(all, inlines(block), fingerprints) }
}

/**
 * Cuts the tokens of an edited text at the position that corresponds to the end of the first `words` words of `before`.
 * Undefined if no token near the end of those words has a counterpart.
 */
const splitTokens = (
  before: Block,
  block: Block,
  words: number,
  fingerprints: Fingerprints
): readonly [ReadonlyArray<Token>, ReadonlyArray<Token>] | undefined => {
  const [from, to] = [tokenizeNodes(inlines(before), fingerprints), tokenizeNodes(inlines(block), fingerprints)]
  const matchedIndexes = new Map(matchWords(from, to, fingerprints.budget))
  const cutIndex = endOfWords(from, words)
  const indexAfterCut = matchedIndexes.get(cutIndex)
  const indexBeforeCut = matchedIndexes.get(cutIndex - 1)
  const at = indexAfterCut ?? (indexBeforeCut === undefined ? undefined : indexBeforeCut + 1)
  return at === undefined ? undefined : [to.slice(0, at), withoutSpace(to.slice(at), fingerprints)]
}

const isBlank = (token: Token) => "text" in token && token.text.trim() === ""

const endOfWords = (tokens: ReadonlyArray<Token>, words: number): number => {
  let count = 0
  let end = 0
  while (end < tokens.length && count < words) if (!isBlank(tokens[end++]!)) count++
  return end
}

/** Returns the tokens of the second part of a split block, without the white space before its first word. */
const withoutSpace = (tokens: ReadonlyArray<Token>, fingerprints: Fingerprints): ReadonlyArray<Token> => {
  const start = tokens.findIndex((token) => !isBlank(token))
  const [first, ...rest] = tokens.slice(Math.max(start, 0))
  if (first === undefined || "inline" in first) return tokens.slice(Math.max(start, 0))
  let spaceLength = first.text.length - first.text.trimStart().length
  const pieces = first.parts.flatMap(({ marks, text }) => {
    const remainingText = text.slice(spaceLength)
    spaceLength = Math.max(0, spaceLength - text.length)
    return remainingText === "" ? [] : [{ marks, text: remainingText }]
  })
  return [wordToken(pieces, fingerprints), ...rest]
}
