/**
 * Statements for requests of rows, and the results of these statements. All rows of a table that are requested by their
 * keys take one statement, and each list and each number one.
 *
 * A query whose order or condition depends on long texts (see `Encoding`) fetches all rows that may match, and is
 * evaluated in the process.
 */
import type { Condition } from "@lectern/core/storage/Condition"
import { rowTagOf } from "@lectern/core/storage/Reads"
import { isStorable, stored } from "@lectern/core/storage/Row"
import { indexed, matcher, selected } from "@lectern/core/storage/RowQuery"
import { orderFields, type Query } from "@lectern/core/storage/Storage"
import type { Scalar, Table } from "@lectern/core/storage/Table"
import type { Result, Statement } from "../connections/Connection.ts"
import { conditionSql, Parameters } from "./ConditionSql.ts"
import { encode, isLong } from "./Encoding.ts"
import type { TableLayout } from "./TableLayout.ts"

type Values = Readonly<Record<string, unknown>>

/** Statement with the conversion of its result. `LookupAgain`: the rows don't suffice. */
export interface Lookup<A> {
  readonly statement: Statement
  readonly read: (result: Result) => A | LookupAgain<A>
}

/** Lookup that replaces another one. */
export class LookupAgain<A> {
  readonly lookup: Lookup<A>

  constructor(lookup: Lookup<A>) {
    this.lookup = lookup
  }
}

/** Returns the row of a document. */
export const rowOf = (table: Table, doc: unknown): object => stored(table, JSON.parse(doc as string) as object)

/** Returns a test that selects rows by their encoded keys. */
export const keysSql = (
  table: Table,
  layout: TableLayout,
  keys: ReadonlyArray<Values>,
  parameters: Parameters
): string => {
  const columns = table.key.map((field: string) =>
    parameters.add(
      keys.map((key) => encode(key[field] as string, layout.limit)),
      "text[]"
    )
  )
  if (columns.length === 1) return `${layout.keyColumns[0]} = ANY(${columns[0]})`
  return `(${layout.keyColumns.join(", ")}) IN (SELECT * FROM unnest(${columns.join(", ")}))`
}

/** Looks up rows by their keys. The result has the rows by their tags. */
export const rowsLookup = (
  table: Table,
  layout: TableLayout,
  keys: ReadonlyArray<Values>
): Lookup<ReadonlyMap<string, object>> => {
  const parameters = new Parameters()
  const storable = keys.filter((key) => table.key.every((field: string) => isStorable(key[field] as string)))
  const text = `SELECT doc FROM ${layout.name} WHERE ${keysSql(table, layout, storable, parameters)}`
  return {
    statement: { text, values: parameters.values },
    read: ({ rows }) =>
      new Map(
        rows.map(([doc]) => {
          const row = rowOf(table, doc)
          return [rowTagOf(table, row as Values), row]
        })
      )
  }
}

export const listLookup = (table: Table, layout: TableLayout, query: Query<Table>): Lookup<ReadonlyArray<object>> => {
  const { after, descending = false, limit } = query
  const order = orderFields(table, query.order)
  if (after !== undefined && !after.every((value) => typeof value !== "string" || isStorable(value))) return noRows
  const parameters = new Parameters()
  const condition = conditionSql(table, layout, query.where, parameters)
  const isDecidedHere = !condition.isExact || after?.some((value) => isLong(value, layout.limit)) === true
  if (isDecidedHere) return scanLookup(table, layout, query)
  let text = `SELECT doc FROM ${layout.name} WHERE ${condition.text}`
  if (after !== undefined) {
    const columns = order.slice(0, after.length).map(layout.column)
    const values = after.slice(0, columns.length).map((value) => parameters.add(encode(value, layout.limit), "text"))
    text += ` AND (${columns.join(", ")}) ${descending ? "<" : ">"} (${values.join(", ")})`
  }
  text += ` ORDER BY ${order.map((field) => layout.column(field) + (descending ? " DESC" : "")).join(", ")}`
  if (limit !== undefined) text += ` LIMIT ${parameters.add(Math.max(0, limit), "bigint")}`
  const accessors = order.map((field) => table.fields.get(field)!)
  return {
    statement: { text, values: parameters.values },
    read: (result) => {
      const rows = result.rows.map(([doc]) => rowOf(table, doc))
      const hasLongValues = rows.some((row) =>
        accessors.some((getValue) => isLong((getValue(row) ?? null) as Scalar, layout.limit))
      )
      return hasLongValues ? new LookupAgain(scanLookup(table, layout, query)) : rows
    }
  }
}

const noRows: Lookup<ReadonlyArray<object>> = { statement: { text: "SELECT 1" }, read: () => [] }

/** Fetches all rows that may match a query, and selects those that do. */
const scanLookup = (table: Table, layout: TableLayout, query: Query<Table>): Lookup<ReadonlyArray<object>> => {
  const parameters = new Parameters()
  const condition = conditionSql(table, layout, query.where, parameters)
  return {
    statement: { text: `SELECT doc FROM ${layout.name} WHERE ${condition.text}`, values: parameters.values },
    read: ({ rows }) => {
      const candidates = rows.map(([doc]) => indexed(table, rowOf(table, doc)))
      return selected(table, candidates.filter(matcher(table, query.where)), query).map(({ row }) => row)
    }
  }
}

export const countLookup = (table: Table, layout: TableLayout, where: Condition<Table>): Lookup<number> => {
  const parameters = new Parameters()
  const condition = conditionSql(table, layout, where, parameters)
  if (!condition.isExact) {
    const scan = scanLookup(table, layout, { where })
    return { statement: scan.statement, read: (result) => (scan.read(result) as ReadonlyArray<object>).length }
  }
  return {
    statement: { text: `SELECT count(*) FROM ${layout.name} WHERE ${condition.text}`, values: parameters.values },
    read: ({ rows }) => rows[0]![0] as number
  }
}
