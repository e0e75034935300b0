/**
 * Statements that write the rows of a group of transactions.
 *
 * An update that changes unique fields is a removal and an insertion, since rows of one group may exchange their values.
 */
import type { WrittenRow } from "@lectern/core/storage/Overlay"
import { rowTagOf } from "@lectern/core/storage/Reads"
import { listValues, scalarValues } from "@lectern/core/storage/Row"
import type { Scalar, Table } from "@lectern/core/storage/Table"
import type { Statement } from "../connections/Connection.ts"
import { Parameters } from "./ConditionSql.ts"
import { arrayLiteral, encode, encodeText } from "./Encoding.ts"
import { keysSql } from "./RowQueries.ts"
import type { TableLayout } from "./TableLayout.ts"

type Values = Readonly<Record<string, unknown>>

/** Returns the values of a row by column: fields, lists, and the document. */
const columnValues = (table: Table, layout: TableLayout, row: object): ReadonlyArray<string> => [
  ...scalarValues(table, row).map((value) => encode(value, layout.limit)),
  ...Array.from(table.lists.keys(), (field) =>
    arrayLiteral(new Set(Array.from(listValues(table, field, row), (value) => encodeText(value, layout.limit))))
  ),
  JSON.stringify(row)
]

/** Returns a table expression of rows, with the columns of the layout, and the columns with their types. */
const rowsSql = (table: Table, layout: TableLayout, rows: ReadonlyArray<object>, parameters: Parameters) => {
  const values = rows.map((row) => columnValues(table, layout, row))
  const names = [...layout.columns, ...layout.listColumns, "doc"]
  const arrays = names.map((_, i) =>
    parameters.add(
      values.map((row) => row[i]),
      "text[]"
    )
  )
  const isList = new Set(layout.listColumns)
  return {
    names,
    from: `unnest(${arrays.join(", ")}) AS r (${names.join(", ")})`,
    value: (name: string) => (isList.has(name) ? `r.${name}::text[]` : `r.${name}`)
  }
}

export const insertStatement = (table: Table, layout: TableLayout, rows: ReadonlyArray<object>): Statement => {
  const parameters = new Parameters()
  const { from, names, value } = rowsSql(table, layout, rows, parameters)
  const text = `INSERT INTO ${layout.name} (${names.join(", ")}) SELECT ${names.map(value).join(", ")} FROM ${from}`
  return { text, values: parameters.values }
}

const updateStatement = (table: Table, layout: TableLayout, rows: ReadonlyArray<object>): Statement => {
  const parameters = new Parameters()
  const { from, names, value } = rowsSql(table, layout, rows, parameters)
  const isKey = new Set(layout.keyColumns)
  const set = names.filter((name) => !isKey.has(name)).map((name) => `${name} = ${value(name)}`)
  const where = layout.keyColumns.map((name) => `t.${name} = r.${name}`)
  return {
    text: `UPDATE ${layout.name} AS t SET ${set.join(", ")} FROM ${from} WHERE ${where.join(" AND ")}`,
    values: parameters.values
  }
}

const deleteStatement = (table: Table, layout: TableLayout, rows: ReadonlyArray<object>): Statement => {
  const parameters = new Parameters()
  const text = `DELETE FROM ${layout.name} WHERE ${keysSql(table, layout, rows as ReadonlyArray<Values>, parameters)}`
  return { text, values: parameters.values }
}

const changesUnique = (table: Table, before: object, after: object): boolean => {
  const differs = (field: string) => {
    const getValue = table.fields.get(field)! as (row: object) => Scalar | undefined
    return (getValue(before) ?? null) !== (getValue(after) ?? null)
  }
  return table.unique.some((fields) => fields.some(differs))
}

/** Returns the statements that write rows of one table. */
export const writeStatements = (
  table: Table,
  layout: TableLayout,
  writes: ReadonlyArray<WrittenRow>
): ReadonlyArray<Statement> => {
  const removed: Array<object> = []
  const updated: Array<object> = []
  const inserted: Array<object> = []
  for (const { before, after } of writes) {
    if (before !== undefined && after !== undefined && !changesUnique(table, before, after)) updated.push(after)
    else {
      if (before !== undefined) removed.push(before)
      if (after !== undefined) inserted.push(after)
    }
  }
  return [
    ...(removed.length === 0 ? [] : [deleteStatement(table, layout, removed)]),
    ...(updated.length === 0 ? [] : [updateStatement(table, layout, updated)]),
    ...(inserted.length === 0 ? [] : [insertStatement(table, layout, inserted)])
  ]
}

/**
 * Returns a condition on committed rows: those with the key or a unique combination of new rows, except rows that the
 * group replaces.
 */
export const takenSql = (
  table: Table,
  layout: TableLayout,
  newRows: ReadonlyArray<WrittenRow>,
  replaced: ReadonlyArray<object>,
  parameters: Parameters
): string => {
  const combinations: Array<string> = []
  const inserted = newRows.flatMap(({ before, after }) => (before === undefined && after !== undefined ? [after] : []))
  if (inserted.length > 0) combinations.push(keysSql(table, layout, inserted as ReadonlyArray<Values>, parameters))
  const rows = newRows.flatMap(({ after }) => (after === undefined ? [] : [after]))
  for (const fields of table.unique) {
    const arrays = fields.map((field: string) => {
      const getValue = table.fields.get(field)! as (row: object) => Scalar | undefined
      return parameters.add(
        rows.map((row) => encode(getValue(row) ?? null, layout.limit)),
        "text[]"
      )
    })
    combinations.push(`(${fields.map(layout.column).join(", ")}) IN (SELECT * FROM unnest(${arrays.join(", ")}))`)
  }
  const taken = `(${combinations.length === 0 ? "false" : combinations.join(" OR ")})`
  if (replaced.length === 0) return taken
  return `${taken} AND NOT (${keysSql(table, layout, replaced as ReadonlyArray<Values>, parameters)})`
}

/** Groups writes by table. Different descriptors of a table are one table. */
export const byTable = <W extends { readonly table: Table }>(
  writes: ReadonlyArray<W>
): ReadonlyArray<readonly [Table, ReadonlyArray<W>]> =>
  [...Map.groupBy(writes, ({ table }) => table.name).values()].map((group) => [group[0]!.table, group])

/** Returns the committed rows that a group replaces or removes. */
export const replacedRows = (writes: ReadonlyArray<WrittenRow>): ReadonlyArray<object> =>
  writes.flatMap(({ before }) => (before === undefined ? [] : [before]))

export const tagOf = (table: Table, row: object): string => rowTagOf(table, row as Values)
