/** Serializes the blocks of a cell as HTML elements around inlines, for HTML tables and Markdown tables. */
import type { Block, Node } from "../Document.ts"
import * as DocumentText from "../DocumentText.ts"
import * as HeadingDepth from "./HeadingDepth.ts"
import * as HighlightedCode from "./HighlightedCode.ts"
import { type BlockType, isBlockType } from "../vocabulary/BlockTypes.ts"

/** HTML, or inlines. */
export type CellPart = string | ReadonlyArray<Node>

/** Returns the parts of a cell. A single paragraph has no element. */
export const cellParts = (nodes: ReadonlyArray<Block>): ReadonlyArray<CellPart> => {
  const [first] = nodes
  return nodes.length === 1 && first!.type === "paragraph" ? [first!.nodes ?? []] : nodes.flatMap(block)
}

/** True if the cell of a Markdown table can express all data of the blocks. */
export const fitsMarkdownCell = (nodes: ReadonlyArray<Block>): boolean =>
  nodes.every(({ type, data = {}, nodes: children = [] }) => {
    const hasNoOtherData = Object.keys(data).every((name) => data[name] === undefined || name === expressedField[type])
    if (!hasNoOtherData) return false
    if (type === "paragraph" || HeadingDepth.depthOf({ type } as Block) !== undefined) return true
    const isList = type === "list-ordered" || type === "list-unordered"
    return (isList || type === "list-item") && fitsMarkdownCell(children as ReadonlyArray<Block>)
  })

/** Data field that the element of a type expresses. */
const expressedField: { readonly [type: string]: string } = {
  "list-ordered": "start",
  "heading-1": "depth",
  "heading-3": "depth"
}

type PartWriter = (node: Block) => ReadonlyArray<CellPart>

const block: PartWriter = (node) => (isBlockType(node.type) ? writers[node.type] : writePlainText)(node)

const element =
  (name: string): PartWriter =>
  ({ nodes = [] }) => [`<${name}>`, nodes, `</${name}>`]

const list =
  (name: string): PartWriter =>
  ({ data, nodes = [] }) => {
    const start = typeof data?.start === "number" && data.start > 1 ? ` start="${data.start}"` : ""
    const items = nodes.flatMap((item) =>
      item.object === "block" ? ["<li>", ...cellParts(childBlocks(item)), "</li>"] : []
    )
    return [`<${name}${start}>`, ...items, `</${name}>`]
  }

const paragraph = element("p")

const heading: PartWriter = (node) => element(`h${HeadingDepth.depthOf(node)}`)(node)

/** Escapes line feeds, since an empty line would end the table. */
const code: PartWriter = (node) => [HighlightedCode.print(node).html.replaceAll("\n", "&#10;")]

/** Converts a block that a cell cannot contain to its text. */
const writePlainText: PartWriter = (node) =>
  (node.nodes ?? []).some((child) => child.object !== "block")
    ? paragraph(node)
    : ["<p>", textNodes(DocumentText.plainText(node)), "</p>"]

const textNodes = (text: string): ReadonlyArray<Node> => [
  { object: "text", leaves: [{ object: "leaf", text, marks: [] }] }
]

/** Cell writers by block type. */
const writers: { readonly [_ in BlockType]: PartWriter } = {
  paragraph,
  "heading-1": heading,
  "heading-2": heading,
  "heading-3": heading,
  "list-ordered": list("ol"),
  "list-unordered": list("ul"),
  "list-tasks": writePlainText,
  "list-item": writePlainText,
  blockquote: writePlainText,
  divider: writePlainText,
  hint: writePlainText,
  tabs: writePlainText,
  "tabs-item": writePlainText,
  stepper: writePlainText,
  "stepper-step": writePlainText,
  columns: writePlainText,
  column: writePlainText,
  updates: writePlainText,
  update: writePlainText,
  expandable: writePlainText,
  prompt: writePlainText,
  if: writePlainText,
  "reusable-content": writePlainText,
  code,
  "code-line": writePlainText,
  math: writePlainText,
  images: writePlainText,
  image: writePlainText,
  drawing: writePlainText,
  embed: writePlainText,
  file: writePlainText,
  "content-ref": writePlainText,
  swagger: writePlainText,
  "openapi-operation": writePlainText,
  "openapi-schemas": writePlainText,
  "openapi-webhook": writePlainText,
  integration: writePlainText,
  table: writePlainText,
  html: writePlainText,
  verbatim: writePlainText,
  definition: writePlainText,
  "footnote-definition": writePlainText
}

const childBlocks = ({ nodes = [] }: Block): ReadonlyArray<Block> =>
  nodes.filter((node): node is Block => node.object === "block")
