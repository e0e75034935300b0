/**
 * Converts the text of a block to words and back. Marks do not divide words, even if they change within a word. An
 * inline node is one word. If the work budget does not suffice for a text, the whole text is one word.
 */
import type { Inline, Leaf, Mark, Text } from "../Document.ts"
import type { Fingerprints } from "./Fingerprints.ts"
import * as Words from "./Words.ts"

export type InlineNodes = ReadonlyArray<Inline | Text>

interface MarkedText {
  readonly text: string
  readonly marks: ReadonlyArray<Mark>
}

export interface Word {
  /** Number that is equal for words with the same text and marks. */
  readonly fingerprint: number
  /** Number that is equal for words with the same text. */
  readonly textFingerprint: number
  readonly text: string
  readonly parts: ReadonlyArray<MarkedText>
}

export interface InlineWord {
  readonly fingerprint: number
  readonly textFingerprint: number
  readonly inline: Inline
}

export type Token = Word | InlineWord

export const wordToken = (parts: ReadonlyArray<MarkedText>, fingerprints: Fingerprints): Word => {
  const text = parts.length === 1 ? parts[0]!.text : parts.map((part) => part.text).join("")
  const textFingerprint = fingerprints.of(text)
  const isPlain = parts.every(({ marks }) => marks.length === 0)
  const fingerprint = isPlain
    ? textFingerprint
    : fingerprints.of(parts.map((part) => [part.text, fingerprints.of(part.marks)]))
  return { fingerprint, textFingerprint, text, parts }
}

export const inlineToken = (inline: Inline, fingerprints: Fingerprints): InlineWord => {
  const fingerprint = fingerprints.of(inline)
  return { fingerprint, textFingerprint: fingerprint, inline }
}

export const tokenizeNodes = (nodes: InlineNodes, fingerprints: Fingerprints): ReadonlyArray<Token> => {
  const result: Array<Token> = []
  let leaves: Array<Leaf> = []
  const closeText = () => {
    for (const parts of splitIntoWords(leaves, fingerprints)) result.push(wordToken(parts, fingerprints))
    leaves = []
  }
  for (const node of nodes) {
    if (node.object === "text") {
      for (const leaf of node.leaves) leaves.push(leaf)
      continue
    }
    closeText()
    result.push(inlineToken(node, fingerprints))
  }
  closeText()
  return result
}

const stepsPerCharacter = 5

/** Splits a text into words. Each word is a list of pieces, and the marks of a piece are uniform. */
const splitIntoWords = function* (leaves: ReadonlyArray<Leaf>, fingerprints: Fingerprints) {
  const joinedParts = joinByMarks(leaves, fingerprints)
  const text = joinedParts.map((part) => part.text).join("")
  if (!fingerprints.budget.consume(text.length * stepsPerCharacter)) {
    yield joinedParts
    return
  }
  let partIndex = 0
  let usedLength = 0
  for (const word of Words.splitWords(text)) {
    const parts: Array<MarkedText> = []
    for (let remaining = word.length; remaining > 0;) {
      const { marks, text } = joinedParts[partIndex]!
      const part = text.slice(usedLength, usedLength + remaining)
      if (part !== "") parts.push({ text: part, marks })
      remaining -= part.length
      usedLength += part.length
      if (usedLength < text.length) continue
      partIndex++
      usedLength = 0
    }
    yield parts
  }
}

const joinByMarks = (parts: Iterable<MarkedText>, fingerprints: Fingerprints): ReadonlyArray<MarkedText> => {
  const joined: Array<{ readonly marks: ReadonlyArray<Mark>; readonly texts: Array<string> }> = []
  let fingerprint: number | undefined
  for (const { marks, text } of parts) {
    if (text === "") continue
    const next = fingerprints.of(marks)
    if (joined.length === 0 || next !== fingerprint) joined.push({ marks, texts: [] })
    // Strings are joined once per piece, since a text may have very many leaves.
    joined.at(-1)!.texts.push(text)
    fingerprint = next
  }
  return joined.map(({ marks, texts }) => ({ marks, text: texts.join("") }))
}

/**
 * Returns the nodes for tokens, with as few leaves as the marks allow. Texts take the keys of the texts in `keysFrom`,
 * in order.
 */
export const nodesFromTokens = (
  tokens: ReadonlyArray<Token>,
  keysFrom: InlineNodes,
  fingerprints: Fingerprints
): InlineNodes => {
  const texts = keysFrom.flatMap((node) => (node.object === "text" && node.key !== undefined ? [node.key] : []))
  const keys = texts.values()
  const nodes: Array<Inline | Text> = []
  let parts: Array<MarkedText> = []
  const closeText = () => {
    if (parts.length === 0) return
    const key = keys.next().value
    const leaves = joinByMarks(parts, fingerprints).map(({ marks, text }): Leaf => ({ object: "leaf", text, marks }))
    nodes.push({ object: "text", ...(key === undefined ? {} : { key }), leaves })
    parts = []
  }
  for (const token of tokens) {
    if ("parts" in token) {
      for (const part of token.parts) parts.push(part)
      continue
    }
    closeText()
    nodes.push(token.inline)
  }
  closeText()
  return nodes
}
