/**
 * Checks the laws of the Markdown converter: printing reaches a fixpoint, and printed Markdown parses to the same
 * document.
 */
import type { Document } from "@lectern/document/Document"
import * as Markdown from "@lectern/document/markdown/Markdown"
import type { Style } from "@lectern/document/markdown/print/Style"
import { isDeepStrictEqual } from "node:util"

export const keys = () => {
  let last = 0
  return () => `k${++last}`
}

export const parse = (text: string): Markdown.ParsedMarkdown => Markdown.parse(text, { nextKey: keys() })

export const print = (parsed: Markdown.ParsedMarkdown): string => Markdown.print(parsed.document, parsed)

/** Returns the nodes of a document without keys. */
export const shape = (document: Document): unknown =>
  JSON.parse(JSON.stringify(document.nodes, (name, value: unknown) => (name === "key" ? undefined : value)))

/**
 * Parses a text, prints it in a style, and parses the result. Undefined if both documents are equal, otherwise an error
 * message.
 */
export const brokenByStyle = (text: string, style: Style): string | undefined => {
  const first = parse(text)
  const printed = Markdown.print(first.document, { ...first, style })
  const second = parse(printed)
  return isDeepStrictEqual(shape(first.document), shape(second.document)) && first.frontMatter === second.frontMatter
    ? undefined
    : `another document: ${JSON.stringify(text)} gave ${JSON.stringify(printed)}`
}

/** Undefined if a text keeps both laws, otherwise an error message. */
export const brokenLaw = (text: string): string | undefined => {
  const first = parse(text)
  const printed = print(first)
  const second = parse(printed)
  if (print(second) !== printed) return `not a fixpoint: ${JSON.stringify(text)} gave ${JSON.stringify(printed)}`
  if (!isDeepStrictEqual(shape(first.document), shape(second.document)) || first.frontMatter !== second.frontMatter) {
    return `another document: ${JSON.stringify(text)} gave ${JSON.stringify(printed)}`
  }
  return undefined
}
