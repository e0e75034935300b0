/**
 * Layout of a table in SQLite: one table with a column for each queryable field and the row as a JSON document, an
 * index for each declared one, and a side table for each list field.
 *
 * SQLite compares names without case, so a capital letter is written as `_` and the lowercase letter. The layout is
 * recorded as a fingerprint. A table whose fingerprint differs from its descriptor's is rebuilt from the documents, in
 * the first transaction that needs the table. A derived field that changes its meaning must be renamed, since functions
 * are not part of the fingerprint.
 */
import { StorageError, UniqueConflict } from "@lectern/core/storage/Storage"
import type { Table } from "@lectern/core/storage/Table"
import { type Connection, limitClause, type Reader } from "../connections/Connection.ts"
import { CachedRow, type RowCache } from "./RowCache.ts"

const columnName = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

export interface TableLayout {
  /** Quoted name of the table in SQLite. */
  readonly name: string
  readonly column: (field: string) => string
  readonly fieldOf: (column: string) => string
  readonly listTable: (field: string) => string
  readonly fingerprint: string
  /** Statements that create the table with its indexes and side tables. */
  readonly create: ReadonlyArray<string>
  /** Statements that drop the side tables and rename the table to `aside`. */
  readonly setAside: (lists: ReadonlyArray<string>) => ReadonlyArray<string>
  /** Quoted name of a table that was set aside. */
  readonly aside: string
}

export const layoutOf = (table: Table): TableLayout => {
  const base = columnName(table.name)
  const name = `"t_${base}"`
  const renamedTable = `"old_${base}"`
  const column = (field: string) => `"f_${columnName(field)}"`
  const listTable = (field: string) => `"l_${base}.${columnName(field)}"`
  const columns = (fields: ReadonlyArray<string>) => fields.map(column).join(", ")
  const fields: ReadonlyArray<string> = [...table.fields.keys()]
  const lists: ReadonlyArray<string> = [...table.lists.keys()]
  const byColumn = new Map(fields.map((field) => [`f_${columnName(field)}`, field]))
  return {
    name,
    aside: renamedTable,
    column,
    fieldOf: (column) => byColumn.get(column) ?? column,
    listTable,
    fingerprint: JSON.stringify({ key: table.key, fields, lists, indexes: table.indexes, unique: table.unique }),
    create: [
      // The document is the last column, since columns after a long one are slow to read.
      `CREATE TABLE ${name} (rid INTEGER PRIMARY KEY, ${columns(fields)}, doc TEXT NOT NULL)`,
      `CREATE UNIQUE INDEX "k_${base}" ON ${name} (${columns(table.key)})`,
      ...table.unique.map((unique, i) => `CREATE UNIQUE INDEX "u_${base}.${i}" ON ${name} (${columns(unique)})`),
      // The key follows the indexed fields, so that an index has the whole order of a page.
      ...table.indexes.map((index, i) => {
        const rest = table.key.filter((field) => !index.includes(field))
        return `CREATE INDEX "i_${base}.${i}" ON ${name} (${columns([...index, ...rest])})`
      }),
      ...lists.flatMap((field) => [
        `CREATE TABLE ${listTable(field)} (value TEXT NOT NULL, rid INTEGER NOT NULL REFERENCES ${name} (rid) ` +
          `ON DELETE CASCADE, PRIMARY KEY (value, rid)) WITHOUT ROWID`,
        `CREATE INDEX "r_${base}.${columnName(field)}" ON ${listTable(field)} (rid)`
      ])
    ],
    setAside: (lists) => [
      ...lists.map((field) => `DROP TABLE ${listTable(field)}`),
      `ALTER TABLE ${name} RENAME TO ${renamedTable}`
    ]
  }
}

const find = "SELECT fingerprint FROM lectern_table WHERE name = ?"
const rowsPerSlice = 500

/** Recorded layouts of all tables. */
export class TableLayouts {
  private readonly reader: Reader
  private readonly writer: Connection
  private readonly rows: RowCache
  /** Layouts that the writer sees, by table. `uncommitted`: tables whose layout is not committed yet. */
  private readonly ready = new Map<string, string>()
  private readonly uncommitted = new Set<string>()

  constructor(reader: Reader, writer: Connection, rows: RowCache) {
    this.reader = reader
    this.writer = writer
    this.rows = rows
  }

  /** Returns the committed fingerprint of a table. */
  committed(name: string): string | undefined {
    return this.recorded(false, name)
  }

  /** Returns the fingerprint of a table as the writer sees it. */
  current(name: string): string | undefined {
    return this.ready.get(name) ?? this.recorded(true, name)
  }

  isReady(name: string, layout: TableLayout): boolean {
    if (this.current(name) !== layout.fingerprint) return false
    this.ready.set(name, layout.fingerprint)
    return true
  }

  /** True if readers see the writer's layout. */
  isCommitted(name: string): boolean {
    return !this.uncommitted.has(name)
  }

  /**
   * Creates the table, or rebuilds an existing one. If it throws, the table may be incomplete; the caller rolls back.
   */
  prepare(table: Table, layout: TableLayout, add: (row: object) => void) {
    const { name } = table
    const { fingerprint } = layout
    const current = this.current(name)
    this.uncommitted.add(name)
    if (current !== undefined) {
      const { lists } = JSON.parse(current) as { readonly lists: ReadonlyArray<string> }
      // Otherwise a view of the host that refers to a missing table would fail the renaming.
      this.writer.db.pragma("legacy_alter_table = ON")
      for (const statement of layout.setAside(lists)) this.writer.db.exec(statement)
      this.writer.db.pragma("legacy_alter_table = OFF")
      this.dropIndexes(layout.aside)
    }
    for (const statement of layout.create) this.writer.db.exec(statement)
    this.writer.run("INSERT OR REPLACE INTO lectern_table (name, fingerprint) VALUES (?, ?)", name, fingerprint)
    if (current !== undefined) this.refill(table, layout, add)
    this.ready.set(name, fingerprint)
  }

  onCommit() {
    this.uncommitted.clear()
  }

  onRollback() {
    for (const name of this.uncommitted) this.ready.delete(name)
  }

  /** Cached like a row, since tables without rows are looked up repeatedly. */
  private recorded(isInTransaction: boolean, name: string): string | undefined {
    const key = `\n${name}`
    const lookup = this.rows.get(isInTransaction, key)
    if (lookup !== undefined) return lookup?.doc
    const fingerprint = (isInTransaction ? this.writer : this.reader).pluck(find).get(name) as string | undefined
    this.rows.set(isInTransaction, key, fingerprint === undefined ? null : new CachedRow(0, fingerprint))
    return fingerprint
  }

  private dropIndexes(renamedTable: string) {
    const names = this.writer.db
      .prepare<[string], string>(
        "SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL"
      )
      .pluck()
      .all(renamedTable.slice(1, -1))
    for (const name of names) this.writer.db.exec(`DROP INDEX "${name as unknown as string}"`)
  }

  private refill(table: Table, layout: TableLayout, add: (row: object) => void) {
    const { db } = this.writer
    const next = db
      .prepare<[number, number]>(`SELECT rid, doc FROM ${layout.aside} WHERE rid > ? ORDER BY rid ${limitClause}`)
      .raw()
    let lastRid = -1
    for (;;) {
      const rows = next.all(lastRid, rowsPerSlice) as ReadonlyArray<readonly [number, string]>
      if (rows.length === 0) break
      for (const [rid, doc] of rows) {
        lastRid = rid
        try {
          add(JSON.parse(doc) as object)
        } catch (thrown) {
          if (!(thrown instanceof UniqueConflict)) throw thrown
          const fields = thrown.fields.join(", ")
          throw new StorageError({
            reason: "failed",
            message: `Two rows of "${table.name}" are equal in ${fields}, which has become unique`
          })
        }
      }
    }
    db.exec(`DROP TABLE ${layout.aside}`)
  }
}
