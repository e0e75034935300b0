/** Converts the blocks of a document to blocks for serialization as Markdown. */
import type { Block, ContentRef, Document, Fragment } from "../Document.ts"
import * as DocumentText from "../DocumentText.ts"
import * as EmptyBlock from "../EmptyBlock.ts"
import * as HtmlReferences from "../html/HtmlReferences.ts"
import type { WrittenFootnotes } from "./AnnotationFootnotes.ts"
import * as BlocksToHtml from "./BlocksToHtml.ts"
import * as HeadingDepth from "./HeadingDepth.ts"
import * as HeadingId from "./HeadingId.ts"
import * as HighlightedCode from "./HighlightedCode.ts"
import * as HtmlTree from "./HtmlTree.ts"
import * as Inlines from "./InlinesToMarkdown.ts"
import * as InlinesToHtml from "./InlinesToHtml.ts"
import type * as Printed from "./print/Block.ts"
import * as TableToMarkdown from "./TableToMarkdown.ts"
import * as TagData from "./TagData.ts"
import * as Tags from "./Tags.ts"
import * as Writers from "./Writer.ts"
import type { Writer } from "./Writer.ts"
import { type BlockType, isBlockType } from "../vocabulary/BlockTypes.ts"

type Written = Printed.Block

const { otherwise } = Tags

export const write = (
  document: Document,
  whole: Document,
  href: (ref: ContentRef) => string,
  hasHtmlTables: boolean,
  footnotes?: WrittenFootnotes
): ReadonlyArray<Written> => {
  const { writer, annotations } = Writers.make(document, whole, href, hasHtmlTables, footnotes)
  const written = blocks(document.nodes, writer)
  // The body of an annotation may contain annotations, which extends the list during the loop.
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

type Write = (node: Block, writer: Writer) => ReadonlyArray<Written>

const block: Write = (node, writer) => (isBlockType(node.type) ? writers[node.type] : other)(node, writer)

/** Converts a block without a Markdown form to the blocks of its content. */
const other: Write = (node, writer) => [
  ...(node.fragments ?? []).flatMap(({ nodes }) => blocks(nodes, writer)),
  ...blocks(node.nodes, writer)
]

const paragraph: Write = (node, writer) => [
  aligned(node, writer) ?? { type: "paragraph", phrases: Inlines.write(node.nodes ?? [], writer) }
]

const heading: Write = (node, writer) => [
  aligned(node, writer) ?? {
    type: "heading",
    depth: HeadingDepth.of(node)!,
    phrases: HeadingId.join(Inlines.write(node.nodes ?? [], writer), node.data?.id)
  }
]

const integration: Write = ({ data = {} }) => {
  const line = TagData.writeIntegration(data)
  // Data that a tag cannot express is displayed as JSON.
  return line === undefined
    ? [{ type: "code", language: "json", info: "", value: JSON.stringify(data) }]
    : [{ type: "tag", line, blocks: undefined }]
}

const condition: Write = (node, writer) => {
  const written = blocks(node.nodes, writer)
  const others = fragmentOf(node, otherwise)
  if (others !== undefined) {
    written.push({ type: "verbatim", value: `{% ${otherwise} %}` })
    for (const each of blocks(others.nodes, writer)) written.push(each)
  }
  return [{ type: "tag", line: lineOf(node, writer), blocks: written }]
}

/** Converts a block to a tag, as its type specifies. */
const tagged: Write = (node, writer) => {
  const { body } = Tags.ofType(node.type as BlockType)
  const line = lineOf(node, writer)
  if (body.kind === "none") return [{ type: "tag", line, blocks: undefined }]
  if (body.kind !== "fragment")
    return [{ type: "tag", line, blocks: blocks(EmptyBlock.nonPlaceholderNodes(node), writer) }]
  const described = fragmentOf(node, body.name)
  return [{ type: "tag", line, blocks: described && blocks(described.nodes, writer) }]
}

const lineOf = (node: Block, writer: Writer) =>
  TagData.write(Tags.ofType(node.type as BlockType), node.data ?? {}, writer.urlOf(node.data))

const list: Write = (node, writer) => {
  const items = (node.nodes ?? []).flatMap((item): ReadonlyArray<Printed.Item> => {
    if (item.object !== "block") return []
    const { checked, loose } = item.data ?? {}
    return [
      {
        checked: typeof checked === "boolean" ? checked : undefined,
        isLoose: loose === true,
        // The checkbox of a task requires a paragraph after it.
        blocks: blocks(typeof checked === "boolean" ? item.nodes : EmptyBlock.nonPlaceholderNodes(item), writer)
      }
    ]
  })
  const start = node.data?.start
  return [
    {
      type: "list",
      start: node.type === "list-ordered" ? (typeof start === "number" ? start : 1) : undefined,
      isLoose: node.data?.loose === true,
      items
    }
  ]
}

const aligned = (node: Block, writer: Writer): Written | undefined => {
  const value = BlocksToHtml.alignedText(node, writer)
  return value === undefined ? undefined : { type: "html", value }
}

const images: Write = (node, writer) => {
  const found = (node.nodes ?? []).filter((image): image is Block => image.object === "block")
  if (found.length === 0) return []
  return BlocksToHtml.isFigure(node)
    ? [{ type: "html", value: BlocksToHtml.images(node.data ?? {}, found, writer) }]
    : [{ type: "paragraph", phrases: [Inlines.image(BlocksToHtml.titled(found[0]!), writer)] }]
}

const math: Write = ({ data }) => {
  const formula = text(data?.formula)
  return /^[ \t]*\$\$[ \t]*$/m.test(formula) || formula.includes("\r")
    ? [{ type: "code", language: "math", info: "", value: formula }]
    : [{ type: "math", value: formula }]
}

const expandable: Write = (node, writer) => {
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

const codeBlock: Write = (node) => {
  const tag = Tags.ofType("code")
  if (HighlightedCode.isHighlighted(node)) {
    const { html, rest } = HighlightedCode.print(node)
    const code: Written = { type: "html", value: html }
    return [Object.keys(rest).length === 0 ? code : { type: "tag", line: TagData.write(tag, rest, ""), blocks: [code] }]
  }
  const { syntax, meta, ...data } = node.data ?? {}
  const lines = (node.nodes ?? []).map((line) =>
    line.object === "block" ? DocumentText.inlinesText(line.nodes ?? []) : ""
  )
  const code: Written = { type: "code", language: text(syntax), info: text(meta), value: lines.join("\n") }
  const line = TagData.write(tag, data, "")
  return [line.attributes.length === 0 && data.attributes === undefined ? code : { type: "tag", line, blocks: [code] }]
}

const fragmentOf = (node: Block, name: string): Fragment | undefined =>
  node.fragments?.find((fragment) => fragment.fragment === name || fragment.type === name)

const text = (value: unknown): string => (typeof value === "string" ? value : "")

/**
 * Writers by block type. The writer of the parent handles types that exist only in one parent type, such as `image`.
 * Elsewhere only their content is written.
 */
const writers: { readonly [_ in BlockType]: Write } = {
  paragraph,
  "heading-1": heading,
  "heading-2": heading,
  "heading-3": heading,
  "list-ordered": list,
  "list-unordered": list,
  "list-tasks": list,
  "list-item": other,
  blockquote: ({ nodes }, writer) => [{ type: "blockquote", blocks: blocks(nodes, writer) }],
  divider: () => [{ type: "thematicBreak" }],
  hint: tagged,
  tabs: tagged,
  "tabs-item": tagged,
  stepper: tagged,
  "stepper-step": tagged,
  columns: tagged,
  column: tagged,
  updates: tagged,
  update: tagged,
  expandable,
  prompt: tagged,
  if: condition,
  "reusable-content": tagged,
  code: codeBlock,
  "code-line": other,
  math,
  images,
  image: other,
  drawing: (node, writer) => [{ type: "html", value: BlocksToHtml.drawing(node, writer) }],
  embed: tagged,
  file: tagged,
  "content-ref": tagged,
  swagger: tagged,
  "openapi-operation": tagged,
  "openapi-schemas": tagged,
  "openapi-webhook": tagged,
  integration,
  table: (node, writer) => [TableToMarkdown.write(node, writer)],
  html: ({ data }, writer) => [{ type: "html", value: HtmlReferences.printHtml(data, writer.href) }],
  verbatim: ({ data }) => [{ type: "verbatim", value: text(data?.markdown) }],
  definition: (node, writer) => [{ type: "definition", ...Writers.definitionOf(node, writer.urlOf) }],
  "footnote-definition": ({ data, nodes }, writer) => [
    { type: "footnoteDefinition", label: text(data?.label), blocks: blocks(nodes, writer) }
  ]
}
