/**
 * Rows, columns and cells of a table: extracts, removes or replaces one of them. An extracted part is a table with the
 * same view and no other parts, so any code that displays tables can display it.
 */
import type { Block, Fragment } from "../Document.ts"
import {
  type Column,
  type Properties,
  objectOrEmpty,
  readTable,
  type Row,
  type Table,
  stringValue
} from "./TableContent.ts"

/** Part of a table: a row, a column, or the cell at their intersection. Ids of records and columns. */
export interface Part {
  readonly row?: string
  readonly column?: string
}

/** Extracts parts of one table. The table is read once for any number of parts. */
export interface TablePartExtractor {
  readonly table: Table
  readonly rows: ReadonlyMap<string, Row>
  readonly columns: ReadonlyMap<string, Column>
  /**
   * Returns a table with only the part. Undefined if the table lacks the part. A column has its header, and its cells
   * if `withCells` is true.
   */
  readonly extract: (part: Part, withCells?: boolean) => Block | undefined
}

export const tablePartExtractor = (block: Block): TablePartExtractor | undefined => {
  const table = readTable(block)
  if (table === undefined) return undefined
  const rows = new Map(table.rows.map((row) => [row.id, row]))
  const columns = new Map(table.columns.map((column) => [column.id, column]))
  const records = objectOrEmpty(block.data?.["records"])
  const definitions = objectOrEmpty(block.data?.["definition"])
  const view = objectOrEmpty(block.data?.["view"])
  const viewColumns = Array.isArray(view["columns"]) ? new Set<unknown>(view["columns"]) : undefined
  const orderedColumns = Array.from(viewColumns ?? []).filter((id) => columns.has(stringValue(id)))
  const extract = ({ column, row }: Part, withCells = false): Block | undefined => {
    if (row !== undefined && !rows.has(row)) return undefined
    if (column !== undefined && !columns.has(column)) return undefined
    const extractedRows = row !== undefined ? [rows.get(row)!] : withCells ? table.rows : []
    const extractedColumns = column === undefined ? table.columns : [columns.get(column)!]
    const valuesOf = ({ values }: Row): Properties =>
      column === undefined ? values : Object.hasOwn(values, column) ? { [column]: values[column] } : {}
    const order =
      viewColumns === undefined
        ? {}
        : { columns: column === undefined ? orderedColumns : viewColumns.has(column) ? [column] : [] }
    const fragmentNames = [
      ...extractedColumns.flatMap(({ definition }) => Object.values(definition)),
      ...extractedRows.flatMap((each) => Object.values(valuesOf(each)))
    ]
    return {
      ...block,
      data: {
        ...block.data,
        ...(block.data?.["view"] === undefined ? {} : { view: { ...view, ...order } }),
        // The definition's order includes hidden columns.
        definition: column === undefined ? definitions : { [column]: definitions[column] },
        records: Object.fromEntries(
          extractedRows.map((each) => [each.id, { ...objectOrEmpty(records[each.id]), values: valuesOf(each) }])
        )
      },
      ...(block.fragments === undefined
        ? {}
        : {
            fragments: fragmentNames.flatMap((name) =>
              typeof name === "string" ? (table.fragments.get(name) ?? []) : []
            )
          })
    }
  }
  return { table, rows, columns, extract }
}

/** Returns the table without the row or column. */
export const withoutPart = (block: Block, { column, row }: Part): Block => {
  const table = readTable(block)
  if (table === undefined) return block
  const { definition, records, view, ...rest } = objectOrEmpty(block.data)
  const isRemoved = (id: string) => id === column
  const viewProperties = objectOrEmpty(view)
  const removedNames = new Set<unknown>([
    ...table.columns.flatMap((each) => (isRemoved(each.id) ? Object.values(each.definition) : [])),
    ...table.rows.flatMap(({ id, values }) =>
      Object.entries(values).flatMap(([columnId, value]) => (id === row || isRemoved(columnId) ? [value] : []))
    )
  ])
  const entriesWithout = (value: unknown, id: string | undefined) =>
    Object.entries(objectOrEmpty(value)).filter(([each]) => each !== id)
  return {
    ...block,
    data: {
      ...rest,
      ...(view === undefined
        ? {}
        : {
            view: Array.isArray(viewProperties["columns"])
              ? { ...viewProperties, columns: viewProperties["columns"].filter((id) => !isRemoved(stringValue(id))) }
              : viewProperties
          }),
      definition: Object.fromEntries(entriesWithout(definition, column)),
      records: Object.fromEntries(
        entriesWithout(records, row).map(([id, record]) => {
          const values = Object.fromEntries(entriesWithout(objectOrEmpty(record)["values"], column))
          return [id, { ...objectOrEmpty(record), values }]
        })
      )
    },
    ...(block.fragments && { fragments: block.fragments.filter(({ fragment }) => !removedNames.has(fragment)) })
  }
}

/**
 * Returns the table with one part from the table `source`: the cell, or the definition of the column if `row` is
 * undefined.
 */
export const withPartFrom = (block: Block, { column, row }: Part, source: Block): Block => {
  const [table, from] = [tablePartExtractor(block), tablePartExtractor(source)]
  if (table === undefined || from === undefined || column === undefined) return block
  const definition = objectOrEmpty(block.data?.["definition"])
  const records = objectOrEmpty(block.data?.["records"])
  const valueIn = (side: TablePartExtractor): unknown =>
    row === undefined ? side.columns.get(column)?.definition : side.rows.get(row)?.values[column]
  const value = valueIn(from)
  const data =
    row === undefined
      ? { definition: { ...definition, [column]: value } }
      : {
          records: {
            ...records,
            [row]: {
              ...objectOrEmpty(records[row]),
              values: withValue(table.rows.get(row)?.values ?? {}, column, value)
            }
          }
        }
  return {
    ...block,
    data: { ...block.data, ...data },
    ...withFragments(block, { before: valueIn(table), after: value }, from.table)
  }
}

const withValue = (values: Properties, column: string, value: unknown): Properties => {
  const otherEntries = Object.entries(values).filter(([id]) => id !== column)
  return Object.fromEntries(value === undefined ? otherEntries : [...otherEntries, [column, value]])
}

/**
 * Returns the fragments of a table after a cell or a column changed. Adds fragments of `source` that `after` names, and
 * removes fragments that only `before` names.
 */
const withFragments = (
  { fragments = [] }: Block,
  { after, before }: { readonly before: unknown; readonly after: unknown },
  source: Table
): { readonly fragments?: ReadonlyArray<Fragment> } => {
  const namesIn = (value: unknown) => new Set<unknown>([value, ...Object.values(objectOrEmpty(value))])
  const [neededNames, removedNames] = [namesIn(after), namesIn(before)]
  const retainedFragments = fragments.filter(({ fragment }) => !removedNames.has(fragment) || neededNames.has(fragment))
  const presentNames = new Set(retainedFragments.map(({ fragment }) => fragment))
  const missingFragments = Array.from(source.fragments.values()).filter(
    ({ fragment }) => neededNames.has(fragment) && !presentNames.has(fragment)
  )
  return retainedFragments.length + missingFragments.length === 0 && fragments.length === 0
    ? {}
    : { fragments: [...retainedFragments, ...missingFragments] }
}
