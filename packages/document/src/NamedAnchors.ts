/**
 * Names of positions in a page that authors set in HTML: `id` of any element, or `name` of `<a>`. Imported pages keep
 * earlier anchors of headings in this form. Other programs append the name of a heading to its text, as in `## Setup
 * {#old-name}`. Such a name also counts if it is plain text in the document (see `HeadingId`).
 *
 * Limits: the first 1,000 characters of a piece of HTML are read. A name has at most 200 characters and no white space.
 */
import * as Anchors from "./Anchors.ts"
import type { Block, Inline, Node } from "./Document.ts"
import * as HtmlText from "./HtmlText.ts"

const maxHtml = 1_000
const maxNameSuffix = 250
const openTag = /<([a-z][a-z\d-]*)(\s[^<>]*)/gi
const attribute = /\s(id|name)\s*=\s*(?:"([^"\s]{1,200})"|'([^'\s]{1,200})'|([^"'\s=>`]{1,200}))/gi

const noNames: ReadonlyArray<string> = []

/** Returns the names in a piece of HTML: `id` of any element, and `name` of `<a>` only. */
const namesIn = (html: unknown): ReadonlyArray<string> => {
  if (typeof html !== "string") return noNames
  return Array.from(html.slice(0, maxHtml).matchAll(openTag)).flatMap(([, tag = "", attributes = ""]) =>
    Array.from(attributes.matchAll(attribute)).flatMap(([, attribute = "", ...values]) =>
      attribute.toLowerCase() === "id" || tag.toLowerCase() === "a" ? values.filter(Boolean).map(normalizeName) : []
    )
  )
}

/** Normalizes a name, so that names that are equal in a URL compare as equal. */
const normalizeName = (text: string): string => Anchors.normalizeFragment(text).replace(/\s/g, "-")

/** Returns the normalized names in the HTML of a block, or in the HTML among its inlines. */
export const namesInBlock = ({ type, data, nodes }: Block): ReadonlyArray<string> => {
  if (type === "html") return namesIn(data?.html)
  return nodes?.some(isHtml) === true ? nodes.filter(isHtml).flatMap((inline) => namesIn(inline.data?.html)) : noNames
}

/** The asterisks of a comment may be missing, because they are also the syntax of emphasis. */
const nameSuffix = /\{(?::?[ \t]*#|\/\*?[ \t]*#?)([^\s{}#*/]{1,200})[ \t]*(?:\*?\/)?\}%?$/

/** Returns the normalized name at the end of the text of a heading, or an empty list. */
export const namesInHeading = (text: string): ReadonlyArray<string> => {
  const name = nameSuffix.exec(text.slice(-maxNameSuffix).trimEnd())?.[1]
  return name === undefined ? noNames : [normalizeName(name)]
}

const isHtml = (node: Node): node is Inline => node.object === "inline" && node.type === "html"

/** Returns true if a block has no visible content: HTML without text, or a paragraph with only HTML and white space. */
export const isInvisible = ({ type, data, nodes = [] }: Block): boolean =>
  type === "html"
    ? typeof data?.html === "string" && HtmlText.htmlText(data.html).trim() === ""
    : type === "paragraph" && nodes.length > 0 && nodes.every(isInvisibleNode)

const isInvisibleNode = (node: Node): boolean =>
  isHtml(node) || (node.object === "text" && node.leaves.every(({ text }) => text.trim() === ""))
