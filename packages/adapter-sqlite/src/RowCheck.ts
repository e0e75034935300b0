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

const named = 10
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
  const isThere = database.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?").pluck()
  if (isThere.get(name) === undefined) return { faults: [`The table ${name} is missing`], isReadable: false }

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
  const unlike = (rid: number, row: object, stored: ReadonlyArray<SqlValue>): ReadonlyArray<string> | undefined => {
    try {
      const values = scalarValues(table, row)
      return [
        ...fields.filter((_, i) => !equalValues(toSql(values[i]!), stored[i]!)),
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
  for (let last = -Infinity; ;) {
    const found = rows.all(last) as ReadonlyArray<readonly [number, string, ...ReadonlyArray<SqlValue>]>
    for (const [rid, doc, ...stored] of found) {
      last = rid
      const row = parsed(doc)
      // A row that is not JSON only makes the file unreadable here. Such rows are counted elsewhere.
      if (row === undefined) isReadable = false
      const other = row === undefined ? [] : unlike(rid, row, stored)
      if (other?.length === 0) continue
      if (other === undefined || table.key.some((field) => other.includes(field))) isReadable = false
      if (++count > named) continue
      faults.push(
        other === undefined
          ? `The row ${rid} of ${name} is none of that table`
          : `The row ${rid} of ${name} is found by another ${other.join(", ")} than it has`
      )
    }
    if (found.length < slice) break
  }
  if (count > named) faults.push(`and so are ${count - named} more rows of ${name}`)
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

const equalValues = (one: SqlValue, other: SqlValue) =>
  Buffer.isBuffer(one) ? Buffer.isBuffer(other) && one.equals(other) : one === other

const equalSets = (one: ReadonlySet<string>, other: ReadonlySet<string>) =>
  one.size === other.size && [...one].every((value) => other.has(value))
