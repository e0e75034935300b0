/**
 * Lays out tables. Rows stay in one piece unless they are high, and the header repeats on each sheet. A table with too
 * many columns is split into several tables, each with the first column.
 */
import type { Block } from "@lectern/document/Document"
import * as TableContent from "@lectern/document/table/TableContent"
import * as CellMerges from "@lectern/document/markdown/CellMerges"
import { cards } from "./Cards.ts"
import { cellOf, cellStyle, startFromRight, titleOf } from "./Cells.ts"
import { type Frame, inElement } from "./Frame.ts"
import { gap, type Strip } from "./Strip.ts"
import { Grid, type PlacedCell } from "./TableGrid.ts"
import { minColumnWidth, widthsOf } from "./TableWidths.ts"

/** Maximum height of a repeated header, in points. */
const highestHead = 120

type TableColumns = ReadonlyArray<TableContent.Column>

interface Span {
  readonly rows: number
  readonly columns: number
}

/** Merged cells, by indexes in the whole table. */
interface Merges {
  readonly spanOf: (row: number, column: string) => Span
  readonly isCovered: (row: number, column: string) => boolean
}

export function* table(node: Block, frame: Frame): Generator<Strip> {
  const content = TableContent.readTable(node)
  if (content === undefined) return
  const view = TableContent.objectOrEmpty(node.data?.["view"])
  const columns = TableContent.visibleColumns(content, view)
  if (columns.length === 0) return
  if (view["type"] === "cards") return yield* cards(content, columns, view, frame)
  const merges = mergesOf(node.data?.["cellMerges"], content)
  const [first, ...rest] = columns
  const maxColumns = Math.max(1, Math.floor(frame.width / minColumnWidth) - 1)
  const grids = Math.max(1, Math.ceil(rest.length / maxColumns))
  const each = Math.ceil(rest.length / grids)
  for (let i = 0; i < grids; i++) {
    if (i > 0) yield gap(10)
    yield* grid(content, [first!, ...rest.slice(i * each, (i + 1) * each)], view, merges, frame)
  }
}

const mergesOf = (merges: unknown, { rows, columns }: TableContent.Table): Merges => {
  const ids = columns.map(({ id }) => id)
  const { spans, covered } = CellMerges.spansByCell(
    merges,
    rows.map(({ id }) => id),
    ids
  )
  const columnIndexes = new Map(ids.map((id, i) => [id, i]))
  const keyOf = (row: number, column: string) => CellMerges.cellKey(row, columnIndexes.get(column)!)
  return {
    spanOf: (row, column) => {
      const span = spans.get(keyOf(row, column))
      return { rows: span?.rowSpan ?? 1, columns: span?.colSpan ?? 1 }
    },
    isCovered: (row, column) => covered.has(keyOf(row, column))
  }
}

function* grid(
  content: TableContent.Table,
  columns: TableColumns,
  view: TableContent.Properties,
  merges: Merges,
  frame: Frame
): Generator<Strip> {
  const setWidths = TableContent.objectOrEmpty(view["columnWidths"])
  const style = { ...cellStyle, bold: true }
  const titles =
    view["hideHeader"] === true ? [] : columns.map((column) => titleOf(content, column, style, frame.sheet))
  const firstCells = content.rows
    .slice(0, 1)
    .flatMap((row) => columns.map((column) => cellOf(content, row, column, cellStyle, frame.sheet)))
  const grid = new Grid(
    columns,
    widthsOf(content, columns, setWidths, frame.width, frame.sheet),
    startFromRight([...titles, ...firstCells]),
    inElement(frame, "Table")
  )
  let head: Strip | undefined
  if (titles.length > 0) {
    const header = grid.header(titles, style)
    yield { ...header, keep: true }
    const { structure } = frame.sheet
    const redraw = (x: number, y: number) => structure.repeat(() => header.draw?.(x, y))
    if (header.height <= highestHead) head = { height: header.height + 2, draw: redraw }
  }
  const { rows } = content
  for (let from = 0; from < rows.length;) {
    // Rows that share a cell form one strip, since they must be laid out together.
    let to = from + 1
    for (let row = from; row < to; row++) {
      for (const { id } of columns) to = Math.max(to, Math.min(rows.length, row + merges.spanOf(row, id).rows))
    }
    const cells: Array<PlacedCell> = []
    for (let row = from; row < to; row++) {
      for (const [i, column] of columns.entries()) {
        if (merges.isCovered(row, column.id)) continue
        const span = merges.spanOf(row, column.id)
        cells.push({
          row: row - from,
          column: i,
          down: span.rows,
          across: visibleSpan(merges, columns, row, i, span.columns),
          cell: cellOf(content, rows[row]!, column, cellStyle, frame.sheet)
        })
      }
    }
    const band = grid.band(cells, to - from)
    yield head === undefined ? band : { ...band, head }
    from = to
  }
}

/** Returns how many of the columns that a cell spans are adjacent in this grid. */
const visibleSpan = (merges: Merges, columns: TableColumns, row: number, i: number, across: number): number => {
  let count = 1
  while (count < across && i + count < columns.length && merges.isCovered(row, columns[i + count]!.id)) count++
  return count
}
