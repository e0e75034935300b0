/** Serializes the blocks of a cell as HTML elements around inlines, for HTML tables and Markdown tables. */
import type { Block, Node } from "../Document.ts"
import * as DocumentText from "../DocumentText.ts"
import * as HeadingDepth from "./HeadingDepth.ts"
import * as HighlightedCode from "./HighlightedCode.ts"
import { type BlockType, isBlockType } from "../vocabulary/BlockTypes.ts"

/** HTML, or inlines. */
export type Part = string | ReadonlyArray<Node>

/** Returns the parts of a cell. A single paragraph has no element. */
export const of = (nodes: ReadonlyArray<Block>): ReadonlyArray<Part> => {
  const [first] = nodes
  return nodes.length === 1 && first!.type === "paragraph" ? [first!.nodes ?? []] : nodes.flatMap(block)
}

/** True if the cell of a Markdown table can express all data of the blocks. */
export const isLine = (nodes: ReadonlyArray<Block>): boolean =>
  nodes.every(({ type, data = {}, nodes: inside = [] }) => {
    const isBare = Object.keys(data).every((name) => data[name] === undefined || name === said[type])
    if (!isBare) return false
    if (type === "paragraph" || HeadingDepth.of({ type } as Block) !== undefined) return true
    const isList = type === "list-ordered" || type === "list-unordered"
    return (isList || type === "list-item") && isLine(inside as ReadonlyArray<Block>)
  })

/** Data field that the element of a type expresses. */
const said: { readonly [type: string]: string } = {
  "list-ordered": "start",
  "heading-1": "depth",
  "heading-3": "depth"
}

type Write = (node: Block) => ReadonlyArray<Part>

const block: Write = (node) => (isBlockType(node.type) ? writers[node.type] : plain)(node)

const element =
  (name: string): Write =>
  ({ nodes = [] }) => [`<${name}>`, nodes, `</${name}>`]

const list =
  (name: string): Write =>
  ({ data, nodes = [] }) => {
    const start = typeof data?.start === "number" && data.start > 1 ? ` start="${data.start}"` : ""
    const items = nodes.flatMap((item) => (item.object === "block" ? ["<li>", ...of(blocksOf(item)), "</li>"] : []))
    return [`<${name}${start}>`, ...items, `</${name}>`]
  }

const paragraph = element("p")

const heading: Write = (node) => element(`h${HeadingDepth.of(node)}`)(node)

/** Escapes line feeds, since an empty line would end the table. */
const code: Write = (node) => [HighlightedCode.print(node).html.replaceAll("\n", "&#10;")]

/** Converts a block that a cell cannot contain to its text. */
const plain: Write = (node) =>
  (node.nodes ?? []).some((child) => child.object !== "block")
    ? paragraph(node)
    : ["<p>", textOf(DocumentText.plainText(node)), "</p>"]

const textOf = (text: string): ReadonlyArray<Node> => [
  { object: "text", leaves: [{ object: "leaf", text, marks: [] }] }
]

/** Cell writers by block type. */
const writers: { readonly [_ in BlockType]: Write } = {
  paragraph,
  "heading-1": heading,
  "heading-2": heading,
  "heading-3": heading,
  "list-ordered": list("ol"),
  "list-unordered": list("ul"),
  "list-tasks": plain,
  "list-item": plain,
  blockquote: plain,
  divider: plain,
  hint: plain,
  tabs: plain,
  "tabs-item": plain,
  stepper: plain,
  "stepper-step": plain,
  columns: plain,
  column: plain,
  updates: plain,
  update: plain,
  expandable: plain,
  prompt: plain,
  if: plain,
  "reusable-content": plain,
  code,
  "code-line": plain,
  math: plain,
  images: plain,
  image: plain,
  drawing: plain,
  embed: plain,
  file: plain,
  "content-ref": plain,
  swagger: plain,
  "openapi-operation": plain,
  "openapi-schemas": plain,
  "openapi-webhook": plain,
  integration: plain,
  table: plain,
  html: plain,
  verbatim: plain,
  definition: plain,
  "footnote-definition": plain
}

const blocksOf = ({ nodes = [] }: Block): ReadonlyArray<Block> =>
  nodes.filter((node): node is Block => node.object === "block")
