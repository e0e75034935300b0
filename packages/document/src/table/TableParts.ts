/**
 * Rows, columns and cells of a table: extracts, removes or replaces one of them. An extracted part is a table with the
 * same view and no other parts, so any code that displays tables can display it.
 */
import type { Block, Fragment } from "../Document.ts"
import { type Column, type Properties, properties, read, type Row, type Table, textOf } from "./TableContent.ts"

/** Part of a table: a row, a column, or the cell at their intersection. Ids of records and columns. */
export interface Part {
  readonly row?: string
  readonly column?: string
}

/** Extracts parts of one table. The table is read once for any number of parts. */
export interface Shown {
  readonly table: Table
  readonly rows: ReadonlyMap<string, Row>
  readonly columns: ReadonlyMap<string, Column>
  /**
   * Returns a table with only the part. Undefined if the table lacks the part. A column has its header, and its cells
   * if `withCells` is true.
   */
  readonly show: (part: Part, withCells?: boolean) => Block | undefined
}

export const of = (block: Block): Shown | undefined => {
  const table = read(block)
  if (table === undefined) return undefined
  const rows = new Map(table.rows.map((row) => [row.id, row]))
  const columns = new Map(table.columns.map((column) => [column.id, column]))
  const records = properties(block.data?.["records"])
  const definitions = properties(block.data?.["definition"])
  const view = properties(block.data?.["view"])
  const inView = Array.isArray(view["columns"]) ? new Set<unknown>(view["columns"]) : undefined
  const all = Array.from(inView ?? []).filter((id) => columns.has(textOf(id)))
  const show = ({ column, row }: Part, withCells = false): Block | undefined => {
    if (row !== undefined && !rows.has(row)) return undefined
    if (column !== undefined && !columns.has(column)) return undefined
    const shownRows = row !== undefined ? [rows.get(row)!] : withCells ? table.rows : []
    const shownColumns = column === undefined ? table.columns : [columns.get(column)!]
    const valuesOf = ({ values }: Row): Properties =>
      column === undefined ? values : Object.hasOwn(values, column) ? { [column]: values[column] } : {}
    const order =
      inView === undefined ? {} : { columns: column === undefined ? all : inView.has(column) ? [column] : [] }
    const named = [
      ...shownColumns.flatMap(({ definition }) => Object.values(definition)),
      ...shownRows.flatMap((each) => Object.values(valuesOf(each)))
    ]
    return {
      ...block,
      data: {
        ...block.data,
        ...(block.data?.["view"] === undefined ? {} : { view: { ...view, ...order } }),
        // The definition's order includes hidden columns.
        definition: column === undefined ? definitions : { [column]: definitions[column] },
        records: Object.fromEntries(
          shownRows.map((each) => [each.id, { ...properties(records[each.id]), values: valuesOf(each) }])
        )
      },
      ...(block.fragments === undefined
        ? {}
        : {
            fragments: named.flatMap((name) => (typeof name === "string" ? (table.fragments.get(name) ?? []) : []))
          })
    }
  }
  return { table, rows, columns, show }
}

/** Returns the table without the row or column. */
export const without = (block: Block, { column, row }: Part): Block => {
  const table = read(block)
  if (table === undefined) return block
  const { definition, records, view, ...rest } = properties(block.data)
  const isGone = (id: string) => id === column
  const shown = properties(view)
  const dropped = new Set<unknown>([
    ...table.columns.flatMap((each) => (isGone(each.id) ? Object.values(each.definition) : [])),
    ...table.rows.flatMap(({ id, values }) =>
      Object.entries(values).flatMap(([of, value]) => (id === row || isGone(of) ? [value] : []))
    )
  ])
  const entriesWithout = (value: unknown, id: string | undefined) =>
    Object.entries(properties(value)).filter(([each]) => each !== id)
  return {
    ...block,
    data: {
      ...rest,
      ...(view === undefined
        ? {}
        : {
            view: Array.isArray(shown["columns"])
              ? { ...shown, columns: shown["columns"].filter((id) => !isGone(textOf(id))) }
              : shown
          }),
      definition: Object.fromEntries(entriesWithout(definition, column)),
      records: Object.fromEntries(
        entriesWithout(records, row).map(([id, record]) => {
          const values = Object.fromEntries(entriesWithout(properties(record)["values"], column))
          return [id, { ...properties(record), values }]
        })
      )
    },
    ...(block.fragments && { fragments: block.fragments.filter(({ fragment }) => !dropped.has(fragment)) })
  }
}

/** Returns the table with the cell, or the definition of the column, from `source`. */
export const take = (block: Block, { column, row }: Part, source: Block): Block => {
  const [table, from] = [of(block), of(source)]
  if (table === undefined || from === undefined || column === undefined) return block
  const definition = properties(block.data?.["definition"])
  const records = properties(block.data?.["records"])
  const valueIn = (side: Shown): unknown =>
    row === undefined ? side.columns.get(column)?.definition : side.rows.get(row)?.values[column]
  const value = valueIn(from)
  const data =
    row === undefined
      ? { definition: { ...definition, [column]: value } }
      : {
          records: {
            ...records,
            [row]: { ...properties(records[row]), values: withValue(table.rows.get(row)?.values ?? {}, column, value) }
          }
        }
  return {
    ...block,
    data: { ...block.data, ...data },
    ...withFragments(block, { before: valueIn(table), after: value }, from.table)
  }
}

const withValue = (values: Properties, column: string, value: unknown): Properties => {
  const others = Object.entries(values).filter(([id]) => id !== column)
  return Object.fromEntries(value === undefined ? others : [...others, [column, value]])
}

/** Adds the fragments that `after` names, and removes fragments that only `before` names. */
const withFragments = (
  { fragments = [] }: Block,
  { after, before }: { readonly before: unknown; readonly after: unknown },
  source: Table
): { readonly fragments?: ReadonlyArray<Fragment> } => {
  const named = (value: unknown) => new Set<unknown>([value, ...Object.values(properties(value))])
  const [wanted, dropped] = [named(after), named(before)]
  const kept = fragments.filter(({ fragment }) => !dropped.has(fragment) || wanted.has(fragment))
  const present = new Set(kept.map(({ fragment }) => fragment))
  const missing = Array.from(source.fragments.values()).filter(
    ({ fragment }) => wanted.has(fragment) && !present.has(fragment)
  )
  return kept.length + missing.length === 0 && fragments.length === 0 ? {} : { fragments: [...kept, ...missing] }
}
