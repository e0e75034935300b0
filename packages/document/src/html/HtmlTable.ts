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
import {
  type Align,
  alignmentOf,
  attributeValue,
  childrenOf,
  elementsOf,
  type HtmlContext,
  isElement
} from "./HtmlContext.ts"
import * as HtmlInlines from "./HtmlInlines.ts"

const maxColumns = 100

interface TableContext {
  /** Reader of blocks, passed as an argument because it calls this module for tables. */
  readonly readBlocks: (
    nodes: ReadonlyArray<ElementContent>,
    context: HtmlContext,
    align?: Align
  ) => ReadonlyArray<Block>
  readonly align: Align
}

interface Row {
  readonly cells: ReadonlyArray<Element>
  readonly isHeader: boolean
}

export const readTable = (
  table: Element,
  context: HtmlContext,
  { readBlocks, align }: TableContext
): ReadonlyArray<Block> => {
  const rows: Array<Row> = []
  /** Nodes between the parts of the table. */
  const outsideCells: Array<ElementContent> = []
  const captions: Array<ElementContent> = []
  const collectRows = (nodes: ReadonlyArray<ElementContent>, isHeader: boolean) => {
    for (const node of nodes) {
      if (isElement(node, "thead", "tbody", "tfoot")) collectRows(childrenOf(node), isElement(node, "thead"))
      else if (isElement(node, "caption")) for (const child of childrenOf(node)) captions.push(child)
      else if (isElement(node, "tr")) {
        const cells = elementsOf(childrenOf(node), "td", "th")
        for (const one of childrenOf(node)) if (!isElement(one, "td", "th")) outsideCells.push(one)
        if (cells.length > 0) rows.push({ cells, isHeader })
      } else if (!isElement(node, "col", "colgroup")) outsideCells.push(node)
    }
  }
  collectRows(table.children, false)
  const precedingBlocks = [...readBlocks(outsideCells, context, align), ...readBlocks(captions, context, align)]
  const [firstRow] = rows
  if (firstRow === undefined) return precedingBlocks
  const isHead = ({ isHeader, cells }: Row) => isHeader || cells.every(({ tagName }) => tagName === "th")
  // Header rows after the first one become body rows, and so does a first one with spans, which titles can't have.
  const hasHeader = isHead(firstRow) && cellSpans(firstRow).every(spansOneCell) && rows.length > 1
  if (!hasHeader && rows.length > 1 && isHead(firstRow)) context.onLoss?.("header")
  const grid = layOutCells(hasHeader ? rows.slice(1) : rows)
  const width = Math.min(maxColumns, Math.max(grid.width, hasHeader ? rowWidth(firstRow) : 0))
  const fragments: Array<Fragment> = []
  const columns = Array.from({ length: width }, (_, i) => `c${i + 1}`)
  const key = context.nextKey()
  const definition: Record<string, Data> = {}
  const cells = grid.rows.map((row) => row.map(({ element }) => cellBlocks(element, context, readBlocks)))
  const isHtml =
    context.isStored === true &&
    !(hasHeader && grid.merges.length === 0 && cells.every((row) => row.every(CellParts.fitsMarkdownCell)))
  const headerCells = hasHeader ? firstRow.cells : []
  const titles = columns.map((_, i) => {
    const title = headerCells[i] === undefined ? [] : titleInlines(headerCells[i], context, readBlocks)
    return isHtml ? CellBlocks.nodesWithoutHtml(title) : title
  })
  for (const [i, id] of columns.entries()) {
    const cell = headerCells[i]
    const nodes = titles[i]!
    const alignment = cell === undefined ? undefined : alignmentOf(cell, undefined)
    definition[id] = {
      id,
      title: DocumentText.inlinesText(nodes),
      type: "text",
      ...(alignment !== undefined && { textAlignment: alignment === "end" ? "right" : alignment }),
      ...(!DocumentText.isPlain(nodes) && { titleFragment: `header-${id}` })
    }
    if (!DocumentText.isPlain(nodes)) fragments.push(createFragment(`header-${id}`, [paragraph(nodes, context)]))
  }
  const records: Record<string, Data> = {}
  const followingBlocks: Array<Block> = []
  for (const [i, row] of grid.rows.entries()) {
    const id = `r${i + 1}`
    const values: Record<string, string> = {}
    for (const [j, { column }] of row.entries()) {
      const blocks = isHtml ? CellBlocks.withoutHtml(cells[i]![j]!) : cells[i]![j]!
      const name = `${id}-c${column + 1}`
      if (column >= width) for (const block of blocks) followingBlocks.push(block)
      else if (blocks.length > 0) {
        fragments.push(createFragment(name, blocks))
        values[`c${column + 1}`] = name
      }
    }
    records[id] = { orderIndex: String(i + 1).padStart(6, "0"), values }
  }
  if (followingBlocks.length > 0) context.onLoss?.("columns")
  const data: Data = {
    view: { type: "grid", columns, hideHeader: !hasHeader },
    records,
    definition,
    ...(grid.merges.length > 0 && { cellMerges: grid.merges })
  }
  return [
    ...precedingBlocks,
    { object: "block", type: "table", key, data, isVoid: true, fragments },
    ...followingBlocks
  ]
}

const createFragment = (name: string, nodes: ReadonlyArray<Block>): Fragment => ({
  object: "fragment",
  fragment: name,
  nodes
})

const paragraph = (nodes: ReadonlyArray<Node>, { nextKey }: HtmlContext): Block => ({
  object: "block",
  type: "paragraph",
  key: nextKey(),
  nodes
})

/** Returns the content of a header cell as one line. */
const titleInlines = (
  element: Element,
  context: HtmlContext,
  readBlocks: TableContext["readBlocks"]
): ReadonlyArray<Inline | Text> =>
  context.isStored === true
    ? CellBlocks.toLine(readBlocks(element.children, context), context)
    : HtmlInlines.readLine(element.children, context)

/** Returns the blocks of a cell. Paragraphs of a row header become bold. */
const cellBlocks = (
  element: Element,
  context: HtmlContext,
  readBlocks: TableContext["readBlocks"]
): ReadonlyArray<Block> => {
  const blocksIn = readBlocks(element.children, context, alignmentOf(element, undefined))
  const blocks = context.isStored === true ? CellBlocks.toCellBlocks(blocksIn, context) : blocksIn
  return element.tagName === "th" ? blocks.map(toBold) : blocks
}

/** Returns a paragraph with all of its text in bold. Any other block does not change. */
export const toBold = (block: Block): Block =>
  block.type === "paragraph" ? { ...block, nodes: boldNodes(block.nodes) } : block

const boldNodes = (nodes: ReadonlyArray<Node> = []): ReadonlyArray<Node> =>
  nodes.map((node): Node => (node.object === "text" ? { ...node, leaves: node.leaves.map(boldLeaf) } : node))

const boldLeaf = (leaf: Leaf): Leaf => ({
  ...leaf,
  marks: [{ object: "mark", type: "bold" }, ...leaf.marks.filter(({ type }) => type !== "bold")]
})

const spansOneCell = ({ colSpan, rowSpan }: { readonly colSpan: number; readonly rowSpan: number }): boolean =>
  colSpan === 1 && rowSpan === 1

const spanAttribute = (cell: Element, name: "colspan" | "rowspan"): number => {
  const value = attributeValue(cell, name) ?? "1"
  return /^[1-9]\d{0,3}$/.test(value) ? Number(value) : 1
}

const cellSpans = ({ cells }: Row) =>
  cells.map((element) => ({
    element,
    colSpan: Math.min(maxColumns, spanAttribute(element, "colspan")),
    rowSpan: spanAttribute(element, "rowspan")
  }))

const rowWidth = (row: Row): number => cellSpans(row).reduce((sum, { colSpan }) => sum + colSpan, 0)

interface GridCell {
  readonly column: number
  readonly element: Element
}

/** Assigns cells to columns, skipping columns that spanning cells cover. */
const layOutCells = (rows: ReadonlyArray<Row>) => {
  const merges: Array<Merge> = []
  /** Row from which each column is free. */
  const freeFromRow: Array<number> = []
  let width = 0
  const grid = rows.map((row, i): ReadonlyArray<GridCell> => {
    let column = 0
    return cellSpans(row).map(({ element, colSpan: columns, rowSpan: declaredRowSpan }) => {
      while ((freeFromRow[column] ?? 0) > i) column++
      const at = column
      let colSpan = 1
      while (colSpan < columns && at + colSpan < maxColumns && (freeFromRow[at + colSpan] ?? 0) <= i) colSpan++
      const rowSpan = Math.min(declaredRowSpan, rows.length - i)
      if (at < maxColumns) {
        for (let c = at; c < at + colSpan; c++) freeFromRow[c] = i + rowSpan
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
