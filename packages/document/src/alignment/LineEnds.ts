/**
 * Restores the line ends of the source in the text of a block that a client edited as a tree. In such a tree, a line
 * end is a space, or nothing between Chinese or Japanese characters. The offsets in the leaf's `written` are out of
 * date if the client changed the text but not the offsets.
 *
 * A line end stays between the words that surrounded it. New text keeps the line ends that the client sent. The text
 * stays as sent if no work budget is left.
 */
import type { Inline, Leaf, Node, Text } from "../Document.ts"
import { mapList, withParts } from "../DocumentMapping.ts"
import { unspacedLineEnds } from "../EastAsian.ts"
import type { WorkBudget } from "./WorkBudget.ts"
import type { Fingerprints } from "./Fingerprints.ts"
import { matchEqual } from "./SequenceMatch.ts"
import * as Words from "./Words.ts"

interface Token {
  /** A word, one white space character, or the type of an inline without text. A line end is a space. */
  readonly text: string
  readonly leaf?: Leaf
  readonly isLineEnd: boolean
  /**
   * True if the source has a line end before the token and the text has no space there, as between Chinese characters.
   */
  readonly isUnspacedLineEnd: boolean
}

interface TokenizedText {
  readonly tokens: ReadonlyArray<Token>
  /** Offsets of line ends in the text of a leaf, in the form that clients receive. */
  readonly offsets: ReadonlyMap<Leaf, ReadonlyArray<number>>
}

/** Returns the inlines with the line ends of `before` in the parts whose text corresponds. */
export const restoreLineEnds = (
  before: ReadonlyArray<Node>,
  nodes: ReadonlyArray<Node>,
  fingerprints: Fingerprints
): ReadonlyArray<Node> => {
  const [previousInlines, nextInlines] = [flattenInlines(before), flattenInlines(nodes)]
  if (!leavesOf(previousInlines).some(({ text }) => text.includes("\n"))) return nodes
  const [previous, next] = [tokenize(previousInlines, fingerprints.budget), tokenize(nextInlines, fingerprints.budget)]
  if (previous === undefined || next === undefined || isSameText(previous, next)) return nodes
  const fingerprintsOf = ({ tokens }: TokenizedText) => tokens.map(({ text }) => fingerprints.of(text))
  const previousIndexes = new Map<number, number>()
  for (const [i, j] of matchEqual(fingerprintsOf(previous), fingerprintsOf(next), fingerprints.budget))
    previousIndexes.set(j, i)
  const changedLeaves = staleLeaves(previous, next)
  const texts = new Map<Leaf, string>()
  for (const [j, { leaf, text, ...lineEnd }] of next.tokens.entries()) {
    if (leaf === undefined) continue
    const sentLineEnd = changedLeaves.has(leaf) ? noLineEnd : lineEnd
    const i = previousIndexes.get(j)
    const sourceToken = i === undefined ? sentLineEnd : previous.tokens[i]!
    const hasSameNeighbor = (step: 1 | -1) => i !== undefined && previousIndexes.get(j + step) === i + step
    const isBetweenText = ([1, -1] as const).every((step) => hasSameNeighbor(step) || allowsLineEnd(next, j + step))
    const unspacedLineEnd = (hasSameNeighbor(-1) ? sourceToken : sentLineEnd).isUnspacedLineEnd ? "\n" : ""
    texts.set(leaf, `${texts.get(leaf) ?? ""}${unspacedLineEnd}${sourceToken.isLineEnd && isBetweenText ? "\n" : text}`)
  }
  return withTexts(nodes, texts)
}

const noLineEnd = { isLineEnd: false, isUnspacedLineEnd: false }

/**
 * Returns true if both have the same text in the same number of leaves and the next text has line ends. In that case
 * the client sent the line ends.
 */
const isSameText = (previous: TokenizedText, next: TokenizedText): boolean =>
  next.offsets.size > 0 &&
  previous.offsets.size === next.offsets.size &&
  previous.tokens.length === next.tokens.length &&
  previous.tokens.every(({ text }, i) => text === next.tokens[i]!.text) &&
  Array.from(next.offsets.values()).some((offsets) => offsets.length > 0)

/** Returns leaves with changed text and unchanged offsets, which are therefore out of date. */
const staleLeaves = (previous: TokenizedText, next: TokenizedText): ReadonlySet<Leaf> => {
  const texts = new Set(Array.from(previous.offsets.keys(), ({ text }) => text))
  const previousOffsets = new Set(Array.from(previous.offsets.values()).flat())
  return new Set(
    Array.from(next.offsets)
      .filter(([{ text }, offsets]) => !texts.has(text) && offsets.every((offset) => previousOffsets.has(offset)))
      .map(([leaf]) => leaf)
  )
}

/** Returns true if a line end may be next to the token at this index. */
const allowsLineEnd = ({ tokens }: TokenizedText, index: number): boolean =>
  tokens[index] !== undefined && (tokens[index].leaf !== undefined || tokens[index].text !== "hard-break")

/** Returns texts and inlines without text, in document order. */
const flattenInlines = (nodes: ReadonlyArray<Node>): ReadonlyArray<Inline | Text> => {
  const result: Array<Inline | Text> = []
  const pending = nodes.toReversed()
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.object === "block") continue
    if (node.object === "text" || node.nodes === undefined) result.push(node)
    else for (const inner of node.nodes.toReversed()) pending.push(inner)
  }
  return result
}

const leavesOf = (inlines: ReadonlyArray<Inline | Text>): ReadonlyArray<Leaf> =>
  inlines.flatMap((node) => (node.object === "text" ? node.leaves : []))

const stepsPerCharacter = 5

/** Returns the tokens of the inlines. Undefined if no work budget is left. */
const tokenize = (inlines: ReadonlyArray<Inline | Text>, budget: WorkBudget): TokenizedText | undefined => {
  const joinedText = leavesOf(inlines)
    .map(({ text }) => text)
    .join("")
  if (!budget.consume(joinedText.length * stepsPerCharacter)) return undefined
  const unspacedOffsets = new Set(unspacedLineEnds(joinedText))
  const tokens: Array<Token> = []
  const offsets = new Map<Leaf, ReadonlyArray<number>>()
  let position = 0
  let isUnspacedLineEnd = false
  const push = (token: Omit<Token, "isUnspacedLineEnd">) => {
    tokens.push({ ...token, isUnspacedLineEnd })
    isUnspacedLineEnd = false
  }
  for (const node of inlines) {
    if (node.object === "inline") {
      push({ text: node.type, isLineEnd: false })
      continue
    }
    for (const leaf of node.leaves) {
      const leafOffsets: Array<number> = []
      let offset = 0
      for (const text of leaf.text.split(/(\s)/).flatMap((part) => Words.splitWords(part))) {
        const isLineEnd = text === "\n"
        if (isLineEnd) leafOffsets.push(offset)
        if (isLineEnd && unspacedOffsets.has(position)) isUnspacedLineEnd = true
        else {
          push({ text: isLineEnd ? " " : text, leaf, isLineEnd })
          offset += text.length
        }
        position += text.length
      }
      offsets.set(leaf, leafOffsets)
    }
  }
  return { tokens, offsets }
}

const withTexts = (nodes: ReadonlyArray<Node>, texts: ReadonlyMap<Leaf, string>): ReadonlyArray<Node> =>
  mapList(nodes, (node): Node => {
    if (node.object === "block") return node
    if (node.object === "inline") {
      return node.nodes === undefined ? node : withParts(node, { nodes: withTexts(node.nodes, texts) })
    }
    const leaves = mapList(node.leaves, (leaf) => {
      const text = texts.get(leaf) ?? leaf.text
      return text === leaf.text ? leaf : { ...leaf, text }
    })
    return leaves === node.leaves ? node : { ...node, leaves }
  })
