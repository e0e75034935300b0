/** The blocks of a document as a syntax tree of Markdown. */
import type { BlockContent, Code, Definition, List, ListItem, PhrasingContent, Root, RootContent } from "mdast"
import type { Block, ContentRef, Data, Document, Fragment, Node } from "../Document.ts"
import * as DocumentText from "../DocumentText.ts"
import { isRef } from "../DocumentRefs.ts"
import { AnnotationFootnotes } from "./AnnotationFootnotes.ts"
import * as BlocksToHtml from "./BlocksToHtml.ts"
import * as HeadingId from "./HeadingId.ts"
import * as HtmlTree from "./HtmlTree.ts"
import * as Inlines from "./InlinesToMarkdown.ts"
import * as InlinesToHtml from "./InlinesToHtml.ts"
import { normalise } from "./LinkReferences.ts"
import * as TableToMarkdown from "./TableToMarkdown.ts"
import * as TagData from "./TagData.ts"
import type { TagLine } from "./TagLine.ts"
import { byType, otherwise, type Tag } from "./Tags.ts"

export interface Writer {
  readonly href: (ref: ContentRef) => string
  /** The URL of what data refers to. */
  readonly urlOf: (data: Data | undefined) => string
  readonly definition: (label: string) => Definition | undefined
  /** In the cell of a table, where a line break cannot be written as one. */
  readonly inCell: boolean
  /** Notes what explains a piece of text, for the end of the page; gives the label of the footnote. */
  readonly annotate: (label: unknown, body: ReadonlyArray<Block>) => string
}

/** A tag, and what stands in it if it has an end. */
export interface TagBlockNode {
  type: "tagBlock"
  line: TagLine
  children: Array<RootContent>
  hasEnd: boolean
}
export interface VerbatimNode {
  type: "verbatim"
  value: string
}

/** A formula on lines of its own. */
export interface MathNode {
  type: "math"
  value: string
}
export interface InlineMathNode {
  type: "inlineMath"
  value: string
}
export interface EmojiNode {
  type: "emoji"
  /** The code of it, as `Emoji` has it. */
  value: string
}

declare module "mdast" {
  interface PhrasingContentMap {
    inlineMath: InlineMathNode
    emoji: EmojiNode
  }
  interface RootContentMap {
    math: MathNode
    inlineMath: InlineMathNode
    emoji: EmojiNode
    tagBlock: TagBlockNode
    verbatim: VerbatimNode
  }
}

export const write = (document: Document, href: (ref: ContentRef) => string): Root => {
  const urlOf = (data: Data | undefined) =>
    isRef(data?.ref) ? href(data.ref) : typeof data?.url === "string" ? data.url : ""
  let definitions: Map<string, Definition> | undefined
  const annotations = new AnnotationFootnotes(document)
  const writer: Writer = {
    href,
    urlOf,
    definition: (label) => (definitions ??= definitionsOf(document, urlOf)).get(normalise(label)),
    inCell: false,
    annotate: (label, body) => annotations.add(label, body)
  }
  const children = blocks(document.nodes, writer)
  // What explains text may itself have text that is explained.
  for (const { label, body } of annotations.added) {
    const nodes = blocks(body, writer) as Array<BlockContent>
    children.push({ type: "footnoteDefinition", identifier: label, label, children: nodes })
  }
  return { type: "root", children }
}

const definitionsOf = (document: Document, urlOf: (data: Data | undefined) => string): Map<string, Definition> => {
  const found = new Map<string, Definition>()
  const open: Array<Node> = document.nodes.toReversed()
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.object !== "block") continue
    if (node.type === "definition") {
      const written = definition(node, urlOf)
      const label = normalise(written.identifier)
      if (!found.has(label)) found.set(label, written)
    }
    for (const { nodes } of (node.fragments ?? []).toReversed()) {
      for (const child of nodes.toReversed()) open.push(child)
    }
    for (const child of (node.nodes ?? []).toReversed()) open.push(child)
  }
  return found
}

const definition = (block: Block, urlOf: (data: Data | undefined) => string): Definition => {
  const label = text(block.data?.label)
  return {
    type: "definition",
    identifier: label,
    label,
    url: urlOf(block.data),
    title: text(block.data?.title) || null
  }
}

const blocks = (nodes: Block["nodes"], writer: Writer): Array<RootContent> => {
  const out: Array<RootContent> = []
  for (const node of nodes ?? []) {
    if (node.object === "block") for (const written of block(node, writer)) out.push(written)
    else out.push({ type: "paragraph", children: Inlines.write([node], writer) })
  }
  return out
}

const block = (node: Block, writer: Writer): ReadonlyArray<RootContent> => {
  switch (node.type) {
    case "paragraph":
      return [aligned(node, writer) ?? { type: "paragraph", children: Inlines.write(node.nodes ?? [], writer) }]
    case "heading-1":
    case "heading-2":
    case "heading-3":
    case "heading-4":
    case "heading-5":
    case "heading-6":
      return [
        aligned(node, writer) ?? {
          type: "heading",
          depth: Number(node.type.slice(-1)) as 1 | 2 | 3 | 4 | 5 | 6,
          children: HeadingId.join(Inlines.write(node.nodes ?? [], writer), node.data?.id)
        }
      ]
    case "math":
      return [math(text(node.data?.formula))]
    case "drawing":
      return [{ type: "html", value: BlocksToHtml.drawing(node, writer) }]
    case "expandable":
      return expandable(node, writer)
    case "integration": {
      const line = TagData.writeIntegration(node.data ?? {})
      // What can't be said in a tag is shown all the same.
      return line === undefined
        ? [{ type: "code", lang: "json", value: JSON.stringify(node.data ?? {}) }]
        : [{ type: "tagBlock", line, children: [], hasEnd: false }]
    }
    case "divider":
      return [{ type: "thematicBreak" }]
    case "blockquote":
      return [{ type: "blockquote", children: blocks(node.nodes, writer) as Array<BlockContent> }]
    case "list-ordered":
    case "list-unordered":
    case "list-tasks":
      return [list(node, writer)]
    case "images":
      return images(node, writer)
    case "html":
      return [{ type: "html", value: text(node.data?.html) }]
    case "verbatim":
      return [{ type: "verbatim", value: text(node.data?.markdown) }]
    case "definition":
      return [definition(node, writer.urlOf)]
    case "footnote-definition": {
      const label = text(node.data?.label)
      return [
        {
          type: "footnoteDefinition",
          identifier: label,
          label,
          children: blocks(node.nodes, writer) as Array<BlockContent>
        }
      ]
    }
    case "table":
      return [TableToMarkdown.write(node, writer)]
    case "code":
      return [codeBlock(node)]
    default: {
      const tag = byType.get(node.type)
      if (tag !== undefined) return [tagBlock(tag, node, writer)]
      // A block that Markdown has no form for leaves what can be read of it.
      return [...(node.fragments ?? []).flatMap(({ nodes }) => blocks(nodes, writer)), ...blocks(node.nodes, writer)]
    }
  }
}

const list = (node: Block, writer: Writer): List => {
  const items = (node.nodes ?? []).flatMap((item): Array<ListItem> => {
    if (item.object !== "block") return []
    const { checked, loose } = item.data ?? {}
    return [
      {
        type: "listItem",
        checked: typeof checked === "boolean" ? checked : null,
        spread: loose === true,
        children: blocks(item.nodes, writer) as Array<BlockContent>
      }
    ]
  })
  const start = node.data?.start
  return {
    type: "list",
    ordered: node.type === "list-ordered",
    start: node.type === "list-ordered" ? (typeof start === "number" ? start : 1) : null,
    spread: node.data?.loose === true,
    children: items
  }
}

const aligned = (node: Block, writer: Writer): RootContent | undefined => {
  const value = node.data?.align === undefined ? undefined : BlocksToHtml.alignedText(node, writer)
  return value === undefined ? undefined : { type: "html", value }
}

const images = (node: Block, writer: Writer): ReadonlyArray<RootContent> => {
  const found = (node.nodes ?? []).filter((image): image is Block => image.object === "block")
  if (found.length === 0) return []
  const [first] = found
  const data = node.data ?? {}
  const isFramed = data.align !== undefined || data.fullWidth !== undefined || data.withFrame !== undefined
  return found.length > 1 || isFramed || !BlocksToHtml.isPlain(first!)
    ? [{ type: "html", value: BlocksToHtml.images(data, found, writer) }]
    : [imageParagraph(first!, writer)]
}

const imageParagraph = (node: Block, writer: Writer): RootContent => {
  const caption = fragmentOf(node, "caption")
  const title = caption && BlocksToHtml.titleOf(caption)
  const data = title === undefined ? node.data : { ...node.data, title }
  return { type: "paragraph", children: [Inlines.image(data, writer)] as Array<PhrasingContent> }
}

const math = (formula: string): RootContent =>
  /^[ \t]*\$\$[ \t]*$/m.test(formula) || formula.includes("\r")
    ? { type: "code", lang: "math", value: formula }
    : { type: "math", value: formula }

const expandable = (node: Block, writer: Writer): ReadonlyArray<RootContent> => {
  const html = (value: string): RootContent => ({ type: "html", value })
  const title = (fragmentOf(node, "expandable-title")?.nodes ?? [])
    .map((line) => InlinesToHtml.write(line.nodes ?? [], writer))
    .join(" ")
  return [
    html(HtmlTree.tag("details", { open: node.data?.defaultExpanded === true ? true : undefined })),
    html(`<summary>${title}</summary>`),
    ...blocks(fragmentOf(node, "expandable-body")?.nodes, writer),
    html("</details>")
  ]
}

const codeBlock = (node: Block): RootContent => {
  const { syntax, meta, ...data } = node.data ?? {}
  const lines = (node.nodes ?? []).map((line) =>
    line.object === "block" ? DocumentText.ofInlines(line.nodes ?? []) : ""
  )
  const code: Code = { type: "code", lang: text(syntax) || null, meta: text(meta) || null, value: lines.join("\n") }
  const tag = byType.get("code")!
  const line = TagData.write(tag, data, "")
  return line.attributes.length === 0 && data.attributes === undefined
    ? code
    : { type: "tagBlock", line, children: [code], hasEnd: true }
}

const tagBlock = (tag: Tag, node: Block, writer: Writer): RootContent => {
  const line = TagData.write(tag, node.data ?? {}, writer.urlOf(node.data))
  if (tag.body.kind === "none") return { type: "tagBlock", line, children: [], hasEnd: false }
  if (tag.body.kind !== "fragment") {
    const children = blocks(node.nodes, writer)
    const others = node.type === "if" ? fragmentOf(node, otherwise) : undefined
    if (others !== undefined)
      children.push({ type: "verbatim", value: `{% ${otherwise} %}` }, ...blocks(others.nodes, writer))
    return { type: "tagBlock", line, children, hasEnd: true }
  }
  const body = fragmentOf(node, tag.body.name)
  return { type: "tagBlock", line, children: blocks(body?.nodes, writer), hasEnd: body !== undefined }
}

const fragmentOf = (node: Block, name: string): Fragment | undefined =>
  node.fragments?.find((fragment) => fragment.fragment === name || fragment.type === name)

const text = (value: unknown): string => (typeof value === "string" ? value : "")
