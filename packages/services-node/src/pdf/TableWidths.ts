/**
 * How wide the columns of a table are: as wide as the table says, as their content wants to be, or
 * as there is room for; none less than its longest word if that can be.
 */
import * as TableContent from "@lectern/document/table/TableContent"
import { type Cell, cellOf, cellStyle, titleOf } from "./Cells.ts"
import { inlines } from "./Inlines.ts"
import type { Sheet } from "./Sheet.ts"
import { pixel } from "./Span.ts"

/** Beside what is in a cell. */
export const cellEdge = 5

export const leastColumn = 44

/** So many rows tell how wide the columns are. */
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
  // Where all fit with room to spare, each gets a share of it.
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
