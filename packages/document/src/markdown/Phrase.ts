/**
 * Parses a short Markdown text from another source, such as the description of a parameter, as inlines: text with
 * marks, and links. A text with other content (HTML, an image, a list) is returned as unparsed text.
 */
import type { Inline, Node, Text } from "../Document.ts"
import * as Markdown from "./Markdown.ts"

/** Text without a match contains no Markdown syntax. */
const syntaxCharacters = /[`*_~[\]<>&\\{}$:|#!^=]|^\s*(?:[-+]|\d+[.)])|https?|www\.|@/

export const parse = (text: string): ReadonlyArray<Inline | Text> => {
  if (text === "") return []
  const plainText: ReadonlyArray<Text> = [{ object: "text", leaves: [{ object: "leaf", text, marks: [] }] }]
  if (!syntaxCharacters.test(text)) return plainText
  let key = 0
  // The line feed prevents the parser from reading front matter, which only pages have.
  const { nodes } = Markdown.parse(`\n${text}`, { nextKey: () => String(++key) }).document
  const [only] = nodes
  if (nodes.length !== 1 || only?.type !== "paragraph") return plainText
  const inlines = only.nodes ?? []
  return isPhrase(inlines) ? inlines : plainText
}

const isPhrase = (nodes: ReadonlyArray<Node>): nodes is ReadonlyArray<Inline | Text> =>
  nodes.every(
    (node) => node.object === "text" || (node.object === "inline" && node.type === "link" && isPhrase(node.nodes ?? []))
  )

/** Replaces links by their text, for output without links. */
export const withoutLinks = (nodes: ReadonlyArray<Node>): ReadonlyArray<Node> =>
  nodes.flatMap((node) => (node.object === "inline" && node.type === "link" ? withoutLinks(node.nodes ?? []) : [node]))
