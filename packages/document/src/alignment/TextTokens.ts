/**
 * Converts the text of a block to words and back. Marks do not divide words, even if they change within a word. An
 * inline node is one word. If the effort does not suffice for a text, the whole text is one word.
 */
import type { Inline, Leaf, Mark, Text } from "../Document.ts"
import type { Fingerprints } from "./Fingerprints.ts"
import * as Words from "./Words.ts"

export type Nodes = ReadonlyArray<Inline | Text>

interface Piece {
  readonly text: string
  readonly marks: ReadonlyArray<Mark>
}

export interface Word {
  /** Equal for words with the same text and marks. */
  readonly print: number
  /** Equal for words with the same text. */
  readonly plain: number
  readonly text: string
  readonly pieces: ReadonlyArray<Piece>
}

export interface InlineWord {
  readonly print: number
  readonly plain: number
  readonly inline: Inline
}

export type Token = Word | InlineWord

export const wordOf = (pieces: ReadonlyArray<Piece>, prints: Fingerprints): Word => {
  const text = pieces.length === 1 ? pieces[0]!.text : pieces.map((piece) => piece.text).join("")
  const plain = prints.of(text)
  const isPlain = pieces.every(({ marks }) => marks.length === 0)
  const print = isPlain ? plain : prints.of(pieces.map((piece) => [piece.text, prints.of(piece.marks)]))
  return { print, plain, text, pieces }
}

export const inlineOf = (inline: Inline, prints: Fingerprints): InlineWord => {
  const print = prints.of(inline)
  return { print, plain: print, inline }
}

export const tokens = (nodes: Nodes, prints: Fingerprints): ReadonlyArray<Token> => {
  const found: Array<Token> = []
  let leaves: Array<Leaf> = []
  const closeText = () => {
    for (const pieces of cut(leaves, prints)) found.push(wordOf(pieces, prints))
    leaves = []
  }
  for (const node of nodes) {
    if (node.object === "text") {
      for (const leaf of node.leaves) leaves.push(leaf)
      continue
    }
    closeText()
    found.push(inlineOf(node, prints))
  }
  closeText()
  return found
}

const stepsPerCharacter = 5

/** Returns the words of a text, as pieces with equal marks. */
const cut = function* (leaves: ReadonlyArray<Leaf>, prints: Fingerprints) {
  const joined = joinedByMarks(leaves, prints)
  const text = joined.map((piece) => piece.text).join("")
  if (!prints.effort.take(text.length * stepsPerCharacter)) {
    yield joined
    return
  }
  let at = 0
  let used = 0
  for (const word of Words.split(text)) {
    const pieces: Array<Piece> = []
    for (let missing = word.length; missing > 0;) {
      const { marks, text } = joined[at]!
      const piece = text.slice(used, used + missing)
      if (piece !== "") pieces.push({ text: piece, marks })
      missing -= piece.length
      used += piece.length
      if (used < text.length) continue
      at++
      used = 0
    }
    yield pieces
  }
}

const joinedByMarks = (pieces: Iterable<Piece>, prints: Fingerprints): ReadonlyArray<Piece> => {
  const joined: Array<{ readonly marks: ReadonlyArray<Mark>; readonly texts: Array<string> }> = []
  let print: number | undefined
  for (const { marks, text } of pieces) {
    if (text === "") continue
    const next = prints.of(marks)
    if (joined.length === 0 || next !== print) joined.push({ marks, texts: [] })
    // Strings are joined once per piece, since a text may have very many leaves.
    joined.at(-1)!.texts.push(text)
    print = next
  }
  return joined.map(({ marks, texts }) => ({ marks, text: texts.join("") }))
}

/**
 * Returns the nodes for tokens, with as few leaves as the marks allow. Texts take the keys of the texts in `keysFrom`,
 * in order.
 */
export const fromTokens = (all: ReadonlyArray<Token>, keysFrom: Nodes, prints: Fingerprints): Nodes => {
  const texts = keysFrom.flatMap((node) => (node.object === "text" && node.key !== undefined ? [node.key] : []))
  const keys = texts.values()
  const nodes: Array<Inline | Text> = []
  let pieces: Array<Piece> = []
  const closeText = () => {
    if (pieces.length === 0) return
    const key = keys.next().value
    const leaves = joinedByMarks(pieces, prints).map(({ marks, text }): Leaf => ({ object: "leaf", text, marks }))
    nodes.push({ object: "text", ...(key === undefined ? {} : { key }), leaves })
    pieces = []
  }
  for (const token of all) {
    if ("pieces" in token) {
      for (const piece of token.pieces) pieces.push(piece)
      continue
    }
    closeText()
    nodes.push(token.inline)
  }
  closeText()
  return nodes
}
