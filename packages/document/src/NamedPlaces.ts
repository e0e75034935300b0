/**
 * Names that authors gave to positions in a page by HTML: `id` of any element, or `name` of `<a>`. Imported pages keep
 * their earlier anchors of headings in this form. Other programs write the name of a heading after its text, `## Setup
 * {#old-name}`. Such a name is also found if it is plain text here (see `HeadingId`).
 *
 * Limits: the first 1,000 characters of a piece of HTML are read. A name has at most 200 characters and no white space.
 */
import * as Anchors from "./Anchors.ts"
import type { Block, Inline, Node } from "./Document.ts"
import * as HtmlText from "./HtmlText.ts"

const maxHtml = 1_000
const maxBehind = 250
const openTag = /<([a-z][a-z\d-]*)(\s[^<>]*)/gi
const attribute = /\s(id|name)\s*=\s*(?:"([^"\s]{1,200})"|'([^'\s]{1,200})'|([^"'\s=>`]{1,200}))/gi

const none: ReadonlyArray<string> = []

/** Returns the names in a piece of HTML: `id` of any element, and `name` of `<a>` only. */
const named = (html: unknown): ReadonlyArray<string> => {
  if (typeof html !== "string") return none
  return Array.from(html.slice(0, maxHtml).matchAll(openTag)).flatMap(([, tag = "", attributes = ""]) =>
    Array.from(attributes.matchAll(attribute)).flatMap(([, attribute = "", ...values]) =>
      attribute.toLowerCase() === "id" || tag.toLowerCase() === "a" ? values.filter(Boolean).map(nameOf) : []
    )
  )
}

/** Normalizes a name, so that names that are equal in a URL compare as equal. */
const nameOf = (text: string): string => Anchors.fold(text).replace(/\s/g, "-")

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
  return name === undefined ? none : [nameOf(name)]
}

const isHtml = (node: Node): node is Inline => node.object === "inline" && node.type === "html"

/** True of a block in which there is nothing to read, but for the places it names: HTML, or a paragraph of such. */
export const isUnseen = ({ type, data, nodes = [] }: Block): boolean =>
  type === "html"
    ? typeof data?.html === "string" && HtmlText.of(data.html).trim() === ""
    : type === "paragraph" && nodes.length > 0 && nodes.every(isUnread)

const isUnread = (node: Node): boolean =>
  isHtml(node) || (node.object === "text" && node.leaves.every(({ text }) => text.trim() === ""))
