/**
 * A short text that others wrote as Markdown, such as the description of a parameter, as parts of a line: text with
 * its marks, and links. One that says anything else (HTML, a picture, a list) is text as it stands.
 */
import type { Inline, Node, Text } from "../Document.ts"
import * as Markdown from "./Markdown.ts"

/** Without any of these a text is the same as Markdown. */
const special = /[`*_~[\]<>&\\{}$:|#!^=]|^\s*(?:[-+]|\d+[.)])|https?|www\.|@/

export const parse = (text: string): ReadonlyArray<Inline | Text> => {
  if (text === "") return []
  const asItIs: ReadonlyArray<Text> = [{ object: "text", leaves: [{ object: "leaf", text, marks: [] }] }]
  if (!special.test(text)) return asItIs
  let key = 0
  // Front matter is of pages.
  const { nodes } = Markdown.parse(`\n${text}`, { nextKey: () => String(++key) }).document
  const [only] = nodes
  if (nodes.length !== 1 || only?.type !== "paragraph") return asItIs
  const inside = only.nodes ?? []
  return isPhrase(inside) ? inside : asItIs
}

const isPhrase = (nodes: ReadonlyArray<Node>): nodes is ReadonlyArray<Inline | Text> =>
  nodes.every(
    (node) => node.object === "text" || (node.object === "inline" && node.type === "link" && isPhrase(node.nodes ?? []))
  )

/** The same without links: what stands where nothing is led to. */
export const withoutLinks = (nodes: ReadonlyArray<Node>): ReadonlyArray<Node> =>
  nodes.flatMap((node) => (node.object === "inline" && node.type === "link" ? withoutLinks(node.nodes ?? []) : [node]))
