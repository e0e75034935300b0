/** Synchronous operations of one table. An operation that throws rolls back its own writes. */
import type { Condition } from "@lectern/core/storage/Condition"
import { changedScalars, listValues, patchStored, scalarValues, stored } from "@lectern/core/storage/Row"
import { orderFields, type Query, StorageError, UniqueConflict } from "@lectern/core/storage/Storage"
import type { Scalar, Table } from "@lectern/core/storage/Table"
import { conditionSql } from "./ConditionSql.ts"
import { type Connection, limitClause, type Reader } from "../connections/Connection.ts"
import { conflictingColumns } from "../connections/SqliteFailure.ts"
import { type CacheLookup, CachedRow } from "./RowCache.ts"
import type { SqliteDatabase } from "./SqliteDatabase.ts"
import { canOccur, type SqlValue, toSql } from "./SqlValue.ts"
import { layoutOf, type TableLayout } from "./TableLayout.ts"

/** Change of one row. */
interface Change {
  readonly rid: number
  readonly before: object
  readonly after: object
  readonly key: string
  readonly doc: string
  readonly columns: ReadonlyArray<string>
  readonly values: ReadonlyArray<SqlValue>
  readonly lists: ReadonlyArray<ListChange>
}

interface ListChange {
  readonly field: string
  readonly removed: ReadonlyArray<string>
  readonly added: ReadonlyArray<string>
}

type Key = Readonly<Record<string, string>>

const parse = (doc: unknown) => JSON.parse(doc as string) as object

export class SqliteTable {
  private readonly table: Table
  private readonly layout: TableLayout
  private readonly database: SqliteDatabase
  private readonly writer: Connection
  private readonly columnNames: ReadonlyArray<string>
  private readonly uniqueColumns: ReadonlyArray<string>
  private readonly getSql: string
  private readonly lastSql: string
  private readonly insertSql: string
  /** True if the committed layout is final, so that it need not be checked again. */
  isLayoutFinal = false
  /** Cache key of the row that was appended last. */
  private readonly lastKey: string

  constructor(table: Table, database: SqliteDatabase) {
    this.table = table
    this.database = database
    this.writer = database.connections.writer
    this.lastKey = `${table.name}\0`
    const layout = (this.layout = layoutOf(table))
    this.uniqueColumns = [...new Set<string>(table.unique.flat())].map(layout.column)
    const columns = (this.columnNames = [...table.fields.keys()].map(layout.column))
    this.getSql = `SELECT rid, doc FROM ${layout.name} WHERE ${table.key.map((field) => `${layout.column(field)} = ?`).join(" AND ")}`
    this.lastSql = `SELECT rid, doc FROM ${layout.name} ORDER BY rid DESC LIMIT 1`
    this.insertSql =
      `INSERT INTO ${layout.name} (${[...columns, "doc"].join(", ")}) ` +
      `VALUES (${[...columns, "doc"].map(() => "?").join(", ")})`
  }

  /** True if the committed table has the layout of another version of the descriptor, so that it cannot be read. */
  isStale(): boolean {
    if (this.isLayoutFinal) return false
    this.database.connections.refresh()
    const fingerprint = this.database.layouts.committed(this.table.name)
    this.isLayoutFinal = fingerprint === this.layout.fingerprint
    return fingerprint !== undefined && !this.isLayoutFinal
  }

  /** Migrates the table to the layout of its descriptor, within the current transaction. */
  prepare() {
    const { layouts } = this.database
    if (this.isLayoutFinal) return
    if (layouts.isReady(this.table.name, this.layout)) {
      this.isLayoutFinal = layouts.isCommitted(this.table.name)
      return
    }
    try {
      this.writer.atomically(() => layouts.prepare(this.table, this.layout, (row) => this.add(row)))
    } finally {
      this.database.rows.invalidateAll()
    }
  }

  get(isInTransaction: boolean, key: Key): object | undefined {
    const connection = this.readable(isInTransaction)
    if (connection === undefined) return undefined
    const values = this.table.key.map((field) => key[field] as string)
    if (!values.every(canOccur)) return undefined
    return this.cached(isInTransaction, this.keyOf(values), () => connection.raw(this.getSql).get(...values))?.row
  }

  list(isInTransaction: boolean, query: Query<Table>): ReadonlyArray<object> {
    const connection = this.readable(isInTransaction)
    if (connection === undefined) return []
    const where = conditionSql(this.table, this.layout, query.where)
    const values: Array<SqlValue> = [...where.values]
    const columns = orderFields(this.table, query.order).map(this.layout.column)
    const [direction, comparison] = query.descending === true ? ["DESC", "<"] : ["ASC", ">"]
    let text = `SELECT doc FROM ${this.layout.name} WHERE ${where.text}`
    if (query.after !== undefined) {
      const after = query.after.slice(0, columns.length)
      if (after.length === 0 || !after.every(canOccur)) return []
      text += ` AND (${columns.slice(0, after.length).join(", ")}) ${comparison} (${after.map(() => "?").join(", ")})`
      values.push(...after.map(toSql))
    }
    text += ` ORDER BY ${columns.map((column) => `${column} ${direction}`).join(", ")}`
    if (query.limit !== undefined) {
      text += ` ${limitClause}`
      values.push(Math.max(0, Math.min(Number.MAX_SAFE_INTEGER, Math.floor(query.limit))))
    }
    return connection
      .pluck(text)
      .all(...values)
      .map(parse)
  }

  count(isInTransaction: boolean, where: Condition<Table>): number {
    const connection = this.readable(isInTransaction)
    if (connection === undefined) return 0
    const { text, values } = conditionSql(this.table, this.layout, where)
    return connection.pluck(`SELECT count(*) FROM ${this.layout.name} WHERE ${text}`).get(...values) as number
  }

  insert(row: object): CachedRow {
    this.prepare()
    return this.table.lists.size === 0 ? this.add(row) : this.writer.atomically(() => this.add(row))
  }

  /** Appends a row. The last row is the one with the greatest `rid`, since all rows are appended. */
  append(rowAfter: (last: string | undefined) => object) {
    this.prepare()
    const lastRow = this.cached(true, this.lastKey, () => this.writer.raw(this.lastSql).get())?.row
    const row = rowAfter((lastRow as Key | undefined)?.[this.table.key.at(-1)!])
    this.database.rows.setPending(this.lastKey, this.insert(row))
  }

  update(where: Condition<Table>, patch: object): number {
    this.prepare()
    const changes = this.matching(where).map(({ rid, row }) => this.change(rid, row, patch))
    const [first] = changes
    if (changes.length === 1 && first!.lists.length === 0) this.apply(first!)
    else if (changes.length > 0) {
      this.writer.atomically(() => {
        if (changes.length > 1) this.clearUnique(changes)
        for (const change of changes) this.apply(change)
      })
    }
    // Bulk updates are rarely read by key afterwards, so they are not cached.
    const isSingleChange = changes.length === 1
    for (const { key, rid, doc, before, after } of changes) {
      this.database.rows.setPending(key, isSingleChange ? new CachedRow(rid, doc, after) : undefined)
      this.database.writtenRows.addRow(this.table, before, after)
    }
    return changes.length
  }

  remove(where: Condition<Table>): number {
    this.prepare()
    const { text, values } = conditionSql(this.table, this.layout, where)
    const key = this.keyWithin(where)
    const { rows, writtenRows } = this.database
    const [removed] = key === undefined || !writtenRows.tracksRows(this.table) ? [] : this.matching(where)
    const { changes } = this.writer.run(`DELETE FROM ${this.layout.name} WHERE ${text}`, ...values)
    if (changes === 0) return 0
    if (key === undefined) {
      rows.invalidateAll()
      writtenRows.addTable(this.table)
    } else {
      rows.setPending(key, null)
      writtenRows.addRow(this.table, removed?.row, undefined)
      rows.setPending(this.lastKey, undefined)
    }
    return changes
  }

  /** Returns the connection for reads. Undefined if the table has no rows yet. */
  private readable(isInTransaction: boolean): Reader | undefined {
    if (this.isLayoutFinal) return isInTransaction ? this.writer : this.database.connections.reader
    if (isInTransaction) {
      const fingerprint = this.database.layouts.current(this.table.name)
      if (fingerprint !== undefined && fingerprint !== this.layout.fingerprint) this.prepare()
      return fingerprint === undefined ? undefined : this.writer
    }
    if (this.isStale())
      throw new StorageError({ reason: "unavailable", message: `"${this.table.name}" is being rebuilt` })
    return this.isLayoutFinal ? this.database.connections.reader : undefined
  }

  private add(input: object): CachedRow {
    const { rows } = this.database
    const row = stored(this.table, input)
    const doc = JSON.stringify(row)
    const { lastInsertRowid } = this.withConflicts(() => this.writer.run(this.insertSql, ...this.columns(row), doc))
    for (const field of this.table.lists.keys()) {
      for (const value of listValues(this.table, field, row)) this.addToList(field, value, lastInsertRowid)
    }
    const values = this.table.key.map((field) => (row as Key)[field]!)
    rows.setPending(this.keyOf(values), undefined)
    this.database.writtenRows.addRow(this.table, undefined, row)
    return new CachedRow(Number(lastInsertRowid), doc, row)
  }

  /** Returns the matching rows as the writer sees them. */
  private matching(where: Condition<Table>): ReadonlyArray<{ readonly rid: number; readonly row: object }> {
    const key = this.isLayoutFinal ? this.keyOfCondition(where) : undefined
    const cachedRow = key === undefined ? undefined : this.database.rows.get(true, key)
    if (cachedRow !== undefined) return cachedRow === null ? [] : [cachedRow]
    const { text, values } = conditionSql(this.table, this.layout, where)
    const storedRows = this.writer.raw(`SELECT rid, doc FROM ${this.layout.name} WHERE ${text}`).all(...values)
    return (storedRows as ReadonlyArray<readonly [number, string]>).map((values) => new CachedRow(...values))
  }

  /** Returns a row by key, cached or read. Rows are not cached while the table may still be rebuilt. */
  private cached(isInTransaction: boolean, key: string, read: () => unknown): CachedRow | null {
    const { rows } = this.database
    if (this.isLayoutFinal) {
      if (!isInTransaction) this.database.connections.refresh()
      const lookup: CacheLookup = rows.get(isInTransaction, key)
      if (lookup !== undefined) return lookup
    }
    const storedRow = read() as readonly [number, string] | undefined
    const loadedRow = storedRow === undefined ? null : new CachedRow(...storedRow)
    if (this.isLayoutFinal) rows.set(isInTransaction, key, loadedRow)
    return loadedRow
  }

  /**
   * Returns the cache key of a row. Values of keys hold no NUL, and table names no line break, so keys are unambiguous.
   */
  private keyOf(values: ReadonlyArray<string>): string {
    return `${this.table.name}\n${values.join("\0")}`
  }

  /** Returns the cache key if the condition is exactly one row's key. Undefined otherwise. */
  private keyOfCondition(where: Condition<Table>): string | undefined {
    return Object.keys(where).length === this.table.key.length ? this.keyWithin(where) : undefined
  }

  /** Returns the cache key of the only row that can match. The condition may test other fields, too. */
  private keyWithin(where: Condition<Table>): string | undefined {
    const clause = where as Readonly<Record<string, unknown>>
    const values = this.table.key.map((field) => clause[field])
    return values.every((value) => typeof value === "string") ? this.keyOf(values) : undefined
  }

  /**
   * Returns the columns that a patch changes. Only these are written, since each column may be part of several indexes.
   */
  private change(rid: number, oldRow: object, patch: object): Change {
    const after = patchStored(this.table, oldRow, patch)
    const doc = JSON.stringify(after)
    const columns: Array<string> = []
    const values: Array<SqlValue> = []
    for (const [index, value] of changedScalars(this.table, oldRow, after)) {
      columns.push(this.columnNames[index]!)
      values.push(toSql(value))
    }
    columns.push("doc")
    values.push(doc)
    const lists: Array<ListChange> = []
    for (const field of this.table.lists.keys()) {
      const oldValues = listValues(this.table, field, oldRow)
      const newValues = listValues(this.table, field, after)
      const removed = [...oldValues].filter((value) => !newValues.has(value))
      const added = [...newValues].filter((value) => !oldValues.has(value))
      if (removed.length + added.length > 0) lists.push({ field, removed, added })
    }
    const key = this.keyOf(this.table.key.map((field) => (oldRow as Key)[field]!))
    return { rid, before: oldRow, after, key, doc, columns, values, lists }
  }

  private apply({ rid, columns, values, lists }: Change) {
    const { writer } = this
    const set = columns.map((column) => `${column} = ?`).join(", ")
    this.withConflicts(() => writer.run(`UPDATE ${this.layout.name} SET ${set} WHERE rid = ?`, ...values, rid))
    for (const { field, removed, added } of lists) {
      const list = this.layout.listTable(field)
      for (const value of removed) writer.run(`DELETE FROM ${list} WHERE value = ? AND rid = ?`, value, rid)
      for (const value of added) this.addToList(field, value, rid)
    }
  }

  /** Sets unique columns to null first, so that rows of one update do not conflict with each other's old values. */
  private clearUnique(changes: ReadonlyArray<Change>) {
    for (const { rid, columns } of changes) {
      const clearedColumns = this.uniqueColumns.filter((column) => columns.includes(column))
      if (clearedColumns.length === 0) continue
      const set = clearedColumns.map((column) => `${column} = NULL`).join(", ")
      this.writer.run(`UPDATE ${this.layout.name} SET ${set} WHERE rid = ?`, rid)
    }
  }

  private addToList(field: string, value: string, rid: number | bigint) {
    this.writer.run(`INSERT INTO ${this.layout.listTable(field)} (value, rid) VALUES (?, ?)`, value, rid)
  }

  private columns(row: object): ReadonlyArray<SqlValue> {
    return scalarValues(this.table, row).map((value: Scalar) => toSql(value))
  }

  private withConflicts<A>(run: () => A): A {
    try {
      return run()
    } catch (thrown) {
      const columns = conflictingColumns(thrown)
      if (columns === undefined) throw thrown
      throw new UniqueConflict({ table: this.table.name, fields: columns.map(this.layout.fieldOf) })
    }
  }
}
