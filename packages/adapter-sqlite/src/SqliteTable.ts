/** The operations of one table: each of them synchronous, and undone by itself where it throws. */
import type { Condition } from "@lectern/core/storage/Condition"
import { changedScalars, listValues, patchStored, scalarValues, stored } from "@lectern/core/storage/Row"
import { orderFields, type Query, StorageError, UniqueConflict } from "@lectern/core/storage/Storage"
import type { Scalar, Table } from "@lectern/core/storage/Table"
import { conditionSql } from "./ConditionSql.ts"
import { limited, type Reader } from "./Connection.ts"
import { conflictingColumns } from "./SqliteFailure.ts"
import { type Known, KnownRow } from "./RowCache.ts"
import type { SqliteDatabase } from "./SqliteDatabase.ts"
import { canOccur, type SqlValue, toSql } from "./SqlValue.ts"
import { layoutOf, type TableLayout } from "./TableLayout.ts"

/** How one row changes. */
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
  readonly gone: ReadonlyArray<string>
  readonly come: ReadonlyArray<string>
}

type Key = Readonly<Record<string, string>>

const surrogate = /[\ud800-\udfff]/

const parse = (doc: unknown) => JSON.parse(doc as string) as object

export class SqliteTable {
  private readonly table: Table
  private readonly layout: TableLayout
  private readonly database: SqliteDatabase
  private readonly columnNames: ReadonlyArray<string>
  private readonly uniqueColumns: ReadonlyArray<string>
  private readonly getSql: string
  private readonly lastSql: string
  private readonly insertSql: string
  /** The layout was seen committed, and stays. */
  private settled = false
  /** Under what the cache has the last row by key, and whether anybody has asked for that. */
  private readonly lastKey: string
  private tracksLast = false

  constructor(table: Table, database: SqliteDatabase) {
    this.table = table
    this.database = database
    this.lastKey = `${table.name}\0`
    const layout = (this.layout = layoutOf(table))
    this.uniqueColumns = [...new Set<string>(table.unique.flat())].map(layout.column)
    const columns = (this.columnNames = [...table.fields.keys()].map(layout.column))
    this.getSql = `SELECT rid, doc FROM ${layout.name} WHERE ${table.key.map((field) => `${layout.column(field)} = ?`).join(" AND ")}`
    this.lastSql = `SELECT rid, doc FROM ${layout.name} ORDER BY ${table.key.map((field) => `${layout.column(field)} DESC`).join(", ")} LIMIT 1`
    this.insertSql =
      `INSERT INTO ${layout.name} (${[...columns, "doc"].join(", ")}) ` +
      `VALUES (${[...columns, "doc"].map(() => "?").join(", ")})`
  }

  get isSettled(): boolean {
    return this.settled
  }

  /** The table stands as another version of its descriptor had it, so that not even reading is possible. */
  isStale(): boolean {
    if (this.settled) return false
    this.database.refresh()
    const fingerprint = this.database.layouts.committed(this.table.name)
    this.settled = fingerprint === this.layout.fingerprint
    return fingerprint !== undefined && !this.settled
  }

  /** Brings the table into the layout of its descriptor. A part of the transaction it happens in. */
  prepare() {
    const { layouts } = this.database
    if (this.settled) return
    if (layouts.isReady(this.table.name, this.layout)) {
      this.settled = layouts.isCommitted(this.table.name)
      return
    }
    try {
      this.database.atomically(() => layouts.prepare(this.table, this.layout, (row) => this.add(row)))
    } finally {
      this.database.rows.forget()
    }
  }

  get(inside: boolean, key: Key): object | undefined {
    const connection = this.readable(inside)
    if (connection === undefined) return undefined
    const values = this.table.key.map((field) => key[field] as string)
    if (!values.every(canOccur)) return undefined
    return this.known(inside, this.keyOf(values), () => connection.raw(this.getSql).get(...values))?.row
  }

  list(inside: boolean, query: Query<Table>): ReadonlyArray<object> {
    const connection = this.readable(inside)
    if (connection === undefined) return []
    if (this.settled && this.isLast(query)) return this.last(inside, connection)
    const where = conditionSql(this.table, this.layout, query.where)
    const values: Array<SqlValue> = [...where.values]
    const columns = orderFields(this.table, query.order).map(this.layout.column)
    const [direction, behind] = query.descending === true ? ["DESC", "<"] : ["ASC", ">"]
    let text = `SELECT doc FROM ${this.layout.name} WHERE ${where.text}`
    if (query.after !== undefined) {
      const after = query.after.slice(0, columns.length)
      if (after.length === 0 || !after.every(canOccur)) return []
      text += ` AND (${columns.slice(0, after.length).join(", ")}) ${behind} (${after.map(() => "?").join(", ")})`
      values.push(...after.map(toSql))
    }
    text += ` ORDER BY ${columns.map((column) => `${column} ${direction}`).join(", ")}`
    if (query.limit !== undefined) {
      text += ` ${limited}`
      values.push(Math.max(0, Math.min(Number.MAX_SAFE_INTEGER, Math.floor(query.limit))))
    }
    return connection
      .pluck(text)
      .all(...values)
      .map(parse)
  }

  count(inside: boolean, where: Condition<Table>): number {
    const connection = this.readable(inside)
    if (connection === undefined) return 0
    const { text, values } = conditionSql(this.table, this.layout, where)
    return connection.pluck(`SELECT count(*) FROM ${this.layout.name} WHERE ${text}`).get(...values) as number
  }

  insert(row: object) {
    this.prepare()
    if (this.table.lists.size === 0) this.add(row)
    else this.database.atomically(() => this.add(row))
  }

  update(where: Condition<Table>, patch: object): number {
    this.prepare()
    const changes = this.matching(where).map(({ rid, row }) => this.change(rid, row, patch))
    const [first] = changes
    if (changes.length === 1 && first!.lists.length === 0) this.apply(first!)
    else if (changes.length > 0) {
      this.database.atomically(() => {
        if (changes.length > 1) this.clearUnique(changes)
        for (const change of changes) this.apply(change)
      })
    }
    // What changes by the hundred is not what is asked for by its key.
    const one = changes.length === 1
    for (const { key, rid, doc, before, after } of changes) {
      this.database.rows.write(key, one ? new KnownRow(rid, doc, after) : undefined)
      this.database.written.addRow(this.table, before, after)
    }
    if (this.tracksLast && changes.length > 0) this.database.rows.write(this.lastKey, undefined)
    return changes.length
  }

  remove(where: Condition<Table>): number {
    this.prepare()
    const { text, values } = conditionSql(this.table, this.layout, where)
    const key = this.keyNamedIn(where)
    const { rows, written } = this.database
    const [gone] = key === undefined || !written.tracksRows(this.table) ? [] : this.matching(where)
    const { changes } = this.database.writer.run(`DELETE FROM ${this.layout.name} WHERE ${text}`, ...values)
    if (changes === 0) return 0
    if (key === undefined) {
      rows.forget()
      written.addTable(this.table)
    } else {
      rows.write(key, null)
      written.addRow(this.table, gone?.row, undefined)
      if (this.tracksLast) rows.write(this.lastKey, undefined)
    }
    return changes
  }

  /** Undefined where nobody has written to the table yet. */
  private readable(inside: boolean): Reader | undefined {
    if (this.settled) return inside ? this.database.writer : this.database.reader
    if (inside) {
      const fingerprint = this.database.layouts.current(this.table.name)
      if (fingerprint !== undefined && fingerprint !== this.layout.fingerprint) this.prepare()
      return fingerprint === undefined ? undefined : this.database.writer
    }
    if (this.isStale())
      throw new StorageError({ reason: "unavailable", message: `"${this.table.name}" is being rebuilt` })
    return this.settled ? this.database.reader : undefined
  }

  private add(given: object) {
    const { writer, rows } = this.database
    const row = stored(this.table, given)
    const doc = JSON.stringify(row)
    const { lastInsertRowid } = this.orConflict(() => writer.run(this.insertSql, ...this.columns(row), doc))
    for (const field of this.table.lists.keys()) {
      for (const value of listValues(this.table, field, row)) this.addToList(field, value, lastInsertRowid)
    }
    const values = this.table.key.map((field) => (row as Key)[field]!)
    rows.write(this.keyOf(values), undefined)
    this.database.written.addRow(this.table, undefined, row)
    if (this.tracksLast) this.addBehind(values[0]!, new KnownRow(Number(lastInsertRowid), doc, row))
  }

  /** A new row is the last one where its key is greater than that of the last one before. */
  private addBehind(key: string, added: KnownRow) {
    const { rows } = this.database
    const last = rows.get(true, this.lastKey)
    if (last === undefined) return
    const before = last === null ? undefined : (last.row as Key)[this.table.key[0] as string]
    // SQLite orders by code point and JavaScript by UTF-16, which differs only where there are surrogates.
    if (surrogate.test(key + before)) rows.write(this.lastKey, undefined)
    else if (before === undefined || key > before) rows.write(this.lastKey, added)
  }

  /** The rows of a condition, as the writer sees them. */
  private matching(where: Condition<Table>): ReadonlyArray<{ readonly rid: number; readonly row: object }> {
    const key = this.settled ? this.keyIn(where) : undefined
    const known = key === undefined ? undefined : this.database.rows.get(true, key)
    if (known !== undefined) return known === null ? [] : [known]
    const { text, values } = conditionSql(this.table, this.layout, where)
    const found = this.database.writer.raw(`SELECT rid, doc FROM ${this.layout.name} WHERE ${text}`).all(...values)
    return (found as ReadonlyArray<readonly [number, string]>).map((values) => new KnownRow(...values))
  }

  /** The row under a key, from the cache or else read now. Rows of a table that may still be rebuilt are not cached. */
  private known(inside: boolean, key: string, read: () => unknown): KnownRow | null {
    const { rows } = this.database
    if (this.settled) {
      if (!inside) this.database.refresh()
      const known: Known = rows.get(inside, key)
      if (known !== undefined) return known
    }
    const found = read() as readonly [number, string] | undefined
    const known = found === undefined ? null : new KnownRow(...found)
    if (this.settled) rows.keep(inside, key, known)
    return known
  }

  /** Under what the cache has a row: no value of a key holds NUL, and no name a line break. */
  private keyOf(values: ReadonlyArray<string>): string {
    return `${this.table.name}\n${values.join("\0")}`
  }

  /** The key of the one row that a condition is about; undefined where it asks for anything else. */
  private keyIn(where: Condition<Table>): string | undefined {
    return Object.keys(where).length === this.table.key.length ? this.keyNamedIn(where) : undefined
  }

  /** The key of the one row that a condition can be about, whatever else it asks of it. */
  private keyNamedIn(where: Condition<Table>): string | undefined {
    const clause = where as Readonly<Record<string, unknown>>
    const values = this.table.key.map((field) => clause[field])
    return values.every((value) => typeof value === "string") ? this.keyOf(values) : undefined
  }

  /** Tells whether a query asks for the row with the greatest key: outboxes do, before every row they add. */
  private isLast({ where, order, descending, after, limit }: Query<Table>): boolean {
    return (
      limit === 1 &&
      descending === true &&
      order === undefined &&
      after === undefined &&
      this.table.key.length === 1 &&
      !Array.isArray(where) &&
      Object.keys(where).length === 0
    )
  }

  private last(inside: boolean, connection: Reader): ReadonlyArray<object> {
    this.tracksLast = true
    const known = this.known(inside, this.lastKey, () => connection.raw(this.lastSql).get())
    return known === null ? [] : [known.row]
  }

  /** The columns that a patch changes. No other is written, since every column may stand in several indexes. */
  private change(rid: number, before: object, patch: object): Change {
    const after = patchStored(this.table, before, patch)
    const doc = JSON.stringify(after)
    const columns: Array<string> = []
    const values: Array<SqlValue> = []
    for (const [at, value] of changedScalars(this.table, before, after)) {
      columns.push(this.columnNames[at]!)
      values.push(toSql(value))
    }
    columns.push("doc")
    values.push(doc)
    const lists: Array<ListChange> = []
    for (const field of this.table.lists.keys()) {
      const was = listValues(this.table, field, before)
      const is = listValues(this.table, field, after)
      const gone = [...was].filter((value) => !is.has(value))
      const come = [...is].filter((value) => !was.has(value))
      if (gone.length + come.length > 0) lists.push({ field, gone, come })
    }
    const key = this.keyOf(this.table.key.map((field) => (before as Key)[field]!))
    return { rid, before, after, key, doc, columns, values, lists }
  }

  private apply({ rid, columns, values, lists }: Change) {
    const { writer } = this.database
    const set = columns.map((column) => `${column} = ?`).join(", ")
    this.orConflict(() => writer.run(`UPDATE ${this.layout.name} SET ${set} WHERE rid = ?`, ...values, rid))
    for (const { field, gone, come } of lists) {
      const list = this.layout.listTable(field)
      for (const value of gone) writer.run(`DELETE FROM ${list} WHERE value = ? AND rid = ?`, value, rid)
      for (const value of come) this.addToList(field, value, rid)
    }
  }

  /** Without a value nothing conflicts: the rows of one call must not conflict with what they were. */
  private clearUnique(changes: ReadonlyArray<Change>) {
    for (const { rid, columns } of changes) {
      const cleared = this.uniqueColumns.filter((column) => columns.includes(column))
      if (cleared.length === 0) continue
      const set = cleared.map((column) => `${column} = NULL`).join(", ")
      this.database.writer.run(`UPDATE ${this.layout.name} SET ${set} WHERE rid = ?`, rid)
    }
  }

  private addToList(field: string, value: string, rid: number | bigint) {
    this.database.writer.run(`INSERT INTO ${this.layout.listTable(field)} (value, rid) VALUES (?, ?)`, value, rid)
  }

  private columns(row: object): ReadonlyArray<SqlValue> {
    return scalarValues(this.table, row).map((value: Scalar) => toSql(value))
  }

  private orConflict<A>(run: () => A): A {
    try {
      return run()
    } catch (thrown) {
      const columns = conflictingColumns(thrown)
      if (columns === undefined) throw thrown
      throw new UniqueConflict({ table: this.table.name, fields: columns.map(this.layout.fieldOf) })
    }
  }
}
