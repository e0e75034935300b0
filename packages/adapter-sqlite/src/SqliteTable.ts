/** The operations of one table: each of them synchronous, and undone by itself where it throws. */
import type { Condition } from "@lectern/core/storage/Condition"
import { encode, listValues, patched, scalars } from "@lectern/core/storage/Row"
import { orderFields, type Query, StorageError, UniqueConflict } from "@lectern/core/storage/Storage"
import type { Scalar, Table } from "@lectern/core/storage/Table"
import { conditionSql } from "./ConditionSql.ts"
import type { Connection } from "./Connection.ts"
import { conflictingColumns } from "./SqliteFailure.ts"
import type { SqliteDatabase } from "./SqliteDatabase.ts"
import { canOccur, type SqlValue, toSql } from "./SqlValue.ts"
import { layoutOf, type TableLayout } from "./TableLayout.ts"

/** How one row changes. */
interface Change {
  readonly rid: number
  readonly columns: ReadonlyArray<string>
  readonly values: ReadonlyArray<SqlValue>
  readonly lists: ReadonlyArray<{
    readonly field: string
    readonly gone: ReadonlyArray<string>
    readonly come: ReadonlyArray<string>
  }>
}

type Key = Readonly<Record<string, string>>

const parse = (doc: unknown) => JSON.parse(doc as string) as object

export class SqliteTable {
  private readonly table: Table
  private readonly layout: TableLayout
  private readonly database: SqliteDatabase
  private readonly columnNames: ReadonlyArray<string>
  private readonly uniqueColumns: ReadonlyArray<string>
  private readonly getSql: string
  private readonly insertSql: string
  /** The layout was seen committed, and stays. */
  private settled = false

  constructor(table: Table, database: SqliteDatabase) {
    this.table = table
    this.database = database
    const layout = (this.layout = layoutOf(table))
    this.uniqueColumns = [...new Set<string>(table.unique.flat())].map(layout.column)
    const columns = (this.columnNames = [...table.fields.keys()].map(layout.column))
    this.getSql = `SELECT doc FROM ${layout.name} WHERE ${table.key.map((field) => `${layout.column(field)} = ?`).join(" AND ")}`
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
    const fingerprint = this.database.layouts.committed(this.table.name)
    this.settled = fingerprint === this.layout.fingerprint
    return fingerprint !== undefined && !this.settled
  }

  /** Brings the table into the layout of its descriptor. A part of the transaction it happens in. */
  prepare() {
    const { layouts } = this.database
    if (this.settled || layouts.isReady(this.table.name, this.layout)) return
    this.database.atomically(() => layouts.prepare(this.table, this.layout, (row) => this.add(row)))
  }

  get(inside: boolean, key: Key): object | undefined {
    const connection = this.readable(inside)
    if (connection === undefined) return undefined
    const values = this.table.key.map((field) => key[field] as string)
    if (!values.every(canOccur)) return undefined
    const doc = connection.pluck(this.getSql).get(...values)
    return doc === undefined ? undefined : parse(doc)
  }

  list(inside: boolean, query: Query<Table>): ReadonlyArray<object> {
    const connection = this.readable(inside)
    if (connection === undefined) return []
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
      text += " LIMIT ?"
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
    const { text, values } = conditionSql(this.table, this.layout, where)
    const found = this.database.writer.raw(`SELECT rid, doc FROM ${this.layout.name} WHERE ${text}`).all(...values)
    const changes = (found as ReadonlyArray<readonly [number, string]>).map(([rid, doc]) =>
      this.change(rid, doc, patch)
    )
    const [first] = changes
    if (changes.length === 1 && first!.lists.length === 0) this.apply(first!)
    else if (changes.length > 0) {
      this.database.atomically(() => {
        if (changes.length > 1) this.clearUnique(changes)
        for (const change of changes) this.apply(change)
      })
    }
    return changes.length
  }

  remove(where: Condition<Table>): number {
    this.prepare()
    const { text, values } = conditionSql(this.table, this.layout, where)
    return this.database.writer.run(`DELETE FROM ${this.layout.name} WHERE ${text}`, ...values).changes
  }

  /** Undefined where nobody has written to the table yet. */
  private readable(inside: boolean): Connection | undefined {
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

  private add(row: object) {
    const { writer } = this.database
    const doc = encode(this.table, row)
    const { lastInsertRowid } = this.orConflict(() => writer.run(this.insertSql, ...this.columns(row), doc))
    for (const field of this.table.lists.keys()) {
      for (const value of listValues(this.table, field, row)) this.addToList(field, value, lastInsertRowid)
    }
  }

  /** What a patch comes to: only what differs is written, since every column may stand in several indexes. */
  private change(rid: number, doc: string, patch: object): Change {
    const before = parse(doc)
    const after = patched(this.table, before, patch)
    const encoded = encode(this.table, after)
    const was = scalars(this.table, before)
    const is = scalars(this.table, after)
    const columns: Array<string> = []
    const values: Array<SqlValue> = []
    this.columnNames.forEach((column, i) => {
      if (was[i] === is[i]) return
      columns.push(column)
      values.push(toSql(is[i]!))
    })
    const lists = [...this.table.lists.keys()].flatMap((field) => {
      const was = listValues(this.table, field, before)
      const is = listValues(this.table, field, after)
      const gone = [...was].filter((value) => !is.has(value))
      const come = [...is].filter((value) => !was.has(value))
      return gone.length + come.length === 0 ? [] : [{ field, gone, come }]
    })
    return { rid, columns: [...columns, "doc"], values: [...values, encoded], lists }
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
    return scalars(this.table, row).map((value: Scalar) => toSql(value))
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
