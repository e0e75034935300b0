/** Converts the blocks of a document to blocks for serialization as Markdown. */
import type { Block, ContentRef, Document, Fragment } from "../Document.ts"
import * as DocumentText from "../DocumentText.ts"
import * as EmptyBlock from "../EmptyBlock.ts"
import * as HtmlReferences from "../html/HtmlReferences.ts"
import type { ExistingFootnotes } from "./AnnotationFootnotes.ts"
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

type PrintedBlock = Printed.Block

const { elseTag } = Tags

export const write = (
  document: Document,
  contextDocument: Document,
  href: (ref: ContentRef) => string,
  hasHtmlTables: boolean,
  footnotes?: ExistingFootnotes
): ReadonlyArray<PrintedBlock> => {
  const { writer, annotations } = Writers.createWriter(document, contextDocument, href, hasHtmlTables, footnotes)
  const printedBlocks = blocks(document.nodes, writer)
  // The body of an annotation may contain annotations, which extends the list during the loop.
  for (const { label, body } of annotations.added) {
    printedBlocks.push({ type: "footnoteDefinition", label, blocks: blocks(body, writer) })
  }
  return printedBlocks
}

const blocks = (nodes: Block["nodes"], writer: Writer): Array<PrintedBlock> => {
  const result: Array<PrintedBlock> = []
  for (const node of nodes ?? []) {
    if (node.object === "block") for (const printedBlock of block(node, writer)) result.push(printedBlock)
    else result.push({ type: "paragraph", phrases: Inlines.write([node], writer) })
  }
  return result
}

type BlockConverter = (node: Block, writer: Writer) => ReadonlyArray<PrintedBlock>

const block: BlockConverter = (node, writer) =>
  (isBlockType(node.type) ? converters[node.type] : convertContent)(node, writer)

/** Converts a block without a Markdown form to the blocks of its content. */
const convertContent: BlockConverter = (node, writer) => [
  ...(node.fragments ?? []).flatMap(({ nodes }) => blocks(nodes, writer)),
  ...blocks(node.nodes, writer)
]

const paragraph: BlockConverter = (node, writer) => [
  aligned(node, writer) ?? { type: "paragraph", phrases: Inlines.write(node.nodes ?? [], writer) }
]

const heading: BlockConverter = (node, writer) => [
  aligned(node, writer) ?? {
    type: "heading",
    depth: HeadingDepth.depthOf(node)!,
    phrases: HeadingId.join(Inlines.write(node.nodes ?? [], writer), node.data?.id)
  }
]

const integration: BlockConverter = ({ data = {} }) => {
  const line = TagData.writeIntegration(data)
  // Data that a tag cannot express is displayed as JSON.
  return line === undefined
    ? [{ type: "code", language: "json", info: "", value: JSON.stringify(data) }]
    : [{ type: "tag", line, blocks: undefined }]
}

const condition: BlockConverter = (node, writer) => {
  const conditionBlocks = blocks(node.nodes, writer)
  const elseFragment = fragmentOf(node, elseTag)
  if (elseFragment !== undefined) {
    conditionBlocks.push({ type: "verbatim", value: `{% ${elseTag} %}` })
    for (const block of blocks(elseFragment.nodes, writer)) conditionBlocks.push(block)
  }
  return [{ type: "tag", line: tagLineOf(node, writer), blocks: conditionBlocks }]
}

/** Converts a block to a tag, as its type specifies. */
const convertTagged: BlockConverter = (node, writer) => {
  const { body } = Tags.tagOfType(node.type as BlockType)
  const line = tagLineOf(node, writer)
  if (body.kind === "none") return [{ type: "tag", line, blocks: undefined }]
  if (body.kind !== "fragment")
    return [{ type: "tag", line, blocks: blocks(EmptyBlock.nonPlaceholderNodes(node), writer) }]
  const descriptionFragment = fragmentOf(node, body.name)
  return [{ type: "tag", line, blocks: descriptionFragment && blocks(descriptionFragment.nodes, writer) }]
}

const tagLineOf = (node: Block, writer: Writer) =>
  TagData.write(Tags.tagOfType(node.type as BlockType), node.data ?? {}, writer.urlOfData(node.data))

const list: BlockConverter = (node, writer) => {
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

const aligned = (node: Block, writer: Writer): PrintedBlock | undefined => {
  const value = BlocksToHtml.alignedText(node, writer)
  return value === undefined ? undefined : { type: "html", value }
}

const images: BlockConverter = (node, writer) => {
  const imageBlocks = (node.nodes ?? []).filter((image): image is Block => image.object === "block")
  if (imageBlocks.length === 0) return []
  return BlocksToHtml.isFigure(node)
    ? [{ type: "html", value: BlocksToHtml.images(node.data ?? {}, imageBlocks, writer) }]
    : [{ type: "paragraph", phrases: [Inlines.image(BlocksToHtml.withCaptionAsTitle(imageBlocks[0]!), writer)] }]
}

const math: BlockConverter = ({ data }) => {
  const formula = text(data?.formula)
  return /^[ \t]*\$\$[ \t]*$/m.test(formula) || formula.includes("\r")
    ? [{ type: "code", language: "math", info: "", value: formula }]
    : [{ type: "math", value: formula }]
}

const expandable: BlockConverter = (node, writer) => {
  const html = (value: string): PrintedBlock => ({ type: "html", value })
  const title = (fragmentOf(node, "expandable-title")?.nodes ?? [])
    .map((line) => InlinesToHtml.write(line.nodes ?? [], writer))
    .join(" ")
  return [
    html(HtmlTree.openTag("details", { open: node.data?.defaultExpanded === true ? true : undefined })),
    html(`<summary>${title}</summary>`),
    ...blocks(fragmentOf(node, "expandable-body")?.nodes, writer),
    html("</details>")
  ]
}

const codeBlock: BlockConverter = (node) => {
  const tag = Tags.tagOfType("code")
  if (HighlightedCode.isHighlighted(node)) {
    const { html, otherData } = HighlightedCode.print(node)
    const code: PrintedBlock = { type: "html", value: html }
    return [
      Object.keys(otherData).length === 0
        ? code
        : { type: "tag", line: TagData.write(tag, otherData, ""), blocks: [code] }
    ]
  }
  const { syntax, meta, ...data } = node.data ?? {}
  const lines = (node.nodes ?? []).map((line) =>
    line.object === "block" ? DocumentText.inlinesText(line.nodes ?? []) : ""
  )
  const code: PrintedBlock = { type: "code", language: text(syntax), info: text(meta), value: lines.join("\n") }
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
const converters: { readonly [_ in BlockType]: BlockConverter } = {
  paragraph,
  "heading-1": heading,
  "heading-2": heading,
  "heading-3": heading,
  "list-ordered": list,
  "list-unordered": list,
  "list-tasks": list,
  "list-item": convertContent,
  blockquote: ({ nodes }, writer) => [{ type: "blockquote", blocks: blocks(nodes, writer) }],
  divider: () => [{ type: "thematicBreak" }],
  hint: convertTagged,
  tabs: convertTagged,
  "tabs-item": convertTagged,
  stepper: convertTagged,
  "stepper-step": convertTagged,
  columns: convertTagged,
  column: convertTagged,
  updates: convertTagged,
  update: convertTagged,
  expandable,
  prompt: convertTagged,
  if: condition,
  "reusable-content": convertTagged,
  code: codeBlock,
  "code-line": convertContent,
  math,
  images,
  image: convertContent,
  drawing: (node, writer) => [{ type: "html", value: BlocksToHtml.drawingElement(node, writer) }],
  embed: convertTagged,
  file: convertTagged,
  "content-ref": convertTagged,
  swagger: convertTagged,
  "openapi-operation": convertTagged,
  "openapi-schemas": convertTagged,
  "openapi-webhook": convertTagged,
  integration,
  table: (node, writer) => [TableToMarkdown.write(node, writer)],
  html: ({ data }, writer) => [{ type: "html", value: HtmlReferences.printHtml(data, writer.urlOfRef) }],
  verbatim: ({ data }) => [{ type: "verbatim", value: text(data?.markdown) }],
  definition: (node, writer) => [{ type: "definition", ...Writers.linkDefinition(node, writer.urlOfData) }],
  "footnote-definition": ({ data, nodes }, writer) => [
    { type: "footnoteDefinition", label: text(data?.label), blocks: blocks(nodes, writer) }
  ]
}
