/**
 * Tables of rows in PostgreSQL. A table is created before its first use, and its rows are copied to a new one if its
 * descriptor has changed.
 */
import type { Table } from "@lectern/core/storage/Table"
import { StorageError } from "@lectern/core/storage/Storage"
import type { Connections, Send } from "../connections/Connections.ts"
import { storageFailure } from "../connections/PostgresFailure.ts"
import { rowOf } from "./RowQueries.ts"
import { insertStatement } from "./RowWrites.ts"
import { layoutOf, quoted, type TableLayout } from "./TableLayout.ts"

const rowsPerSlice = 1_000
const uniqueViolation = "23505"

export class Tables {
  readonly #connections: Connections
  readonly #schema: string
  readonly #layouts = new WeakMap<Table, TableLayout>()
  /** Fingerprints of the tables in PostgreSQL, by name. */
  readonly #existing = new Map<string, string>()

  /** `schema`: quoted name. */
  constructor(connections: Connections, schema: string) {
    this.#connections = connections
    this.#schema = schema
  }

  layout(table: Table): TableLayout {
    const existing = this.#layouts.get(table)
    if (existing !== undefined) return existing
    const layout = layoutOf(this.#schema, table)
    this.#layouts.set(table, layout)
    return layout
  }

  /** Reads the layouts of all tables. */
  async load(): Promise<void> {
    const [{ rows } = { rows: [] }] = await this.#connections.read([this.#fingerprints])
    for (const [name, fingerprint] of rows) this.#existing.set(name as string, fingerprint as string)
  }

  /** Creates tables that are missing or outdated. */
  async prepare(tables: Iterable<Table>): Promise<void> {
    const missing = new Map<string, Table>()
    for (const table of tables) if (!this.#isReady(table)) missing.set(table.name, table)
    if (missing.size === 0) return
    await this.#connections.write(async (send) => {
      const results = await send([{ text: "BEGIN" }, this.#lock, this.#fingerprints])
      try {
        for (const { error } of results) if (error !== undefined) throw storageFailure(error)
        for (const [name, fingerprint] of results[2]!.rows) this.#existing.set(name as string, fingerprint as string)
        for (const table of missing.values()) if (!this.#isReady(table)) await this.#create(send, table)
        await run(send, ["COMMIT"])
      } catch (thrown) {
        for (const name of missing.keys()) this.#existing.delete(name)
        await send([{ text: "ROLLBACK" }])
        throw thrown
      }
    })
  }

  get #lock() {
    return { text: `SELECT seq FROM ${this.#schema}.lectern_store FOR UPDATE` }
  }

  get #fingerprints() {
    return { text: `SELECT name, fingerprint FROM ${this.#schema}.lectern_table` }
  }

  #isReady(table: Table): boolean {
    return this.#existing.get(table.name) === this.layout(table).fingerprint
  }

  async #create(send: Send, table: Table): Promise<void> {
    const layout = this.layout(table)
    const { fingerprint, name } = layout
    const isOutdated = this.#existing.has(table.name)
    const newName = `n_${table.name}`
    if (isOutdated) {
      const copy = { ...layout, name: `${this.#schema}.${quoted(newName)}` }
      await run(send, layout.create(copy.name))
      await this.#copy(send, table, name, copy)
      await run(send, [`DROP TABLE ${name}`, `ALTER TABLE ${copy.name} RENAME TO ${quoted(`t_${table.name}`)}`])
    } else await run(send, layout.create(name))
    const record =
      `INSERT INTO ${this.#schema}.lectern_table (name, fingerprint) VALUES ($1, $2) ` +
      "ON CONFLICT (name) DO UPDATE SET fingerprint = excluded.fingerprint"
    const [result] = await send([{ text: record, values: [table.name, fingerprint] }])
    if (result!.error !== undefined) throw storageFailure(result!.error)
    this.#existing.set(table.name, fingerprint)
  }

  /** Copies rows to a table with another layout. */
  async #copy(send: Send, table: Table, name: string, copy: TableLayout): Promise<void> {
    await run(send, [`DECLARE rows CURSOR FOR SELECT doc FROM ${name}`])
    for (;;) {
      const [slice] = await send([{ text: `FETCH ${rowsPerSlice} FROM rows` }])
      if (slice!.error !== undefined) throw storageFailure(slice!.error)
      if (slice!.rows.length === 0) break
      const rows = slice!.rows.map(([doc]) => rowOf(table, doc))
      const [inserted] = await send([insertStatement(table, copy, rows)])
      const error = inserted!.error as { readonly code?: string } | undefined
      if (error?.code === uniqueViolation) {
        const message = `Two rows of "${table.name}" are equal in fields that have become unique`
        throw new StorageError({ reason: "failed", message, cause: error })
      }
      if (error !== undefined) throw storageFailure(error)
    }
    await run(send, ["CLOSE rows"])
  }
}

const run = async (send: Send, texts: ReadonlyArray<string>): Promise<void> => {
  for (const { error } of await send(texts.map((text) => ({ text })))) {
    if (error !== undefined) throw storageFailure(error)
  }
}
