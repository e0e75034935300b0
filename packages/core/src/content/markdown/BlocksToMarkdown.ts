/** The blocks of a document as a syntax tree of Markdown. */
import type { BlockContent, Code, Definition, List, ListItem, PhrasingContent, Root, RootContent } from "mdast"
import type { Block, ContentRef, Data, Document, Fragment, Node } from "../Document.ts"
import * as DocumentText from "../DocumentText.ts"
import { isRef } from "../DocumentRefs.ts"
import * as HeadingId from "./HeadingId.ts"
import * as Inlines from "./InlinesToMarkdown.ts"
import { normalise } from "./LinkReferences.ts"
import * as TableToMarkdown from "./TableToMarkdown.ts"
import type { TagLine } from "./TagLine.ts"
import { byType, type Tag } from "./Tags.ts"

export interface Writer {
  readonly href: (ref: ContentRef) => string
  /** The URL of what data refers to. */
  readonly urlOf: (data: Data | undefined) => string
  readonly definition: (label: string) => Definition | undefined
  /** In the cell of a table, where a line break cannot be written as one. */
  readonly inCell: boolean
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

declare module "mdast" {
  interface RootContentMap {
    tagBlock: TagBlockNode
    verbatim: VerbatimNode
  }
}

export const write = (document: Document, href: (ref: ContentRef) => string): Root => {
  const urlOf = (data: Data | undefined) =>
    isRef(data?.ref) ? href(data.ref) : typeof data?.url === "string" ? data.url : ""
  let definitions: Map<string, Definition> | undefined
  const writer: Writer = {
    href,
    urlOf,
    definition: (label) => (definitions ??= definitionsOf(document, urlOf)).get(normalise(label)),
    inCell: false
  }
  return { type: "root", children: blocks(document.nodes, writer) }
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
      return [{ type: "paragraph", children: Inlines.write(node.nodes ?? [], writer) }]
    case "heading-1":
    case "heading-2":
    case "heading-3":
    case "heading-4":
    case "heading-5":
    case "heading-6":
      return [
        {
          type: "heading",
          depth: Number(node.type.slice(-1)) as 1 | 2 | 3 | 4 | 5 | 6,
          children: HeadingId.join(Inlines.write(node.nodes ?? [], writer), node.data?.id)
        }
      ]
    case "divider":
      return [{ type: "thematicBreak" }]
    case "blockquote":
      return [{ type: "blockquote", children: blocks(node.nodes, writer) as Array<BlockContent> }]
    case "list-ordered":
    case "list-unordered":
    case "list-tasks":
      return [list(node, writer)]
    case "images":
      return (node.nodes ?? []).flatMap((image) => (image.object === "block" ? [imageParagraph(image, writer)] : []))
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

const imageParagraph = (node: Block, writer: Writer): RootContent => {
  const caption = fragmentOf(node, "caption")?.nodes.map(DocumentText.plainText).join(" ")
  const data = caption === undefined ? node.data : { ...node.data, title: caption }
  return { type: "paragraph", children: [Inlines.image(data, writer)] as Array<PhrasingContent> }
}

const codeBlock = (node: Block): RootContent => {
  const { syntax, meta, ...data } = node.data ?? {}
  const lines = (node.nodes ?? []).map((line) =>
    line.object === "block" ? DocumentText.ofInlines(line.nodes ?? []) : ""
  )
  const code: Code = { type: "code", lang: text(syntax) || null, meta: text(meta) || null, value: lines.join("\n") }
  const tag = byType.get("code")!
  const line = lineOf(tag, data, undefined)
  return line.attributes.length === 0 && data.attributes === undefined
    ? code
    : { type: "tagBlock", line, children: [code], hasEnd: true }
}

const tagBlock = (tag: Tag, node: Block, writer: Writer): RootContent => {
  const url = tag.ref && writer.urlOf(node.data)
  const line = lineOf(tag, node.data ?? {}, url)
  if (tag.body.kind !== "fragment") {
    return { type: "tagBlock", line, children: blocks(node.nodes, writer), hasEnd: true }
  }
  const body = fragmentOf(node, tag.body.name)
  return { type: "tagBlock", line, children: blocks(body?.nodes, writer), hasEnd: body !== undefined }
}

const lineOf = (tag: Tag, data: Data, url: string | undefined): TagLine => {
  const attributes: Array<readonly [string, string]> = []
  if (tag.ref !== undefined) attributes.push([tag.ref.attribute, url ?? ""])
  for (const [name, kind] of Object.entries(tag.attributes)) {
    const value = data[name]
    if (kind === "boolean" ? typeof value === "boolean" : typeof value === "string")
      attributes.push([name, String(value)])
  }
  if (typeof data.attributes === "object" && data.attributes !== null) {
    for (const [name, value] of Object.entries(data.attributes)) {
      if (typeof value === "string" && /^[a-zA-Z][\w-]*$/.test(name)) attributes.push([name, value])
    }
  }
  return { name: tag.name, attributes }
}

const fragmentOf = (node: Block, name: string): Fragment | undefined =>
  node.fragments?.find((fragment) => fragment.fragment === name || fragment.type === name)

const text = (value: unknown): string => (typeof value === "string" ? value : "")
