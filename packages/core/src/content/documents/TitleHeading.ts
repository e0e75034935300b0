/**
 * The title of a page as the first heading of its Markdown. It is the page's and not in its document, so what
 * is read begins with it, and what is written may.
 */
import type { Block, Document } from "@lectern/document/Document"
import { isPlain, plainText } from "@lectern/document/DocumentText"
import * as HeadingDepth from "@lectern/document/markdown/HeadingDepth"
import * as Markdown from "@lectern/document/markdown/Markdown"
import { inOneLine } from "@lectern/document/Text"

export const of = (title: string): Block => ({
  object: "block",
  ...HeadingDepth.read(1),
  key: "title",
  nodes: [{ object: "text", leaves: [{ object: "leaf", text: title, marks: [] }] }]
})

/** The Markdown of a document below the title. */
export const above = (title: string, markdown: string): string => {
  const heading = Markdown.print({ object: "document", data: {}, nodes: [of(title)] })
  return markdown === "" ? heading : `${heading}\n${markdown}`
}

/** The text of a heading like a title's that a document starts with. */
export const textIn = ({ nodes: [first] }: Document): string | undefined =>
  HeadingDepth.isTitle(first) ? textOf(first) : undefined

/** The text of a heading, as a title has it. */
export const textOf = (heading: Block): string => inOneLine(plainText(heading))

/** The document without a first heading that only says a title again. One with an id or marks stays. */
export const without = (document: Document, title: string): Document => {
  const [first, ...rest] = document.nodes
  if (first === undefined || textIn(document) !== inOneLine(title)) return document
  const saysMore = Object.keys(first.data ?? {}).length > 1 || !isPlain(first.nodes ?? [])
  return saysMore ? document : { ...document, nodes: rest }
}
