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
import { type Field, namesOf } from "./vocabulary/Field.ts"
import { inlineTypes } from "./vocabulary/InlineTypes.ts"

/** Returns the visitor document, or the same object if nothing changes. */
export const of = (document: Document): Document => mapDocument(HtmlNodes.read(document), safe)

/**
 * Returns the visitor document without nodes of the type `element`, for consumers that know only the types of the
 * vocabulary.
 */
export const plain = (document: Document): Document => mapDocument(of(document), withoutElements)

/**
 * Returns the visitor document for printing as Markdown:
 *
 * - In text that Markdown contains without escapes, a space follows each `<` that would start a tag for parsers without
 *   Lectern's extensions.
 * - A link with an empty URL is replaced by its text, since such a link would lead to the page itself.
 */
export const forMarkdown = (document: Document): Document => mapDocument(plain(document), written)

/**
 * Matches a URL's scheme. Browsers ignore white space and control characters before it, and line breaks and tabs in it.
 */
const scheme = /^[^!-~\u0080-\uffff]*([a-z][a-z0-9+.\t\n\r-]*):/i
const running = new Set(["javascript", "jscript", "livescript", "mocha", "vbscript"])
const picture = /^\s*data:image\/(?:avif|gif|jpeg|png|webp)[;,]/i

/** Returns true if a browser that opens this URL could run a script. */
export const isUnsafe = (url: string): boolean =>
  unsafeAsWritten(url) || (url.includes("&") && unsafeAsWritten(HtmlText.decoded(url)))

const unsafeAsWritten = (url: string): boolean => {
  const name = scheme
    .exec(url)?.[1]
    ?.replace(/[\t\n\r]/g, "")
    .toLowerCase()
  return name !== undefined && (running.has(name) || (name === "data" && !picture.test(url)))
}

/** Returns the reference with an empty URL if its URL is unsafe. */
export const safeRef = <A>(ref: A): A =>
  isRef(ref) && ref.kind === "url" && isUnsafe(ref.url) ? { ...ref, url: "" } : ref

/** Data fields with text for people, which may start with any characters. */
const read = new Set([
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

// Documents and their data are at most 100 levels deep, so the recursion is bounded.
const valueOf = (value: unknown, name: string): unknown => {
  if (typeof value === "string") return !read.has(name) && isUnsafe(value) ? "" : value
  if (typeof value !== "object" || value === null) return value
  if (isRef(value)) return safeRef(value)
  if (Array.isArray(value)) return mapList<unknown>(value, (item) => valueOf(item, name))
  return dataOf(value as Data)
}

const dataOf = (data: Data): Data => mapFields(data, valueOf)

const namesByType = (is: (field: Field) => boolean): ReadonlyMap<string, ReadonlyArray<string>> =>
  new Map(
    [...Object.entries(blockTypes), ...Object.entries(inlineTypes)].flatMap(([type, { fields }]) => {
      const names = namesOf(fields, is)
      return names.length === 0 ? [] : [[type, names] as const]
    })
  )

const forMembers = namesByType(({ isForMembers }) => isForMembers === true)

const withoutOwn = (data: Data, type: string): Data => {
  const names = forMembers.get(type)
  return names?.some((name) => Object.hasOwn(data, name)) === true
    ? Object.fromEntries(Object.entries(data).filter(([name]) => !names.includes(name)))
    : data
}

/** Replacements for the parts of a document. */
interface Mapping {
  readonly block: (block: Block) => ReadonlyArray<Block>
  readonly inline: (inline: Inline) => ReadonlyArray<Node>
  readonly leaf: (leaf: Leaf) => Leaf
  readonly data: (data: Data, type: string) => Data
}

const safe: Mapping = {
  block: (block) => {
    switch (blockSpec(block.type).visitors) {
      case "code":
        return codeOf(block.key, DocumentText.ownLines(block).join("\n"))
      case "nothing":
        return []
    }
    const after = within(block, safe)
    return after !== block && after.type === "paragraph" && after.nodes?.length === 0 ? [] : [after]
  },
  inline: (inline) => {
    if (inline.type === "emoji" && !emojiCode.test(stringOf(inline.data?.code))) return []
    const ref = inline.data?.ref
    return inline.type === "link" && (safeRef(ref) !== ref || isUnsafe(stringOf(inline.data?.url)))
      ? flatMapList<Node>(inline.nodes ?? [], (node) => nodeOf(node, safe))
      : [within(inline, safe)]
  },
  leaf: (leaf) => {
    const marks = mapList(leaf.marks, (mark) => {
      const data = mark.data && dataOf(mark.data)
      return data === mark.data ? mark : { ...mark, data: data! }
    })
    return marks === leaf.marks ? leaf : { ...leaf, marks }
  },
  data: (data, type) => withoutOwn(dataOf(data), type)
}

const withoutElements: Mapping = {
  block: (block) => {
    const after = within(block, withoutElements)
    if (block.type !== "element") return [after]
    return (after.nodes ?? []).filter((node): node is Block => node.object === "block")
  },
  inline: (inline) => {
    const after = within(inline, withoutElements)
    return inline.type === "element" ? (after.nodes ?? []) : [after]
  },
  leaf: (leaf) => leaf,
  data: (data) => data
}

const written: Mapping = {
  block: (block) => [within(block, written)],
  inline: (inline) => {
    const ref = inline.data?.ref
    return inline.type === "link" && isRef(ref) && ref.kind === "url" && ref.url === ""
      ? flatMapList<Node>(inline.nodes ?? [], (node) => nodeOf(node, written))
      : [within(inline, written)]
  },
  leaf: (leaf) => leaf,
  data: (data, type) => {
    if (Tags.says(type)) return mapStrings(data, apart) as Data
    // Each type has at most one such field.
    const name = asWritten.get(type)?.[0]
    const value = name === undefined ? undefined : data[name]
    if (typeof value !== "string") return data
    const after = name === "label" ? value.replace(/[<>[\]]/g, "") : apart(value)
    return after === value ? data : { ...data, [name!]: after }
  }
}

const emojiCode = /^[\w+-]+$/

const apart = (text: string): string => text.replace(/<(?=[a-z/!?])/gi, "< ")

/** Fields of types without a tag that Markdown contains without escapes. */
const asWritten = namesByType(({ isWrittenAsIs }) => isWrittenAsIs === true)

const mapStrings = (value: unknown, f: (text: string) => string): unknown => {
  if (typeof value === "string") return f(value)
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return mapList<unknown>(value, (item) => mapStrings(item, f))
  return mapFields(value as Data, (field) => mapStrings(field, f))
}

const stringOf = (value: unknown): string => (typeof value === "string" ? value : "")

const codeOf = (key: string, text: string): ReadonlyArray<Block> =>
  text.trim() === ""
    ? []
    : [
        {
          object: "block",
          type: "code",
          key,
          data: { syntax: "markdown" },
          nodes: CodeLine.ofText(text, key)
        }
      ]

const mapDocument = (document: Document, mapping: Mapping): Document =>
  withNodes(document, flatMapList(document.nodes, mapping.block))

const within = <A extends Block | Inline>(node: A, mapping: Mapping): A =>
  withParts(node, {
    data: node.data && mapping.data(node.data, node.type),
    nodes: node.nodes && flatMapList<Node>(node.nodes, (child) => nodeOf(child, mapping)),
    fragments:
      node.fragments &&
      mapList(node.fragments, (fragment) => withNodes(fragment, flatMapList(fragment.nodes, mapping.block)))
  })

const nodeOf = (node: Node, mapping: Mapping): ReadonlyArray<Node> => {
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
