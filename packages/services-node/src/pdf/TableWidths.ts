/**
 * Computes the column widths of a table: the width set in the table, the width of the content, or the available width.
 * A column is at least as wide as its longest word if possible.
 */
import * as TableContent from "@lectern/document/table/TableContent"
import { type Cell, cellOf, cellStyle, titleOf } from "./Cells.ts"
import { inlines } from "./Inlines.ts"
import type { Sheet } from "./Sheet.ts"
import { pixel } from "./Span.ts"

/** Space on the left and right of a cell's content, in points. */
export const cellEdge = 5

export const leastColumn = 44

/** Maximum number of rows that determine the column widths. */
const sampled = 100

interface Want {
  readonly least: number
  readonly most: number
}

export const widthsOf = (
  table: TableContent.Table,
  columns: ReadonlyArray<TableContent.Column>,
  said: TableContent.Properties,
  width: number,
  sheet: Sheet
): ReadonlyArray<number> => {
  const wants = columns.map((column) => wantOf(table, column, said[column.id], width, sheet))
  const least = wants.reduce((sum, want) => sum + want.least, 0)
  const spare = wants.reduce((sum, want) => sum + want.most - want.least, 0)
  if (least >= width) return wants.map((want) => (want.least / least) * width)
  const share = spare === 0 ? 0 : (width - least) / spare
  // If all columns have their full width, they share the remaining width equally.
  return spare === 0
    ? wants.map((want) => want.least + (width - least) / wants.length)
    : wants.map((want) => want.least + (want.most - want.least) * share)
}

const wantOf = (
  table: TableContent.Table,
  column: TableContent.Column,
  said: unknown,
  width: number,
  sheet: Sheet
): Want => {
  const cells = [
    titleOf(table, column, { ...cellStyle, bold: true }, sheet),
    ...table.rows.slice(0, sampled).map((row) => cellOf(table, row, column, cellStyle, sheet))
  ]
  let least = leastColumn
  let most = leastColumn
  for (const cell of cells) {
    const extent = extentOf(cell, sheet)
    least = Math.max(least, Math.min(extent.least + 2 * cellEdge + 1, width / 3))
    most = Math.max(most, extent.most + 2 * cellEdge + 1)
  }
  if (typeof said === "number" && said > 0) {
    const wide = Math.max(least, Math.min(said * pixel, width * 0.6))
    return { least: wide, most: wide }
  }
  return { least, most: Math.max(least, Math.min(most, width)) }
}

const extentOf = (cell: Cell, sheet: Sheet) => {
  if ("spans" in cell) return sheet.typesetter.extent(cell.spans)
  let least = 0
  let most = 0
  for (const node of cell.nodes) {
    if (node.object !== "block") continue
    const extent = sheet.typesetter.extent(inlines(node.nodes ?? [], cellStyle, sheet))
    least = Math.max(least, extent.least)
    most = Math.max(most, extent.most)
  }
  return { least, most }
}
