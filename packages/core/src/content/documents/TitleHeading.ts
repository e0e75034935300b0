/**
 * The title of a page as the first heading of its Markdown. The document does not contain the title. Markdown output
 * starts with it, and Markdown input may.
 */
import type { Block, Document, Node } from "@lectern/document/Document"
import { isPlain, plainText } from "@lectern/document/DocumentText"
import * as FrontMatter from "@lectern/document/markdown/FrontMatter"
import * as InvisibleHtml from "@lectern/document/InvisibleHtml"
import * as HeadingDepth from "@lectern/document/markdown/HeadingDepth"
import * as HeadingId from "@lectern/document/markdown/HeadingId"
import * as Markdown from "@lectern/document/markdown/Markdown"
import { toLine } from "@lectern/document/Text"

export const headingOf = (title: string): Block => ({
  object: "block",
  ...HeadingDepth.read(1),
  key: "title",
  nodes: [{ object: "text", leaves: [{ object: "leaf", text: title, marks: [] }] }]
})

/** Returns the Markdown of a page: the title as a heading, then the Markdown of the document. */
export const withTitleHeading = (title: string, markdown: string): string => {
  const heading = Markdown.print({ object: "document", data: {}, nodes: [headingOf(title)] })
  return markdown === "" ? heading : `${heading}\n${markdown}`
}

/** Returns the index of the first visible block, if this block is a heading of the title's level; else -1. */
const indexIn = ({ nodes }: Document): number => {
  const first = nodes.findIndex((block) => !isCommentBlock(block))
  return HeadingDepth.isTitle(nodes[first]) ? first : -1
}

/** True if a block holds only HTML comments and named anchors. */
const isCommentBlock = ({ type, data, nodes = [] }: Block): boolean => {
  if (type === "html") return typeof data?.html === "string" && InvisibleHtml.isInvisible(data.html)
  if (type !== "paragraph") return false
  return (
    nodes.length <= maxCommentNodes && nodes.every(isInvisible) && InvisibleHtml.isInvisible(nodes.map(htmlOf).join(""))
  )
}

const maxCommentNodes = 20

const htmlOf = (node: Node): string =>
  node.object === "inline" && node.type === "html" && typeof node.data?.html === "string" ? node.data.html : ""

const isInvisible = (node: Node): boolean =>
  node.object === "text" ? node.leaves.every(({ text }) => text.trim() === "") : htmlOf(node) !== ""

/** Returns the number of leading blocks that hold only HTML comments and named anchors. */
export const countLeadingComments = ({ nodes }: Document): number => {
  const count = nodes.findIndex((block) => !isCommentBlock(block))
  return count === -1 ? nodes.length : count
}

/** Returns the text of the document's first heading of the title's level. HTML comments may precede the heading. */
export const textIn = (document: Document): string | undefined => {
  const heading = document.nodes[indexIn(document)]
  return heading && textOf(heading)
}

/** Returns the text of a heading in the form of a title. */
export const textOf = (heading: Block): string => toLine(plainText(heading))

export interface RemoveTitleOptions {
  /** Source text of the document. */
  readonly text: string
  /**
   * True if a file preserves the heading's marks and formulas, so that the heading can be left out. Default: false, the
   * heading stays.
   */
  readonly isInFile?: boolean
}

/** A document without its title heading, the heading, and its former index. */
export interface TitleRemoval {
  readonly document: Document
  readonly heading?: Block
  readonly index?: number
}

/**
 * Returns the document without a first heading that only repeats the title. A heading with an id stays, except for an
 * id that another program appended to the heading's line.
 */
export const withoutTitle = (
  document: Document,
  title: string,
  { text, isInFile = false }: RemoveTitleOptions
): TitleRemoval => {
  const index = indexIn(document)
  const heading = document.nodes[index]
  if (heading === undefined || textOf(heading) !== toLine(title)) return { document }
  const { id, depth: _, ...otherData } = heading.data ?? {}
  const hasId = id !== undefined && !isAppendedId(id, text)
  const nodes = heading.nodes ?? []
  const hasOtherContent =
    hasId || Object.keys(otherData).length > 0 || !(isInFile ? nodes.every(isTitleNode) : isPlain(nodes))
  return hasOtherContent
    ? { document }
    : { document: { ...document, nodes: document.nodes.toSpliced(index, 1) }, heading, index }
}

/**
 * Returns true for text with marks, formulas and emoji, which a title contains as plain text. Pictures, links and HTML
 * carry more.
 */
const isTitleNode = (node: Node): boolean =>
  node.object === "text" || (node.object === "inline" && (node.type === "inline-math" || node.type === "emoji"))

/** Returns true if the first line of a text ends with this id in braces (see `HeadingId`). */
const isAppendedId = (id: unknown, text: string): boolean => {
  const body = FrontMatter.split(text.replace(/\r\n?/g, "\n")).body
  const line = firstLine.exec(InvisibleHtml.skipInvisible(body))?.[1] ?? ""
  return HeadingId.trailingBracesIn(line.replace(/[ \t]+#*[ \t]*$/, ""))?.id === id
}

const firstLine = /^\s*(\S[^\n]*)/
