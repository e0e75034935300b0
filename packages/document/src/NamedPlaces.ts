/**
 * Names that authors gave places of a page by HTML: `<a id="old-name"></a>`, or `name` in its place. Pages that moved
 * here from elsewhere keep the anchors of headings so that were called otherwise before. Other programs name a heading
 * behind its text, `## Setup {#old-name}`: where that is text here (see `HeadingId`), it is found as well.
 *
 * Limits: of a piece of HTML its first 1,000 characters are read; a name has at most 200, and no white space.
 */
import type { Block, Inline, Node } from "./Document.ts"
import * as HtmlText from "./HtmlText.ts"

const maxHtml = 1_000
const maxBehind = 250
const place = /^<a(?=\s)[^<]*?\s(?:id|name)\s*=\s*(?:"([^"\s]{1,200})"|'([^'\s]{1,200})')/i

const none: ReadonlyArray<string> = []

const named = (html: unknown): ReadonlyArray<string> => {
  const match = typeof html === "string" ? place.exec(html.slice(0, maxHtml)) : null
  const name = match?.[1] ?? match?.[2]
  return name === undefined ? none : [name.toLowerCase()]
}

/** Names of places in the text of a block itself, or in its HTML, in small letters. */
export const ofBlock = ({ type, data, nodes }: Block): ReadonlyArray<string> => {
  if (type === "html") return named(data?.html)
  return nodes?.some(isHtml) === true ? nodes.filter(isHtml).flatMap((inline) => named(inline.data?.html)) : none
}

/** The signs of a comment are those of emphasis, too, and gone then. */
const behind = /\{(?::?[ \t]*#|\/\*?[ \t]*#?)([^\s{}#*/]{1,200})[ \t]*(?:\*?\/)?\}%?$/

/** The name that the text of a heading ends with, in small letters. */
export const ofHeading = (text: string): ReadonlyArray<string> => {
  const name = behind.exec(text.slice(-maxBehind).trimEnd())?.[1]
  return name === undefined ? none : [name.toLowerCase()]
}

const isHtml = (node: Node): node is Inline => node.object === "inline" && node.type === "html"

/** True of a block in which there is nothing to read, but for the places it names: HTML, or a paragraph of such. */
export const isUnseen = ({ type, data, nodes = [] }: Block): boolean =>
  type === "html"
    ? typeof data?.html === "string" && HtmlText.of(data.html).trim() === ""
    : type === "paragraph" && nodes.length > 0 && nodes.every(isUnread)

const isUnread = (node: Node): boolean =>
  isHtml(node) || (node.object === "text" && node.leaves.every(({ text }) => text.trim() === ""))
