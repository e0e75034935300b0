/**
 * The record of how each table is laid out, and the change from one layout to the next: the rows
 * are written anew from their documents, in the transaction that first needs them.
 */
import { StorageError, UniqueConflict } from "@lectern/core/storage/Storage"
import type { Table } from "@lectern/core/storage/Table"
import { type Connection, limited, type Reader } from "./Connection.ts"
import { KnownRow, type RowCache } from "./RowCache.ts"
import type { TableLayout } from "./TableLayout.ts"

const find = "SELECT fingerprint FROM lectern_table WHERE name = ?"
const slice = 500

export class TableLayouts {
  private readonly reader: Reader
  private readonly writer: Connection
  private readonly rows: RowCache
  /** Layouts of tables that the writer has, by table, and the tables among them that are not committed yet. */
  private readonly ready = new Map<string, string>()
  private readonly uncommitted = new Set<string>()

  constructor(reader: Reader, writer: Connection, rows: RowCache) {
    this.reader = reader
    this.writer = writer
    this.rows = rows
  }

  /** The fingerprint of a table as everybody sees it. */
  committed(name: string): string | undefined {
    return this.recorded(false, name)
  }

  /** The fingerprint of a table as the writer sees it. */
  current(name: string): string | undefined {
    return this.ready.get(name) ?? this.recorded(true, name)
  }

  isReady(name: string, layout: TableLayout): boolean {
    if (this.current(name) !== layout.fingerprint) return false
    this.ready.set(name, layout.fingerprint)
    return true
  }

  /** Tells whether readers see the layout that the writer has. */
  isCommitted(name: string): boolean {
    return !this.uncommitted.has(name)
  }

  /** Makes the table, out of the one that is there. Throws with half of it done. */
  prepare(table: Table, layout: TableLayout, add: (row: object) => void) {
    const { name } = table
    const { fingerprint } = layout
    const current = this.current(name)
    this.uncommitted.add(name)
    if (current !== undefined) {
      const { lists } = JSON.parse(current) as { readonly lists: ReadonlyArray<string> }
      for (const statement of layout.putAside(lists)) this.writer.db.exec(statement)
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

  /** Kept like a row: a table that nobody has written to yet is asked for again and again. */
  private recorded(inside: boolean, name: string): string | undefined {
    const key = `\n${name}`
    const known = this.rows.get(inside, key)
    if (known !== undefined) return known?.doc
    const found = (inside ? this.writer : this.reader).pluck(find).get(name) as string | undefined
    this.rows.keep(inside, key, found === undefined ? null : new KnownRow(0, found))
    return found
  }

  private dropIndexes(aside: string) {
    const names = this.writer.db
      .prepare<[string], string>(
        "SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL"
      )
      .pluck()
      .all(aside.slice(1, -1))
    for (const name of names) this.writer.db.exec(`DROP INDEX "${name as unknown as string}"`)
  }

  private refill(table: Table, layout: TableLayout, add: (row: object) => void) {
    const { db } = this.writer
    const next = db
      .prepare<[number, number]>(`SELECT rid, doc FROM ${layout.aside} WHERE rid > ? ORDER BY rid ${limited}`)
      .raw()
    let last = -1
    for (;;) {
      const rows = next.all(last, slice) as ReadonlyArray<readonly [number, string]>
      if (rows.length === 0) break
      for (const [rid, doc] of rows) {
        last = rid
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
