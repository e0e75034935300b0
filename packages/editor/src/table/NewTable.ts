/**
 * Makes tables of cells. Limits: 50 columns and 5,000 cells; the remaining cells are left out.
 */
import type { Node } from "prosemirror-model"
import { schema } from "../EditorSchema.ts"

const maxColumns = 50
const maxCells = 5_000

/** Content of a cell: blocks. */
type CellContent = ReadonlyArray<Node>

/** Size of a table that lacks some of the pasted cells. */
export interface TableCut {
  readonly rows: number
  readonly columns: number
  readonly allRows: number
  readonly allColumns: number
}

/** Returns the number of rows and columns that a table of cells gets. */
export const boundedSize = (rows: number, columns: number): { readonly rows: number; readonly columns: number } => {
  const bounded = Math.max(1, Math.min(columns, maxColumns))
  return { columns: bounded, rows: Math.min(rows, Math.floor(maxCells / bounded)) }
}

export const emptyCell = (column: string): Node => schema.nodes["table_cell"]!.createAndFill({ column })!

const paragraph = (text: string): Node =>
  schema.node("paragraph", { filler: true }, text === "" ? [] : [schema.text(text)])

export const newTitle = (column: string, title = ""): Node =>
  schema.nodes["table_title"]!.create({ column, definition: { id: column, type: "text", title } }, paragraph(title))

/** Returns a table. `titles`: plain texts of the header, or undefined for a table without one. */
export const tableOfCells = (
  titles: ReadonlyArray<string> | undefined,
  rows: ReadonlyArray<ReadonlyArray<CellContent>>
): Node => {
  const width = Math.max(titles?.length ?? 0, ...rows.map(({ length }) => length), 1)
  const size = boundedSize(rows.length, width)
  const ids = Array.from({ length: size.columns }, (_, c) => `c${c + 1}`)
  const cell = (column: string, content: CellContent | undefined) =>
    content === undefined || content.length === 0
      ? emptyCell(column)
      : schema.nodes["table_cell"]!.create({ column }, content)
  return schema.node("table", { data: { view: { type: "grid", columns: ids, hideHeader: titles === undefined } } }, [
    schema.node(
      "table_head",
      null,
      ids.map((id, c) => newTitle(id, titles?.[c] ?? ""))
    ),
    ...rows.slice(0, size.rows).map((cells) =>
      schema.node(
        "table_row",
        null,
        ids.map((id, c) => cell(id, cells[c]))
      )
    )
  ])
}

/** True if all texts of a row are words, as titles of columns are. */
export const isTitleRow = (texts: ReadonlyArray<string>): boolean =>
  texts.every((text) => text !== "" && !/^[\d\s.,:%€$£/+-]+$/.test(text))
