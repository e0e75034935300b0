/** The blocks of a document as those that Markdown is written of. */
import type { Block, ContentRef, Document, Fragment } from "../Document.ts"
import * as DocumentText from "../DocumentText.ts"
import * as BlocksToHtml from "./BlocksToHtml.ts"
import * as HeadingId from "./HeadingId.ts"
import * as HighlightedCode from "./HighlightedCode.ts"
import * as HtmlTree from "./HtmlTree.ts"
import * as Inlines from "./InlinesToMarkdown.ts"
import * as InlinesToHtml from "./InlinesToHtml.ts"
import type * as Printed from "./print/Block.ts"
import * as TableToMarkdown from "./TableToMarkdown.ts"
import * as TagData from "./TagData.ts"
import { byType, otherwise, type Tag } from "./Tags.ts"
import * as Writers from "./Writer.ts"
import type { Writer } from "./Writer.ts"

type Written = Printed.Block

export const write = (document: Document, href: (ref: ContentRef) => string): ReadonlyArray<Written> => {
  const { writer, annotations } = Writers.make(document, href)
  const written = blocks(document.nodes, writer)
  // What explains text may itself have text that is explained.
  for (const { label, body } of annotations.added) {
    written.push({ type: "footnoteDefinition", label, blocks: blocks(body, writer) })
  }
  return written
}

const blocks = (nodes: Block["nodes"], writer: Writer): Array<Written> => {
  const out: Array<Written> = []
  for (const node of nodes ?? []) {
    if (node.object === "block") for (const written of block(node, writer)) out.push(written)
    else out.push({ type: "paragraph", phrases: Inlines.write([node], writer) })
  }
  return out
}

const block = (node: Block, writer: Writer): ReadonlyArray<Written> => {
  switch (node.type) {
    case "paragraph":
      return [aligned(node, writer) ?? { type: "paragraph", phrases: Inlines.write(node.nodes ?? [], writer) }]
    case "heading-1":
    case "heading-2":
    case "heading-3":
    case "heading-4":
    case "heading-5":
    case "heading-6":
      return [
        aligned(node, writer) ?? {
          type: "heading",
          depth: Number(node.type.slice(-1)),
          phrases: HeadingId.join(Inlines.write(node.nodes ?? [], writer), node.data?.id)
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
        ? [{ type: "code", language: "json", info: "", value: JSON.stringify(node.data ?? {}) }]
        : [{ type: "tag", line, blocks: undefined }]
    }
    case "divider":
      return [{ type: "thematicBreak" }]
    case "blockquote":
      return [{ type: "blockquote", blocks: blocks(node.nodes, writer) }]
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
      return [{ type: "definition", ...Writers.definitionOf(node, writer.urlOf) }]
    case "footnote-definition":
      return [{ type: "footnoteDefinition", label: text(node.data?.label), blocks: blocks(node.nodes, writer) }]
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

const list = (node: Block, writer: Writer): Written => {
  const items = (node.nodes ?? []).flatMap((item): ReadonlyArray<Printed.Item> => {
    if (item.object !== "block") return []
    const { checked, loose } = item.data ?? {}
    return [
      {
        checked: typeof checked === "boolean" ? checked : undefined,
        isLoose: loose === true,
        blocks: blocks(item.nodes, writer)
      }
    ]
  })
  const start = node.data?.start
  return {
    type: "list",
    start: node.type === "list-ordered" ? (typeof start === "number" ? start : 1) : undefined,
    isLoose: node.data?.loose === true,
    items
  }
}

const aligned = (node: Block, writer: Writer): Written | undefined => {
  const value = node.data?.align === undefined ? undefined : BlocksToHtml.alignedText(node, writer)
  return value === undefined ? undefined : { type: "html", value }
}

const images = (node: Block, writer: Writer): ReadonlyArray<Written> => {
  const found = (node.nodes ?? []).filter((image): image is Block => image.object === "block")
  if (found.length === 0) return []
  const [first] = found
  const data = node.data ?? {}
  const isFramed = data.align !== undefined || data.fullWidth !== undefined || data.withFrame !== undefined
  return found.length > 1 || isFramed || !BlocksToHtml.isPlain(first!)
    ? [{ type: "html", value: BlocksToHtml.images(data, found, writer) }]
    : [imageParagraph(first!, writer)]
}

const imageParagraph = (node: Block, writer: Writer): Written => {
  const caption = fragmentOf(node, "caption")
  const title = caption && BlocksToHtml.titleOf(caption)
  const data = title === undefined ? node.data : { ...node.data, title }
  return { type: "paragraph", phrases: [Inlines.image(data, writer)] }
}

const math = (formula: string): Written =>
  /^[ \t]*\$\$[ \t]*$/m.test(formula) || formula.includes("\r")
    ? { type: "code", language: "math", info: "", value: formula }
    : { type: "math", value: formula }

const expandable = (node: Block, writer: Writer): ReadonlyArray<Written> => {
  const html = (value: string): Written => ({ type: "html", value })
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

const codeBlock = (node: Block): Written => {
  const tag = byType.get("code")!
  if (HighlightedCode.isHighlighted(node)) {
    const { html, rest } = HighlightedCode.print(node)
    const code: Written = { type: "html", value: html }
    return Object.keys(rest).length === 0 ? code : { type: "tag", line: TagData.write(tag, rest, ""), blocks: [code] }
  }
  const { syntax, meta, ...data } = node.data ?? {}
  const lines = (node.nodes ?? []).map((line) =>
    line.object === "block" ? DocumentText.ofInlines(line.nodes ?? []) : ""
  )
  const code: Written = { type: "code", language: text(syntax), info: text(meta), value: lines.join("\n") }
  const line = TagData.write(tag, data, "")
  return line.attributes.length === 0 && data.attributes === undefined ? code : { type: "tag", line, blocks: [code] }
}

const tagBlock = (tag: Tag, node: Block, writer: Writer): Written => {
  const line = TagData.write(tag, node.data ?? {}, writer.urlOf(node.data))
  if (tag.body.kind === "none") return { type: "tag", line, blocks: undefined }
  if (tag.body.kind !== "fragment") {
    const children = blocks(node.nodes, writer)
    const others = node.type === "if" ? fragmentOf(node, otherwise) : undefined
    if (others !== undefined) {
      children.push({ type: "verbatim", value: `{% ${otherwise} %}` })
      for (const written of blocks(others.nodes, writer)) children.push(written)
    }
    return { type: "tag", line, blocks: children }
  }
  const body = fragmentOf(node, tag.body.name)
  return { type: "tag", line, blocks: body && blocks(body.nodes, writer) }
}

const fragmentOf = (node: Block, name: string): Fragment | undefined =>
  node.fragments?.find((fragment) => fragment.fragment === name || fragment.type === name)

const text = (value: unknown): string => (typeof value === "string" ? value : "")
