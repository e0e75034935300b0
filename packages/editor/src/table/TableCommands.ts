/**
 * Edits of tables: rows and columns, the header, types of columns, and the cursor between cells. A moved row keeps its id
 * and a moved column its definition. A value that does not fit a new type of the column stays as text.
 */
import { objectOrEmpty, optionLabel, type Properties } from "@lectern/document/table/TableContent"
import { closeHistory } from "prosemirror-history"
import type { Node } from "prosemirror-model"
import {
  type Command,
  type EditorState,
  NodeSelection,
  Selection,
  TextSelection,
  type Transaction
} from "prosemirror-state"
import { schema } from "../EditorSchema.ts"
import { emptyCell, newTitle } from "./NewTable.ts"

/** The cell at the selection. `row`: 0 is the head. */
export interface CellPosition {
  readonly table: Node
  readonly position: number
  readonly row: number
  readonly column: number
}

export const cellAtSelection = ({ selection }: EditorState): CellPosition | undefined => {
  const { $from } = selection
  for (let depth = $from.depth; depth > 0; depth--) {
    const name = $from.node(depth).type.name
    if (name !== "table_row" && name !== "table_head") continue
    return {
      table: $from.node(depth - 1),
      position: $from.before(depth - 1),
      row: $from.index(depth - 1),
      column: $from.index(depth)
    }
  }
  return undefined
}

/** Returns the position of a cell. */
export const cellStart = ({ position, table }: CellPosition, row: number, column: number): number => {
  let at = position + 1
  for (let r = 0; r < row; r++) at += table.child(r).nodeSize
  at++
  for (let c = 0; c < column; c++) at += table.child(row).child(c).nodeSize
  return at
}

const selectionIn = (doc: Node, at: number): Selection => {
  const cell = doc.nodeAt(at)!
  return cell.isAtom ? NodeSelection.create(doc, at) : Selection.near(doc.resolve(at + 1))
}

const withCursor = (tr: Transaction, position: number, row: number, column: number): Transaction => {
  const table = tr.doc.nodeAt(position)!
  const at = cellStart(
    { table, position, row, column },
    Math.min(row, table.childCount - 1),
    Math.min(column, table.firstChild!.childCount - 1)
  )
  return tr.setSelection(selectionIn(tr.doc, at)).scrollIntoView()
}

/** Runs an edit of the table at the selection. */
const inTable =
  (edit: (cell: CellPosition, state: EditorState) => Transaction | undefined): Command =>
  (state, dispatch) => {
    const cell = cellAtSelection(state)
    const tr = cell && edit(cell, state)
    if (tr === undefined) return false
    dispatch?.(closeHistory(tr))
    return true
  }

/** Replaces all rows of a table. Keeps the node of the table itself. */
const withRows = (
  { tr }: EditorState,
  { position, table }: CellPosition,
  data: Properties,
  rows: ReadonlyArray<Node>
) => {
  tr.replaceWith(position + 1, position + table.nodeSize - 1, rows)
  return data === table.attrs["data"] ? tr : tr.setNodeAttribute(position, "data", data)
}

/** Adds an empty row above the row at the selection, or below it. */
export const addRow = (side: "above" | "below"): Command =>
  inTable((cell, { tr }) => {
    const { column, position, row, table } = cell
    const target = side === "above" ? Math.max(1, row) : row + 1
    const titles = table.firstChild!.children
    const added = schema.node(
      "table_row",
      null,
      titles.map(({ attrs }) => emptyCellOf(attrs["column"], attrs["definition"]))
    )
    const start = table.children.slice(0, target).reduce((sum, { nodeSize }) => sum + nodeSize, position + 1)
    return withCursor(tr.insert(start, added), position, target, column)
  })

const emptyCellOf = (column: string, definition: Properties): Node =>
  definition["type"] === "text" || definition["type"] === undefined
    ? emptyCell(column)
    : schema.nodes["table_value"]!.create({ column, value: null, isAbsent: true })

export const deleteRow: Command = inTable((cell, { tr }) => {
  const { column, position, row, table } = cell
  if (row === 0) return undefined
  const start = cellStart(cell, row, 0) - 1
  tr.delete(start, start + table.child(row).nodeSize)
  return withCursor(tr, position, Math.min(row, table.childCount - 2), column)
})

export const moveRow = (direction: -1 | 1): Command =>
  inTable((cell, state) => {
    const { column, position, row, table } = cell
    const target = row + direction
    if (row === 0 || target < 1 || target >= table.childCount) return undefined
    const start = cellStart(cell, Math.min(row, target), 0) - 1
    const [first, second] = [table.child(Math.min(row, target)), table.child(Math.max(row, target))]
    const tr = state.tr.delete(start, start + first.nodeSize).insert(start + second.nodeSize, first)
    return withCursor(tr, position, target, column)
  })

export const viewOf = (table: Node): Properties => objectOrEmpty(table.attrs["data"]?.["view"])

/** Returns the data of a table with its visible columns in the order of `ids`. A column that `isShown` is visible. */
const withColumns = (table: Node, ids: ReadonlyArray<string>, added?: string): Properties => {
  const view = viewOf(table)
  const listed = view["columns"]
  const visible = Array.isArray(listed) && listed.length > 0 ? new Set<unknown>(listed) : new Set<unknown>(ids)
  const columns = ids.filter((id) => visible.has(id) || id === added)
  return { ...table.attrs["data"], view: withWidths({ ...view, columns }, (id) => ids.includes(id)) }
}

/** Returns a view with the widths of some columns and without those of the others. */
export const withWidths = (view: Properties, isIncluded: (column: string) => boolean): Properties => {
  const { columnWidths, ...others } = view
  const widths = Object.entries(objectOrEmpty(columnWidths)).filter(([column]) => isIncluded(column))
  return widths.length === 0 ? others : { ...others, columnWidths: Object.fromEntries(widths) }
}

const columnIds = (table: Node): ReadonlyArray<string> => table.firstChild!.children.map(({ attrs }) => attrs["column"])

const mapRows = (table: Node, change: (cells: ReadonlyArray<Node>, row: number) => ReadonlyArray<Node>) =>
  table.children.map((row, r) => row.type.create(row.attrs, change(row.children, r)))

const newColumnId = (table: Node): string => {
  const ids = new Set(columnIds(table))
  let number = ids.size + 1
  while (ids.has(`c${number}`)) number++
  return `c${number}`
}

export const addColumn = (side: "before" | "after"): Command =>
  inTable((cell, state) => {
    const { column, position, row, table } = cell
    const target = side === "before" ? column : column + 1
    const id = newColumnId(table)
    const ids = columnIds(table).toSpliced(target, 0, id)
    const rows = mapRows(table, (cells, r) => cells.toSpliced(target, 0, r === 0 ? newTitle(id) : emptyCell(id)))
    return withCursor(withRows(state, cell, withColumns(table, ids, id), rows), position, row, target)
  })

export const deleteColumn: Command = inTable((cell, state) => {
  const { column, position, row, table } = cell
  if (table.firstChild!.childCount < 2) return undefined
  const ids = columnIds(table).toSpliced(column, 1)
  const rows = mapRows(table, (cells) => cells.toSpliced(column, 1))
  return withCursor(withRows(state, cell, withColumns(table, ids), rows), position, row, Math.max(0, column - 1))
})

export const moveColumn = (direction: -1 | 1): Command =>
  inTable((cell, state) => {
    const { column, position, row, table } = cell
    const target = column + direction
    if (target < 0 || target >= table.firstChild!.childCount) return undefined
    const swapped = <A>(list: ReadonlyArray<A>): ReadonlyArray<A> =>
      list.toSpliced(Math.min(column, target), 2, list[Math.max(column, target)]!, list[Math.min(column, target)]!)
    const tr = withRows(state, cell, withColumns(table, swapped(columnIds(table))), mapRows(table, swapped))
    return withCursor(tr, position, row, target)
  })

export const toggleHeader: Command = inTable(({ position, table }, { tr }) => {
  const view = viewOf(table)
  if (view["type"] === "cards") return undefined
  const data = { ...table.attrs["data"], view: { ...view, hideHeader: view["hideHeader"] !== true } }
  return tr.setNodeAttribute(position, "data", data)
})

/** Displays the rows of the table as cards, or as rows again. Settings of the other view are left out. */
export const toggleCards: Command = inTable(({ position, table }, { tr }) => {
  const { columns, type } = viewOf(table)
  const view =
    type === "cards" ? { type: "grid", columns, hideHeader: false } : { type: "cards", columns, cardSize: "medium" }
  return tr.setNodeAttribute(position, "data", { ...table.attrs["data"], view })
})

export const hasCards = (state: EditorState): boolean => {
  const cell = cellAtSelection(state)
  return cell !== undefined && viewOf(cell.table)["type"] === "cards"
}

export const hasHeader = (state: EditorState): boolean => {
  const cell = cellAtSelection(state)
  return cell !== undefined && viewOf(cell.table)["hideHeader"] !== true
}

/** Types of columns that a person chooses. */
export const columnTypes = ["text", "number", "checkbox", "rating", "select"] as const

export type ColumnType = (typeof columnTypes)[number]

const maxRating = 5

const textOf = (cell: Node, definition: Properties): string => {
  if (cell.type.name === "table_cell") return cell.textContent.trim()
  const value: unknown = cell.attrs["value"]
  if (cell.attrs["isAbsent"] === true || value === null || value === undefined) return ""
  if (Array.isArray(value)) return value.map((each) => optionLabel(definition, String(each))).join(", ")
  return typeof value === "object" ? "" : String(value)
}

const absentValue = Symbol("absent")

/** Returns the value of a text in a type of columns. Undefined: the text is no such value. */
const valueOfText = (text: string, definition: Properties): unknown => {
  if (text === "") return definition["type"] === "checkbox" ? false : absentValue
  switch (definition["type"]) {
    case "number":
    case "rating": {
      const number = Number(text)
      const isValid =
        Number.isFinite(number) &&
        !(definition["type"] === "rating" && (!Number.isInteger(number) || number < 0 || number > maxRating))
      return isValid ? number : undefined
    }
    case "checkbox":
      return /^(?:true|yes|x|1|✓|☑)$/i.test(text) ? true : /^(?:false|no|0|☐)$/i.test(text) ? false : undefined
    case "select": {
      const { options } = definition
      const found = Array.isArray(options) ? options.find((option) => Object(option).label === text) : undefined
      return found === undefined ? undefined : [Object(found).value]
    }
    default:
      return undefined
  }
}

/** Most options of a column, so that a column of sentences stays text. */
const maxOptions = 100

/** Changes the type of the column at the selection, and with it the cells whose text is a value of the type. */
export const setColumnType = (type: ColumnType): Command =>
  inTable((cell, state) => {
    const { column, position, row, table } = cell
    const title = table.firstChild!.child(column)
    const before: Properties = title.attrs["definition"]
    if (before["type"] === type) return undefined
    const texts = table.children.slice(1).map((each) => textOf(each.child(column), before))
    const labels = Array.from(new Set(texts.filter((text) => text !== "")))
    if (type === "select" && labels.length > maxOptions) return undefined
    const definition: Properties = {
      ...(before["id"] !== undefined && { id: before["id"] }),
      type,
      ...(before["title"] !== undefined && { title: before["title"] }),
      ...(before["titleFragment"] !== undefined && { titleFragment: before["titleFragment"] }),
      ...(type === "rating" && { max: maxRating }),
      ...(type === "select" && {
        multiple: false,
        options: labels.map((label, i) => ({ value: `o${i + 1}`, label, color: "" }))
      })
    }
    const id: string = title.attrs["column"]
    const rows = mapRows(table, (cells, r) => {
      const old = cells[column]!
      if (r === 0) return cells.with(column, old.type.create({ ...old.attrs, definition }, old.content))
      const text = texts[r - 1]!
      if (type === "text") {
        if (old.type.name === "table_cell") return cells
        const content = schema.node("paragraph", null, text === "" ? [] : [schema.text(text)])
        return cells.with(column, schema.nodes["table_cell"]!.create({ column: id }, content))
      }
      const value = valueOfText(text, definition)
      if (value === undefined) return cells
      const isAbsent = value === absentValue
      return cells.with(
        column,
        schema.nodes["table_value"]!.create({ column: id, value: isAbsent ? null : value, isAbsent })
      )
    })
    return withCursor(withRows(state, cell, table.attrs["data"], rows), position, row, column)
  })

/** Goes to the next or previous cell. After the last one, adds a row. */
export const goToCell =
  (direction: -1 | 1): Command =>
  (state, dispatch) => {
    const cell = cellAtSelection(state)
    if (cell === undefined) return false
    const { position, row, table } = cell
    const width = table.firstChild!.childCount
    const first = hasHeader(state) ? 0 : width
    const next = row * width + cell.column + direction
    if (next < first) return true
    if (next >= table.childCount * width) {
      return addRow("below")(state, dispatch && ((tr) => dispatch(withCursor(tr, position, row + 1, 0))))
    }
    dispatch?.(withCursor(state.tr, position, Math.floor(next / width), next % width))
    return true
  }

/**
 * Goes to the cell below, or adds a row below the last one. Applies if the cursor is in a paragraph of the cell itself,
 * and not in a list or code.
 */
export const goToCellBelow: Command = (state, dispatch) => {
  const cell = cellAtSelection(state)
  if (cell === undefined) return false
  const { $from, empty } = state.selection
  const isPlain =
    state.selection instanceof NodeSelection || (empty && /^table_(?:cell|title)$/.test($from.node(-1).type.name))
  if (!isPlain || (!(state.selection instanceof NodeSelection) && $from.parent.type.name !== "paragraph")) return false
  const { column, position, row, table } = cell
  if (row + 1 >= table.childCount) return addRow("below")(state, dispatch)
  dispatch?.(withCursor(state.tr, position, row + 1, column))
  return true
}

/** Goes to the cell above or below when the cursor is at the first or last line of its cell. */
export const goAcrossCells =
  (direction: -1 | 1): Command =>
  (state, dispatch, view) => {
    const cell = cellAtSelection(state)
    const { selection } = state
    if (cell === undefined || view === undefined) return false
    const isValue = selection instanceof NodeSelection && selection.node.type.name === "table_value"
    if (!isValue) {
      if (!(selection instanceof TextSelection) || !selection.empty) return false
      const { $from } = selection
      const depth = [$from.depth - 1, $from.depth].find((d) => /^table_(?:cell|title)$/.test($from.node(d).type.name))
      if (depth === undefined) return false
      const isEdge = direction < 0 ? $from.index(depth) === 0 : $from.index(depth) === $from.node(depth).childCount - 1
      if (!isEdge || !view.endOfTextblock(direction < 0 ? "up" : "down")) return false
    }
    const { column, position, row, table } = cell
    const target = row + direction
    if (target < (hasHeader(state) ? 0 : 1) || target >= table.childCount) return false
    dispatch?.(withCursor(state.tr, position, target, column))
    return true
  }

/** Writes cells into the table, from the cell at the selection on. Adds rows and columns that are missing. */
export const fillCells = (pasted: Node): Command =>
  inTable((cell, state) => {
    const { column, position, table } = cell
    const row = Math.max(1, cell.row)
    const head = pasted.firstChild!.children
    const hasTitles = viewOf(pasted)["hideHeader"] !== true
    const titles = head.map(({ attrs, textContent }) => {
      const text = textContent === "" ? [] : [schema.text(textContent)]
      return schema.nodes["table_cell"]!.create({ column: attrs["column"] }, schema.node("paragraph", null, text))
    })
    const lines: ReadonlyArray<ReadonlyArray<Node>> = [
      ...(hasTitles ? [titles] : []),
      ...pasted.children.slice(1).map(({ children }) => children)
    ]
    const ids = [...columnIds(table)]
    const added: Array<string> = []
    for (let c = ids.length; c < column + head.length; c++) {
      let number = ids.length + 1
      while (ids.includes(`c${number}`)) number++
      ids.push(`c${number}`)
      added.push(`c${number}`)
    }
    const definitions = ids.map(
      (id, c): Properties => table.firstChild!.maybeChild(c)?.attrs["definition"] ?? { id, type: "text", title: "" }
    )
    const written = (source: Node, c: number, old: Node | undefined): Node => {
      const id = ids[c]!
      const definition = definitions[c]!
      if (definition["type"] === "text") {
        return schema.nodes["table_cell"]!.create(
          old?.type.name === "table_cell" ? old.attrs : { column: id },
          source.type.name === "table_cell" ? source.content : schema.node("paragraph")
        )
      }
      const value = valueOfText(source.textContent.trim(), definition)
      if (value === undefined) return schema.nodes["table_cell"]!.create({ column: id }, source.content)
      const isAbsent = value === absentValue
      return schema.nodes["table_value"]!.create({ column: id, value: isAbsent ? null : value, isAbsent })
    }
    const rowCount = Math.max(table.childCount, row + lines.length)
    const rows = Array.from({ length: rowCount }, (_, r): Node => {
      const old = table.maybeChild(r)
      const line = r < row ? undefined : lines[r - row]
      const cells = ids.map((id, c): Node => {
        const before = old?.maybeChild(c) ?? undefined
        const source = c < column ? undefined : line?.[c - column]
        if (source !== undefined) return written(source, c, before)
        return before ?? (r === 0 ? newTitle(id) : emptyCellOf(id, definitions[c]!))
      })
      return old === null ? schema.node("table_row", null, cells) : old.type.create(old.attrs, cells)
    })
    const data = added.length === 0 ? table.attrs["data"] : withColumns(table, ids, undefined)
    const all =
      added.length === 0
        ? data
        : {
            ...data,
            view: { ...data["view"], columns: [...(objectOrEmpty(data["view"])["columns"] as Array<string>), ...added] }
          }
    return withCursor(withRows(state, cell, all, rows), position, cell.row, column)
  })
