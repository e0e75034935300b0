/**
 * The title of a page as the first heading of its Markdown. It is the page's and not in its document, so what
 * is read begins with it, and what is written may.
 */
import type { Block, Document } from "@lectern/document/Document"
import { isPlain, plainText } from "@lectern/document/DocumentText"
import * as FrontMatter from "@lectern/document/markdown/FrontMatter"
import * as HeadingDepth from "@lectern/document/markdown/HeadingDepth"
import * as HeadingId from "@lectern/document/markdown/HeadingId"
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

/**
 * The document without a first heading that only says a title again. One with marks stays, or with an id but for those
 * that other programs write behind the titles of pages as well. `text`: what the document was read of.
 */
export const without = (document: Document, title: string, text: string): Document => {
  const [first, ...rest] = document.nodes
  if (first === undefined || textIn(document) !== inOneLine(title)) return document
  const { id, depth: _, ...more } = first.data ?? {}
  const hasId = id !== undefined && !isBehind(id, text)
  const saysMore = hasId || Object.keys(more).length > 0 || !isPlain(first.nodes ?? [])
  return saysMore ? document : { ...document, nodes: rest }
}

/** Tells whether the first line of a text ends with an id as `HeadingId` reads it by braces. */
const isBehind = (id: unknown, text: string): boolean => {
  const line = firstLine.exec(FrontMatter.split(text.replace(/\r\n?/g, "\n")).body)?.[1] ?? ""
  return HeadingId.behindIn(line.replace(/[ \t]+#*[ \t]*$/, ""))?.id === id
}

const firstLine = /^\s*(\S[^\n]*)/
