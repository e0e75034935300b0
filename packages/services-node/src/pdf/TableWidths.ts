/**
 * Computes the column widths of a table: the width set in the table, the width of the content, or the available width.
 * A column is at min as wide as its longest word if possible.
 */
import * as TableContent from "@lectern/document/table/TableContent"
import { type Cell, cellOf, cellStyle, titleOf } from "./Cells.ts"
import { inlines } from "./Inlines.ts"
import type { Sheet } from "./Sheet.ts"
import { pixel } from "./Span.ts"

/** Space on the left and right of a cell's content, in points. */
export const cellEdge = 5

export const minColumnWidth = 44

/** Maximum number of rows that determine the column widths. */
const sampled = 100

interface ColumnWidths {
  readonly min: number
  readonly max: number
}

export const widthsOf = (
  table: TableContent.Table,
  columns: ReadonlyArray<TableContent.Column>,
  setWidths: TableContent.Properties,
  width: number,
  sheet: Sheet
): ReadonlyArray<number> => {
  const wants = columns.map((column) => columnWidthsOf(table, column, setWidths[column.id], width, sheet))
  const min = wants.reduce((sum, columnWants) => sum + columnWants.min, 0)
  const spare = wants.reduce((sum, columnWants) => sum + columnWants.max - columnWants.min, 0)
  if (min >= width) return wants.map((columnWants) => (columnWants.min / min) * width)
  const share = spare === 0 ? 0 : (width - min) / spare
  // If all columns have their full width, they share the remaining width equally.
  return spare === 0
    ? wants.map((columnWants) => columnWants.min + (width - min) / wants.length)
    : wants.map((columnWants) => columnWants.min + (columnWants.max - columnWants.min) * share)
}

const columnWidthsOf = (
  table: TableContent.Table,
  column: TableContent.Column,
  setWidth: unknown,
  width: number,
  sheet: Sheet
): ColumnWidths => {
  const cells = [
    titleOf(table, column, { ...cellStyle, bold: true }, sheet),
    ...table.rows.slice(0, sampled).map((row) => cellOf(table, row, column, cellStyle, sheet))
  ]
  let min = minColumnWidth
  let max = minColumnWidth
  for (const cell of cells) {
    const extent = extentOf(cell, sheet)
    min = Math.max(min, Math.min(extent.min + 2 * cellEdge + 1, width / 3))
    max = Math.max(max, extent.max + 2 * cellEdge + 1)
  }
  if (typeof setWidth === "number" && setWidth > 0) {
    const cellWidth = Math.max(min, Math.min(setWidth * pixel, width * 0.6))
    return { min: cellWidth, max: cellWidth }
  }
  return { min, max: Math.max(min, Math.min(max, width)) }
}

const extentOf = (cell: Cell, sheet: Sheet) => {
  if ("spans" in cell) return sheet.typesetter.extent(cell.spans)
  let min = 0
  let max = 0
  for (const node of cell.nodes) {
    if (node.object !== "block") continue
    const extent = sheet.typesetter.extent(inlines(node.nodes ?? [], cellStyle, sheet))
    min = Math.max(min, extent.min)
    max = Math.max(max, extent.max)
  }
  return { min, max }
}
