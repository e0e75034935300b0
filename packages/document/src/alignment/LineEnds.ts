/**
 * Restores the line ends of the source in the text of a block that a client edited as a tree. In such a tree, a line
 * end is a space, or nothing between Chinese or Japanese characters. The offsets in the leaf's `written` are out of
 * date if the client changed the text but not the offsets.
 *
 * A line end stays between the words that surrounded it. New text keeps the line ends that the client sent. The text
 * stays as sent if no effort is left.
 */
import type { Inline, Leaf, Node, Text } from "../Document.ts"
import { mapList, withParts } from "../DocumentMapping.ts"
import { unspacedLineEnds } from "../EastAsian.ts"
import type { Effort } from "./Effort.ts"
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
  readonly isJoined: boolean
}

interface TokenizedText {
  readonly tokens: ReadonlyArray<Token>
  /** Offsets of line ends in the text of a leaf, in the form that clients receive. */
  readonly offsets: ReadonlyMap<Leaf, ReadonlyArray<number>>
}

/** Returns the inlines with the line ends of `before` in the parts whose text corresponds. */
export const restored = (
  before: ReadonlyArray<Node>,
  nodes: ReadonlyArray<Node>,
  prints: Fingerprints
): ReadonlyArray<Node> => {
  const [old, all] = [inOrder(before), inOrder(nodes)]
  if (!leavesOf(old).some(({ text }) => text.includes("\n"))) return nodes
  const [was, is] = [tokenize(old, prints.effort), tokenize(all, prints.effort)]
  if (was === undefined || is === undefined || isSameText(was, is)) return nodes
  const numbers = ({ tokens }: TokenizedText) => tokens.map(({ text }) => prints.of(text))
  const from = new Map<number, number>()
  for (const [i, j] of matchEqual(numbers(was), numbers(is), prints.effort)) from.set(j, i)
  const stale = staleLeaves(was, is)
  const texts = new Map<Leaf, string>()
  for (const [j, { leaf, text, ...given }] of is.tokens.entries()) {
    if (leaf === undefined) continue
    const own = stale.has(leaf) ? none : given
    const i = from.get(j)
    const old = i === undefined ? own : was.tokens[i]!
    const isBesideSame = (step: 1 | -1) => i !== undefined && from.get(j + step) === i + step
    const isInside = ([1, -1] as const).every((step) => isBesideSame(step) || isTextAt(is, j + step))
    const joined = (isBesideSame(-1) ? old : own).isJoined ? "\n" : ""
    texts.set(leaf, `${texts.get(leaf) ?? ""}${joined}${old.isLineEnd && isInside ? "\n" : text}`)
  }
  return withTexts(nodes, texts)
}

const none = { isLineEnd: false, isJoined: false }

/**
 * Returns true if both have the same text in the same number of leaves and the new one has line ends, which the client
 * then sent.
 */
const isSameText = (was: TokenizedText, is: TokenizedText): boolean =>
  is.offsets.size > 0 &&
  was.offsets.size === is.offsets.size &&
  was.tokens.length === is.tokens.length &&
  was.tokens.every(({ text }, i) => text === is.tokens[i]!.text) &&
  Array.from(is.offsets.values()).some((offsets) => offsets.length > 0)

/** Returns leaves whose text changed, but whose offsets are those of a previous leaf. */
const staleLeaves = (was: TokenizedText, is: TokenizedText): ReadonlySet<Leaf> => {
  const texts = new Set(Array.from(was.offsets.keys(), ({ text }) => text))
  const known = new Set(Array.from(was.offsets.values()).flat())
  return new Set(
    Array.from(is.offsets)
      .filter(([{ text }, offsets]) => !texts.has(text) && offsets.every((offset) => known.has(offset)))
      .map(([leaf]) => leaf)
  )
}

/** Returns true if a line end may be next to the token at this index. */
const isTextAt = ({ tokens }: TokenizedText, at: number): boolean =>
  tokens[at] !== undefined && (tokens[at].leaf !== undefined || tokens[at].text !== "hard-break")

/** Returns texts and inlines without text, in document order. */
const inOrder = (nodes: ReadonlyArray<Node>): ReadonlyArray<Inline | Text> => {
  const found: Array<Inline | Text> = []
  const open = nodes.toReversed()
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.object === "block") continue
    if (node.object === "text" || node.nodes === undefined) found.push(node)
    else for (const inner of node.nodes.toReversed()) open.push(inner)
  }
  return found
}

const leavesOf = (all: ReadonlyArray<Inline | Text>): ReadonlyArray<Leaf> =>
  all.flatMap((node) => (node.object === "text" ? node.leaves : []))

const stepsPerCharacter = 5

/** Returns the tokens of the inlines. Undefined if no effort is left. */
const tokenize = (all: ReadonlyArray<Inline | Text>, effort: Effort): TokenizedText | undefined => {
  const flat = leavesOf(all)
    .map(({ text }) => text)
    .join("")
  if (!effort.take(flat.length * stepsPerCharacter)) return undefined
  const unspaced = new Set(unspacedLineEnds(flat))
  const tokens: Array<Token> = []
  const offsets = new Map<Leaf, ReadonlyArray<number>>()
  let at = 0
  let isJoined = false
  const push = (token: Omit<Token, "isJoined">) => {
    tokens.push({ ...token, isJoined })
    isJoined = false
  }
  for (const node of all) {
    if (node.object === "inline") {
      push({ text: node.type, isLineEnd: false })
      continue
    }
    for (const leaf of node.leaves) {
      const own: Array<number> = []
      let offset = 0
      for (const text of leaf.text.split(/(\s)/).flatMap((part) => Words.split(part))) {
        const isLineEnd = text === "\n"
        if (isLineEnd) own.push(offset)
        if (isLineEnd && unspaced.has(at)) isJoined = true
        else {
          push({ text: isLineEnd ? " " : text, leaf, isLineEnd })
          offset += text.length
        }
        at += text.length
      }
      offsets.set(leaf, own)
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
