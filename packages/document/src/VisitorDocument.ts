/**
 * Converts a document to the form for visitors of a site: without raw HTML and without URLs that a browser would run.
 * Consumers need no sanitizer. Members, exports and Git receive the original document.
 *
 * - HTML is parsed, and its allowed part (see `SanitizedHtml`) becomes blocks and inlines. Nodes of the type `element`
 *   are for sites and PDFs; other consumers receive the content of these nodes. Comments are removed.
 * - A `verbatim` block becomes a code block.
 * - `javascript:`, `vbscript:` and `data:` URLs are removed, except `data:` URLs of raster images. A link is replaced
 *   by its text, and any other reference gets an empty URL.
 * - Fields that are for members only (the style of a figure) are removed.
 * - Link definitions are removed, since each link holds its target. An unused definition counts as a comment.
 */
import * as CodeLine from "./CodeLine.ts"
import type { Block, Data, Document, Inline, Leaf, Node } from "./Document.ts"
import { flatMapList, mapFields, mapList, withNodes, withParts } from "./DocumentMapping.ts"
import { isRef } from "./DocumentRefs.ts"
import * as DocumentText from "./DocumentText.ts"
import * as HtmlNodes from "./html/HtmlNodes.ts"
import * as HtmlText from "./HtmlText.ts"
import * as Tags from "./markdown/Tags.ts"
import { blockSpec, blockTypes } from "./vocabulary/BlockTypes.ts"
import { type Field, fieldNames } from "./vocabulary/Field.ts"
import { inlineTypes } from "./vocabulary/InlineTypes.ts"

/** Returns the visitor document, or the same object if nothing changes. */
export const visitorDocument = (document: Document): Document =>
  mapDocument(HtmlNodes.convertHtml(document), safeMapping)

/**
 * Returns the visitor document without nodes of the type `element`, for consumers that know only the types of the
 * vocabulary.
 */
export const plainVisitorDocument = (document: Document): Document =>
  mapDocument(visitorDocument(document), elementMapping)

/**
 * Returns the visitor document for printing as Markdown:
 *
 * - In text that Markdown contains without escapes, a space follows each `<` that would start a tag for parsers without
 *   Lectern's extensions.
 * - A link with an empty URL is replaced by its text, since such a link would lead to the page itself.
 */
export const markdownVisitorDocument = (document: Document): Document =>
  mapDocument(plainVisitorDocument(document), markdownMapping)

/**
 * Matches a URL's scheme. Browsers ignore white space and control characters before it, and line breaks and tabs in it.
 */
const scheme = /^[^!-~\u0080-\uffff]*([a-z][a-z0-9+.\t\n\r-]*):/i
const scriptSchemes = new Set(["javascript", "jscript", "livescript", "mocha", "vbscript"])
const rasterImageUrl = /^\s*data:image\/(?:avif|gif|jpeg|png|webp)[;,]/i

/** Returns true if a browser that opens this URL could run a script. */
export const isUnsafe = (url: string): boolean =>
  hasUnsafeScheme(url) || (url.includes("&") && hasUnsafeScheme(HtmlText.decodeReferences(url)))

const hasUnsafeScheme = (url: string): boolean => {
  const name = scheme
    .exec(url)?.[1]
    ?.replace(/[\t\n\r]/g, "")
    .toLowerCase()
  return name !== undefined && (scriptSchemes.has(name) || (name === "data" && !rasterImageUrl.test(url)))
}

/** Returns the reference with an empty URL if its URL is unsafe. */
export const safeRef = <A>(ref: A): A =>
  isRef(ref) && ref.kind === "url" && isUnsafe(ref.url) ? { ...ref, url: "" } : ref

/** Data fields with text for people, which may start with any characters. */
const textFields = new Set([
  "alt",
  "caption",
  "code",
  "description",
  "expression",
  "formula",
  "label",
  "name",
  "summary",
  "text",
  "title"
])

// Documents and their data are at most 100 levels deep, so the call stack cannot overflow.
const safeValue = (value: unknown, name: string): unknown => {
  if (typeof value === "string") return !textFields.has(name) && isUnsafe(value) ? "" : value
  if (typeof value !== "object" || value === null) return value
  if (isRef(value)) return safeRef(value)
  if (Array.isArray(value)) return mapList<unknown>(value, (item) => safeValue(item, name))
  return safeData(value as Data)
}

const safeData = (data: Data): Data => mapFields(data, safeValue)

const namesByType = (accepts: (field: Field) => boolean): ReadonlyMap<string, ReadonlyArray<string>> =>
  new Map(
    [...Object.entries(blockTypes), ...Object.entries(inlineTypes)].flatMap(([type, { fields }]) => {
      const names = fieldNames(fields, accepts)
      return names.length === 0 ? [] : [[type, names] as const]
    })
  )

const memberFields = namesByType(({ isMembersOnly }) => isMembersOnly === true)

const withoutMemberFields = (data: Data, type: string): Data => {
  const names = memberFields.get(type)
  return names?.some((name) => Object.hasOwn(data, name)) === true
    ? Object.fromEntries(Object.entries(data).filter(([name]) => !names.includes(name)))
    : data
}

/** Replacements for the parts of a document. */
interface NodeMapping {
  readonly block: (block: Block) => ReadonlyArray<Block>
  readonly inline: (inline: Inline) => ReadonlyArray<Node>
  readonly leaf: (leaf: Leaf) => Leaf
  readonly data: (data: Data, type: string) => Data
}

const safeMapping: NodeMapping = {
  block: (block) => {
    switch (blockSpec(block.type).visitorForm) {
      case "code":
        return codeBlock(block.key, DocumentText.ownLines(block).join("\n"))
      case "nothing":
        return []
    }
    const mappedBlock = mapParts(block, safeMapping)
    return mappedBlock !== block && mappedBlock.type === "paragraph" && mappedBlock.nodes?.length === 0
      ? []
      : [mappedBlock]
  },
  inline: (inline) => {
    if (inline.type === "emoji" && !emojiCode.test(stringOf(inline.data?.code))) return []
    const ref = inline.data?.ref
    return inline.type === "link" && (safeRef(ref) !== ref || isUnsafe(stringOf(inline.data?.url)))
      ? flatMapList<Node>(inline.nodes ?? [], (node) => mapNode(node, safeMapping))
      : [mapParts(inline, safeMapping)]
  },
  leaf: (leaf) => {
    const marks = mapList(leaf.marks, (mark) => {
      const data = mark.data && safeData(mark.data)
      return data === mark.data ? mark : { ...mark, data: data! }
    })
    return marks === leaf.marks ? leaf : { ...leaf, marks }
  },
  data: (data, type) => withoutMemberFields(safeData(data), type)
}

const elementMapping: NodeMapping = {
  block: (block) => {
    const mapped = mapParts(block, elementMapping)
    if (block.type !== "element") return [mapped]
    return (mapped.nodes ?? []).filter((node): node is Block => node.object === "block")
  },
  inline: (inline) => {
    const mapped = mapParts(inline, elementMapping)
    return inline.type === "element" ? (mapped.nodes ?? []) : [mapped]
  },
  leaf: (leaf) => leaf,
  data: (data) => data
}

const markdownMapping: NodeMapping = {
  block: (block) => [mapParts(block, markdownMapping)],
  inline: (inline) => {
    const ref = inline.data?.ref
    return inline.type === "link" && isRef(ref) && ref.kind === "url" && ref.url === ""
      ? flatMapList<Node>(inline.nodes ?? [], (node) => mapNode(node, markdownMapping))
      : [mapParts(inline, markdownMapping)]
  },
  leaf: (leaf) => leaf,
  data: (data, type) => {
    if (Tags.hasTag(type)) return mapStrings(data, separateTags) as Data
    // Each type has at most one such field.
    const name = unescapedFields.get(type)?.[0]
    const value = name === undefined ? undefined : data[name]
    if (typeof value !== "string") return data
    const mapped = name === "label" ? value.replace(/[<>[\]]/g, "") : separateTags(value)
    return mapped === value ? data : { ...data, [name!]: mapped }
  }
}

const emojiCode = /^[\w+-]+$/

const separateTags = (text: string): string => text.replace(/<(?=[a-z/!?])/gi, "< ")

/** Fields of types without a tag that Markdown contains without escapes. */
const unescapedFields = namesByType(({ isUnescaped }) => isUnescaped === true)

const mapStrings = (value: unknown, f: (text: string) => string): unknown => {
  if (typeof value === "string") return f(value)
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return mapList<unknown>(value, (item) => mapStrings(item, f))
  return mapFields(value as Data, (field) => mapStrings(field, f))
}

const stringOf = (value: unknown): string => (typeof value === "string" ? value : "")

const codeBlock = (key: string, text: string): ReadonlyArray<Block> =>
  text.trim() === ""
    ? []
    : [
        {
          object: "block",
          type: "code",
          key,
          data: { syntax: "markdown" },
          nodes: CodeLine.codeLines(text, key)
        }
      ]

const mapDocument = (document: Document, mapping: NodeMapping): Document =>
  withNodes(document, flatMapList(document.nodes, mapping.block))

const mapParts = <A extends Block | Inline>(node: A, mapping: NodeMapping): A =>
  withParts(node, {
    data: node.data && mapping.data(node.data, node.type),
    nodes: node.nodes && flatMapList<Node>(node.nodes, (child) => mapNode(child, mapping)),
    fragments:
      node.fragments &&
      mapList(node.fragments, (fragment) => withNodes(fragment, flatMapList(fragment.nodes, mapping.block)))
  })

const mapNode = (node: Node, mapping: NodeMapping): ReadonlyArray<Node> => {
  switch (node.object) {
    case "block":
      return mapping.block(node)
    case "inline":
      return mapping.inline(node)
    case "text": {
      const leaves = mapList(node.leaves, mapping.leaf)
      return [leaves === node.leaves ? node : { ...node, leaves }]
    }
  }
}
