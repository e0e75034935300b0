/**
 * Reduces the blocks of a table cell to those that Markdown can print in a cell: paragraphs, headings, lists and code.
 * Text, pictures, links and formulas of other blocks become paragraphs. Each row of a table in the cell becomes a
 * paragraph.
 */
import type { Block, Inline, Leaf, Node, Text } from "../Document.ts"
import * as DocumentText from "../DocumentText.ts"
import type { HtmlContext } from "./HtmlContext.ts"

type Line = ReadonlyArray<Inline | Text>

// Documents are at most 100 levels deep, so the call stack cannot overflow.
export const toCellBlocks = (blocks: ReadonlyArray<Block>, context: HtmlContext): Array<Block> =>
  blocks.flatMap((block) => convertBlock(block, context))

const convertBlock = (block: Block, context: HtmlContext): ReadonlyArray<Block> => {
  const { type, key, data = {}, nodes = [] } = block
  switch (type) {
    case "paragraph":
      return [paragraph(nodes as Line, context)]
    case "heading-1":
    case "heading-2":
    case "heading-3":
      return [{ ...block, data: data["depth"] === undefined ? {} : { depth: data["depth"] } }]
    case "code":
      return [block]
    case "list-ordered":
    case "list-unordered":
    case "list-tasks": {
      const items = blocksOf(nodes).map((item): Block => {
        const itemBlocks = toCellBlocks(blocksOf(item.nodes), context)
        const checkbox = typeof item.data?.["checked"] === "boolean" ? (item.data["checked"] ? "☑ " : "☐ ") : undefined
        return { object: "block", type: "list-item", key: item.key, nodes: withPrefix(checkbox, itemBlocks, context) }
      })
      const listProperties =
        type === "list-ordered" ? { type, data: { start: data["start"] ?? 1 } } : { type: "list-unordered" }
      return [{ object: "block", key, ...listProperties, nodes: items }]
    }
    case "image": {
      const { ref, refDark, alt } = data
      const image = { ref, ...(refDark !== undefined && { refDark }), ...(alt !== undefined && { alt }) }
      const picture: Inline = { object: "inline", type: "inline-image", data: image, isVoid: true }
      return [paragraph([picture], context), ...toCellBlocks(fragmentsOf(block), context)]
    }
    case "math":
      return [paragraph([{ object: "inline", type: "inline-math", data, isVoid: true }], context)]
    case "html":
      return [paragraph([{ object: "inline", type, data, isVoid: true }], context)]
    case "embed": {
      const url = String(data["url"])
      return [
        paragraph([link({ ref: { kind: "url", url } }, url)], context),
        ...toCellBlocks(fragmentsOf(block), context)
      ]
    }
    case "file":
      return [paragraph([link(data, "File")], context)]
    case "table":
      context.onLoss?.("table")
      return tableRows(block).map((cells) => paragraph(joinLines(cells, text(" | ")), context))
    default:
      return toCellBlocks([...fragmentsOf(block), ...blocksOf(nodes)], context)
  }
}

/** Removes raw HTML from blocks: a table that Markdown prints as HTML can't contain it. */
export const withoutHtml = (blocks: ReadonlyArray<Block>): ReadonlyArray<Block> =>
  blocks.map((block) => ({ ...block, nodes: nodesWithoutHtml(block.nodes ?? []) }))

export const nodesWithoutHtml = <A extends Node>(nodes: ReadonlyArray<A>): ReadonlyArray<A> =>
  nodes.flatMap((node): ReadonlyArray<A> => {
    if (node.object === "text" || node.nodes === undefined) return isHtml(node) ? [] : [node]
    return [{ ...node, nodes: nodesWithoutHtml(node.nodes as ReadonlyArray<Node>) }]
  })

const isHtml = (node: Node): boolean => node.object === "inline" && node.type === "html"

/** Returns the blocks as one line with hard breaks, for the title of a column. */
export const toLine = (blocks: ReadonlyArray<Block>, context: HtmlContext): Line =>
  joinLines(toLines(toCellBlocks(blocks, context)), { object: "inline", type: "hard-break", isVoid: true })

const toLines = (blocks: ReadonlyArray<Block>): ReadonlyArray<Line> =>
  blocks.flatMap((block): ReadonlyArray<Line> => {
    if (block.type === "code") return [[text(DocumentText.plainText(block).replace(/\s+/g, " "), "code")]]
    if (!block.type.startsWith("list-")) return [(block.nodes ?? []) as Line]
    const lines = toLines(blocksOf(block.nodes))
    return block.type === "list-item" ? lines.map((line, i) => (i === 0 ? [text("• "), ...line] : line)) : lines
  })

/** Returns the lines of a table's cells, by row. The first row holds the titles, unless the header is hidden. */
const tableRows = ({ data = {}, fragments = [] }: Block): ReadonlyArray<ReadonlyArray<Line>> => {
  const nodesByName = new Map(fragments.map(({ fragment, nodes }) => [fragment, nodes]))
  const lineOfFragment = (name: unknown): Line =>
    joinLines(toLines(typeof name === "string" ? (nodesByName.get(name) ?? []) : []), text(" "))
  const titles = Object.values(data["definition"] as Columns).map(({ title, titleFragment }) =>
    titleFragment === undefined ? [text(title)] : lineOfFragment(titleFragment)
  )
  const rows = Object.values(data["records"] as Records).map(({ values }) => Object.values(values).map(lineOfFragment))
  return (data["view"] as { readonly hideHeader: boolean }).hideHeader ? rows : [titles, ...rows]
}

interface Columns {
  readonly [id: string]: { readonly title: string; readonly titleFragment?: string }
}
interface Records {
  readonly [id: string]: { readonly values: { readonly [id: string]: string } }
}

const joinLines = (lines: ReadonlyArray<Line>, separator: Inline | Text): Line =>
  lines.filter((line) => line.length > 0).flatMap((line, i) => (i === 0 ? line : [separator, ...line]))

const withPrefix = (prefix: string | undefined, blocks: ReadonlyArray<Block>, context: HtmlContext) => {
  const [first, ...rest] = blocks
  if (prefix === undefined && first !== undefined) return blocks
  const prefixNodes = prefix === undefined ? [] : [text(prefix)]
  return first?.type === "paragraph"
    ? [{ ...first, nodes: [...prefixNodes, ...(first.nodes ?? [])] }, ...rest]
    : [paragraph(prefixNodes, context), ...blocks]
}

const paragraph = (nodes: Line, { nextKey }: HtmlContext): Block => ({
  object: "block",
  type: "paragraph",
  key: nextKey(),
  nodes
})

const text = (value: string, mark?: string): Text => {
  const leaf: Leaf = { object: "leaf", text: value, marks: mark === undefined ? [] : [{ object: "mark", type: mark }] }
  return { object: "text", leaves: value === "" ? [] : [leaf] }
}

const link = (data: NonNullable<Inline["data"]>, label: string): Inline => ({
  object: "inline",
  type: "link",
  data,
  nodes: [text(label)]
})

const fragmentsOf = ({ fragments = [] }: Block): ReadonlyArray<Block> => fragments.flatMap(({ nodes }) => nodes)

const blocksOf = (nodes: ReadonlyArray<Node> = []): ReadonlyArray<Block> =>
  nodes.filter((node): node is Block => node.object === "block")
