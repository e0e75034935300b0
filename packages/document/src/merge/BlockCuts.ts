/**
 * Finds paragraphs that one side split or joined while the other side edited them. Applies the same split or join to
 * the base and the other side. Each part then merges as a block of its own, and the other side's edits stay with their
 * words.
 *
 * A text counts as split if its parts contain the same words in the same order and neither part moved.
 */
import type { Block, Document } from "../Document.ts"
import { ownPrint } from "./BlockMerge.ts"
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

export const alike = ({ base, main, ours }: Sides, prints: Fingerprints): Sides => {
  // If no block was added or removed, no block was split or joined.
  if ([main, ours].every((side) => hasSameKeys(base, side))) return { base, main, ours }
  const [inBase, inMain, inOurs] = [placedIn(base), placedIn(main), placedIn(ours)]
  const ofMain = changesOf(inBase, inMain, inOurs, prints)
  const ofOurs = changesOf(inBase, inOurs, inMain, prints)
  // Splits and joins that both sides made are left to the merge of blocks.
  const both = new Set([...ofMain.keys()].filter((key) => ofOurs.has(key)))
  for (const key of both) [ofMain, ofOurs].forEach((changes) => changes.delete(key))
  if (ofMain.size + ofOurs.size === 0) return { base, main, ours }
  const all = new Map([...ofMain, ...ofOurs])
  return {
    base: changed(base, inBase.index, inBase.index, all, prints),
    main: changed(main, inMain.index, inBase.index, ofOurs, prints),
    ours: changed(ours, inOurs.index, inBase.index, ofMain, prints)
  }
}

const hasSameKeys = (base: Document, side: Document): boolean => {
  const [{ blocks: before }, { blocks: after }] = [indexOf(base), indexOf(side)]
  return before.size === after.size && before.keys().every((key) => after.has(key))
}

/** A split or join, by the key of the block that stays. A sibling next to the block has, or had, a part of its text. */
interface Change {
  readonly kind: "cut" | "joined"
  /** The added or removed block. */
  readonly other: Block
  readonly isOtherFirst: boolean
  /** Number of words of the first part. */
  readonly words: number
}

const changesOf = (base: Placed, side: Placed, other: Placed, prints: Fingerprints) => {
  const found = new Map<string, Change>()
  const used = new Set<string>()
  for (const [key, before] of base.index.blocks) {
    const [now, edited] = [side.index.blocks.get(key), other.index.blocks.get(key)]
    if (
      now === undefined ||
      now === before ||
      edited === undefined ||
      !isText(before) ||
      !isText(now) ||
      !isText(edited)
    )
      continue
    const { slotId: id } = base.index.positions.get(key)!
    if (side.index.positions.get(key)!.slotId !== id || other.index.positions.get(key)!.slotId !== id) continue
    const change = cutOf(key, [before, now], { base, side, other, id }, prints)
    if (change === undefined || used.has(key) || used.has(change.other.key)) continue
    used.add(key).add(change.other.key)
    found.set(key, change)
  }
  return found
}

const isText = ({ fragments, nodes, type }: Block): boolean =>
  blockSpec(type).isCut === true && fragments === undefined && nodes !== undefined && !nodes.some(isBlock)

interface Context {
  readonly base: Placed
  readonly side: Placed
  readonly other: Placed
  /** Slot that contains the block on all sides. */
  readonly id: string
}

const cutOf = (
  key: string,
  [before, now]: readonly [Block, Block],
  { base, id, other, side }: Context,
  prints: Fingerprints
): Change | undefined => {
  const isEdited = () => ownPrint(before, prints) !== ownPrint(now, prints)
  for (const step of [1, -1]) {
    const added = neighbour(side, id, key, step)
    const isAdded = added !== undefined && !base.index.blocks.has(added.key) && !other.index.blocks.has(added.key)
    if (isAdded && isEdited()) {
      const words = partWords(before, now, added, step < 0, prints)
      if (words !== undefined) return { kind: "cut", other: added, isOtherFirst: step < 0, words }
    }
    const gone = neighbour(base, id, key, step)
    if (gone === undefined || side.index.blocks.has(gone.key) || !isEdited()) continue
    const stays = neighbour(other, id, key, step)
    if (stays === undefined || stays.key !== gone.key || !isText(stays)) continue
    const words = partWords(now, before, gone, step < 0, prints)
    if (words !== undefined) return { kind: "joined", other: gone, isOtherFirst: step < 0, words }
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
  prints: Fingerprints
): number | undefined => {
  if (!isText(part)) return undefined
  const [first, second] = (isPartFirst ? [part, rest] : [rest, part]).map((block) => wordsOf(block, prints))
  const all = wordsOf(whole, prints)
  const isSame = [...first!, ...second!].every((word, i) => word === all[i])
  const isCut = first!.length > 0 && second!.length > 0 && first!.length + second!.length === all.length
  return isSame && isCut ? first!.length : undefined
}

const neighbour = ({ index, places }: Placed, id: string, key: string, step: number): Block | undefined => {
  const beside = index.keysBySlot.get(id)?.[places.get(key)! + step]
  return beside === undefined ? undefined : index.blocks.get(beside)
}

/** An index with the position of each block among its siblings. */
interface Placed {
  readonly index: DocumentIndex
  readonly places: ReadonlyMap<string, number>
}

const placedIn = (document: Document): Placed => {
  const index = indexOf(document)
  const places = new Map(
    Array.from(index.keysBySlot.values()).flatMap((keys) => keys.map((key, i) => [key, i] as const))
  )
  return { index, places }
}

const wordsOf = (block: Block, prints: Fingerprints): ReadonlyArray<number> =>
  tokenizeNodes(inlines(block), prints).flatMap((token) => {
    if ("inline" in token) return [token.fingerprint]
    const word = token.text.trim()
    return word === "" ? [] : [prints.of(word)]
  })

/** Returns the document with the splits and joins of the other side. */
const changed = (
  document: Document,
  index: DocumentIndex,
  base: DocumentIndex,
  changes: ReadonlyMap<string, Change>,
  prints: Fingerprints
): Document => {
  if (changes.size === 0) return document
  const gone = new Set([...changes.values()].flatMap(({ kind, other }) => (kind === "joined" ? [other.key] : [])))
  return mapBlocks(document, (rebuilt, original) => {
    if (gone.has(original.key)) return []
    const change = changes.get(original.key)
    if (change === undefined) return rebuilt
    const { isOtherFirst, kind, other, words } = change
    if (kind === "joined") {
      const beside = index.blocks.get(other.key)!
      return join(rebuilt, isOtherFirst ? [beside, rebuilt] : [rebuilt, beside], prints)
    }
    const parts = cut(base.blocks.get(original.key)!, rebuilt, words, prints)
    if (parts === undefined) return rebuilt
    const [first, second] = isOtherFirst ? [other, rebuilt] : [rebuilt, other]
    return [
      { ...first, nodes: nodesFromTokens(parts[0], inlines(rebuilt), prints) },
      { ...second, nodes: nodesFromTokens(parts[1], [], prints) }
    ]
  })
}

const join = (block: Block, [first, second]: readonly [Block, Block], prints: Fingerprints): Block => {
  const space = wordToken([{ text: " ", marks: [] }], prints)
  const all = [...tokenizeNodes(inlines(first), prints), space, ...tokenizeNodes(inlines(second), prints)]
  return { ...block, nodes: nodesFromTokens(all, inlines(block), prints) }
}

/**
 * Cuts the tokens of an edited text at the position that corresponds to the end of the first `words` words of `before`.
 * Undefined if no token near the end of those words has a counterpart.
 */
const cut = (
  before: Block,
  block: Block,
  words: number,
  prints: Fingerprints
): readonly [ReadonlyArray<Token>, ReadonlyArray<Token>] | undefined => {
  const [from, to] = [tokenizeNodes(inlines(before), prints), tokenizeNodes(inlines(block), prints)]
  const matched = new Map(matchWords(from, to, prints.budget))
  const end = endOf(from, words)
  const next = matched.get(end)
  const last = matched.get(end - 1)
  const at = next ?? (last === undefined ? undefined : last + 1)
  return at === undefined ? undefined : [to.slice(0, at), withoutSpace(to.slice(at), prints)]
}

const isBlank = (token: Token) => "text" in token && token.text.trim() === ""

const endOf = (all: ReadonlyArray<Token>, words: number): number => {
  let count = 0
  let end = 0
  while (end < all.length && count < words) if (!isBlank(all[end++]!)) count++
  return end
}

/** Removes the white space before the first word, which separated the two parts. */
const withoutSpace = (all: ReadonlyArray<Token>, prints: Fingerprints): ReadonlyArray<Token> => {
  const start = all.findIndex((token) => !isBlank(token))
  const [first, ...rest] = all.slice(Math.max(start, 0))
  if (first === undefined || "inline" in first) return all.slice(Math.max(start, 0))
  let space = first.text.length - first.text.trimStart().length
  const pieces = first.parts.flatMap(({ marks, text }) => {
    const kept = text.slice(space)
    space = Math.max(0, space - text.length)
    return kept === "" ? [] : [{ marks, text: kept }]
  })
  return [wordToken(pieces, prints), ...rest]
}
