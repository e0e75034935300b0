/**
 * Compares the rows of a table with their index columns and list tables, which are derived from the row (see
 * `TableLayout`). A row that differs is missing from query results, or is in the wrong ones.
 *
 * Limits: reports at most 10 rows per table and counts all. Tables with the layout of another version are skipped,
 * since they will be rebuilt.
 */
import { listValues, scalarValues } from "@lectern/core/storage/Row"
import type { Table } from "@lectern/core/storage/Table"
import type Database from "better-sqlite3"
import { type SqlValue, toSql } from "./SqlValue.ts"
import { layoutOf } from "./TableLayout.ts"

const maxListedRows = 10
const slice = 500

export interface RowReport {
  readonly faults: ReadonlyArray<string>
  /** True if every row is JSON with the key of its index, so that the whole table can be read. */
  readonly isReadable: boolean
}

const sound: RowReport = { faults: [], isReadable: true }

export const checkRows = (database: Database.Database, table: Table): RowReport => {
  const layout = layoutOf(table)
  const recorded = database.prepare("SELECT fingerprint FROM lectern_table WHERE name = ?").pluck().get(table.name)
  if (recorded !== layout.fingerprint) return sound
  const name = layout.name.slice(1, -1)
  const tableQuery = database.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?").pluck()
  if (tableQuery.get(name) === undefined) return { faults: [`The table ${name} is missing`], isReadable: false }

  const fields = [...table.fields.keys()]
  const columns = fields.map(layout.column)
  const rows = database
    .prepare(`SELECT rid, doc, ${columns.join(", ")} FROM ${layout.name} WHERE rid > ? ORDER BY rid LIMIT ${slice}`)
    .raw()
  const lists = [...table.lists.keys()].map((field) => ({
    field,
    values: database.prepare(`SELECT value FROM ${layout.listTable(field)} WHERE rid = ?`).pluck()
  }))
  /** Returns the fields whose columns differ from the row. Undefined if the document is not a row of this table. */
  const differingFields = (
    rid: number,
    row: object,
    storedValues: ReadonlyArray<SqlValue>
  ): ReadonlyArray<string> | undefined => {
    try {
      const values = scalarValues(table, row)
      return [
        ...fields.filter((_, i) => !equalValues(toSql(values[i]!), storedValues[i]!)),
        ...lists.flatMap((list) =>
          equalSets(listValues(table, list.field, row), new Set(list.values.all(rid) as ReadonlyArray<string>))
            ? []
            : [list.field]
        )
      ]
    } catch {
      return undefined
    }
  }

  const faults: Array<string> = []
  let isReadable = true
  let count = 0
  for (let lastRid = -Infinity; ;) {
    const batch = rows.all(lastRid) as ReadonlyArray<readonly [number, string, ...ReadonlyArray<SqlValue>]>
    for (const [rid, doc, ...storedValues] of batch) {
      lastRid = rid
      const row = parsed(doc)
      // A row that is not JSON only makes the file unreadable here. Such rows are counted elsewhere.
      if (row === undefined) isReadable = false
      const differences = row === undefined ? [] : differingFields(rid, row, storedValues)
      if (differences?.length === 0) continue
      if (differences === undefined || table.key.some((field) => differences.includes(field))) isReadable = false
      if (++count > maxListedRows) continue
      faults.push(
        differences === undefined
          ? `The row ${rid} of ${name} is none of that table`
          : `The row ${rid} of ${name} is found by another ${differences.join(", ")} than it has`
      )
    }
    if (batch.length < slice) break
  }
  if (count > maxListedRows) faults.push(`and so are ${count - maxListedRows} more rows of ${name}`)
  return { faults, isReadable }
}

const parsed = (doc: string): object | undefined => {
  try {
    const row: unknown = JSON.parse(doc)
    return typeof row === "object" && row !== null ? row : {}
  } catch {
    return undefined
  }
}

const equalValues = (value: SqlValue, otherValue: SqlValue) =>
  Buffer.isBuffer(value) ? Buffer.isBuffer(otherValue) && value.equals(otherValue) : value === otherValue

const equalSets = (set: ReadonlySet<string>, otherSet: ReadonlySet<string>) =>
  set.size === otherSet.size && [...set].every((value) => otherSet.has(value))
