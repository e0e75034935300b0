/**
 * Converts an HTML table to a table of a document. Supported are headers with and without `thead`, spanning cells,
 * cells with blocks, and a caption, which becomes a paragraph above the table.
 *
 * Limits: 100 columns; further cells follow after the table.
 */
import type { Element, ElementContent } from "hast"
import type { Block, Data, Fragment, Inline, Leaf, Node, Text } from "../Document.ts"
import * as DocumentText from "../DocumentText.ts"
import type { Merge } from "../markdown/CellMerges.ts"
import * as CellParts from "../markdown/CellParts.ts"
import * as CellBlocks from "./CellBlocks.ts"
import { type Align, alignOf, attribute, childrenOf, elementsOf, type HtmlContext, isElement } from "./HtmlContext.ts"
import * as HtmlInlines from "./HtmlInlines.ts"

const maxColumns = 100

interface Around {
  /** Reader of blocks, passed as an argument because it calls this module for tables. */
  readonly flow: (nodes: ReadonlyArray<ElementContent>, context: HtmlContext, align?: Align) => ReadonlyArray<Block>
  readonly align: Align
}

interface Row {
  readonly cells: ReadonlyArray<Element>
  readonly isHead: boolean
}

export const read = (table: Element, context: HtmlContext, { flow, align }: Around): ReadonlyArray<Block> => {
  const rows: Array<Row> = []
  /** Nodes between the parts of the table. */
  const loose: Array<ElementContent> = []
  const captions: Array<ElementContent> = []
  const take = (nodes: ReadonlyArray<ElementContent>, isHead: boolean) => {
    for (const node of nodes) {
      if (isElement(node, "thead", "tbody", "tfoot")) take(childrenOf(node), isElement(node, "thead"))
      else if (isElement(node, "caption")) for (const one of childrenOf(node)) captions.push(one)
      else if (isElement(node, "tr")) {
        const cells = elementsOf(childrenOf(node), "td", "th")
        for (const one of childrenOf(node)) if (!isElement(one, "td", "th")) loose.push(one)
        if (cells.length > 0) rows.push({ cells, isHead })
      } else if (!isElement(node, "col", "colgroup")) loose.push(node)
    }
  }
  take(table.children, false)
  const above = [...flow(loose, context, align), ...flow(captions, context, align)]
  const [first] = rows
  if (first === undefined) return above
  const isHead = ({ isHead, cells }: Row) => isHead || cells.every(({ tagName }) => tagName === "th")
  // Header rows after the first one become body rows, and so does a first one with spans, which titles can't have.
  const hasHead = isHead(first) && cellsOf(first).every(isSingle) && rows.length > 1
  if (!hasHead && rows.length > 1 && isHead(first)) context.lost?.("header")
  const grid = placed(hasHead ? rows.slice(1) : rows)
  const width = Math.min(maxColumns, Math.max(grid.width, hasHead ? widthOf(first) : 0))
  const fragments: Array<Fragment> = []
  const columns = Array.from({ length: width }, (_, i) => `c${i + 1}`)
  const key = context.nextKey()
  const definition: Record<string, Data> = {}
  const cells = grid.rows.map((row) => row.map(({ element }) => cellOf(element, context, flow)))
  const isHtml =
    context.isStored === true &&
    !(hasHead && grid.merges.length === 0 && cells.every((row) => row.every(CellParts.isLine)))
  const head = hasHead ? first.cells : []
  const titles = columns.map((_, i) => {
    const title = head[i] === undefined ? [] : titleOf(head[i], context, flow)
    return isHtml ? CellBlocks.nodesWithoutHtml(title) : title
  })
  for (const [i, id] of columns.entries()) {
    const cell = head[i]
    const nodes = titles[i]!
    const side = cell === undefined ? undefined : alignOf(cell, undefined)
    definition[id] = {
      id,
      title: DocumentText.ofInlines(nodes),
      type: "text",
      ...(side !== undefined && { textAlignment: side === "end" ? "right" : side }),
      ...(!DocumentText.isPlain(nodes) && { titleFragment: `header-${id}` })
    }
    if (!DocumentText.isPlain(nodes)) fragments.push(fragment(`header-${id}`, [line(nodes, context)]))
  }
  const records: Record<string, Data> = {}
  const beyond: Array<Block> = []
  for (const [i, row] of grid.rows.entries()) {
    const id = `r${i + 1}`
    const values: Record<string, string> = {}
    for (const [j, { column }] of row.entries()) {
      const blocks = isHtml ? CellBlocks.withoutHtml(cells[i]![j]!) : cells[i]![j]!
      const name = `${id}-c${column + 1}`
      if (column >= width) for (const block of blocks) beyond.push(block)
      else if (blocks.length > 0) {
        fragments.push(fragment(name, blocks))
        values[`c${column + 1}`] = name
      }
    }
    records[id] = { orderIndex: String(i + 1).padStart(6, "0"), values }
  }
  if (beyond.length > 0) context.lost?.("columns")
  const data: Data = {
    view: { type: "grid", columns, hideHeader: !hasHead },
    records,
    definition,
    ...(grid.merges.length > 0 && { cellMerges: grid.merges })
  }
  return [...above, { object: "block", type: "table", key, data, isVoid: true, fragments }, ...beyond]
}

const fragment = (name: string, nodes: ReadonlyArray<Block>): Fragment => ({
  object: "fragment",
  fragment: name,
  nodes
})

const line = (nodes: ReadonlyArray<Node>, { nextKey }: HtmlContext): Block => ({
  object: "block",
  type: "paragraph",
  key: nextKey(),
  nodes
})

/** Returns the content of a header cell as one line. */
const titleOf = (element: Element, context: HtmlContext, flow: Around["flow"]): ReadonlyArray<Inline | Text> =>
  context.isStored === true
    ? CellBlocks.lineOf(flow(element.children, context), context)
    : HtmlInlines.read(element.children, context)

/** Returns the blocks of a cell. Paragraphs of a row header become bold. */
const cellOf = (element: Element, context: HtmlContext, flow: Around["flow"]): ReadonlyArray<Block> => {
  const read = flow(element.children, context, alignOf(element, undefined))
  const blocks = context.isStored === true ? CellBlocks.of(read, context) : read
  return element.tagName === "th" ? blocks.map(bold) : blocks
}

/** Returns a paragraph with all of its text in bold. Any other block does not change. */
export const bold = (block: Block): Block =>
  block.type === "paragraph" ? { ...block, nodes: boldNodes(block.nodes) } : block

const boldNodes = (nodes: ReadonlyArray<Node> = []): ReadonlyArray<Node> =>
  nodes.map((node): Node => (node.object === "text" ? { ...node, leaves: node.leaves.map(boldLeaf) } : node))

const boldLeaf = (leaf: Leaf): Leaf => ({
  ...leaf,
  marks: [{ object: "mark", type: "bold" }, ...leaf.marks.filter(({ type }) => type !== "bold")]
})

const isSingle = ({ colSpan, rowSpan }: { readonly colSpan: number; readonly rowSpan: number }): boolean =>
  colSpan === 1 && rowSpan === 1

const spanOf = (cell: Element, name: "colspan" | "rowspan"): number => {
  const said = attribute(cell, name) ?? "1"
  return /^[1-9]\d{0,3}$/.test(said) ? Number(said) : 1
}

const cellsOf = ({ cells }: Row) =>
  cells.map((element) => ({
    element,
    colSpan: Math.min(maxColumns, spanOf(element, "colspan")),
    rowSpan: spanOf(element, "rowspan")
  }))

const widthOf = (row: Row): number => cellsOf(row).reduce((sum, { colSpan }) => sum + colSpan, 0)

interface Placed {
  readonly column: number
  readonly element: Element
}

/** Assigns cells to columns, skipping columns that spanning cells cover. */
const placed = (rows: ReadonlyArray<Row>) => {
  const merges: Array<Merge> = []
  /** Row from which each column is free. */
  const free: Array<number> = []
  let width = 0
  const grid = rows.map((row, i): ReadonlyArray<Placed> => {
    let column = 0
    return cellsOf(row).map(({ element, colSpan: columns, rowSpan: below }) => {
      while ((free[column] ?? 0) > i) column++
      const at = column
      let colSpan = 1
      while (colSpan < columns && at + colSpan < maxColumns && (free[at + colSpan] ?? 0) <= i) colSpan++
      const rowSpan = Math.min(below, rows.length - i)
      if (at < maxColumns) {
        for (let c = at; c < at + colSpan; c++) free[c] = i + rowSpan
        width = Math.max(width, at + colSpan)
        if (colSpan > 1 || rowSpan > 1) {
          merges.push({ anchor: { record: `r${i + 1}`, column: `c${at + 1}` }, colSpan, rowSpan })
        }
      }
      column = at + colSpan
      return { column: at, element }
    })
  })
  return { rows: grid, merges, width }
}
