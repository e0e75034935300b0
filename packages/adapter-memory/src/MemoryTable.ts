/** Rows of one table. Keys and unique combinations are indexed; other queries scan the table. */
import { alternatives, type Condition } from "@lectern/core/storage/Condition"
import { patchStored, stored } from "@lectern/core/storage/Row"
import { indexed, type IndexedRow, matcher, selected } from "@lectern/core/storage/RowQuery"
import { compare } from "@lectern/core/storage/ScalarOrder"
import { type Query, UniqueConflict } from "@lectern/core/storage/Storage"
import type { Table } from "@lectern/core/storage/Table"
import type { WrittenRows } from "@lectern/core/storage/WrittenRows"
import { type Journal, JournaledMap } from "./JournaledMap.ts"

type Key = Readonly<Record<string, unknown>>

export class MemoryTable {
  private readonly table: Table
  private readonly writtenRows: WrittenRows
  private readonly rows: JournaledMap<IndexedRow>
  /** Key of the row for each value of a unique combination. */
  private readonly unique: ReadonlyArray<{
    readonly fields: ReadonlyArray<string>
    readonly keys: JournaledMap<string>
  }>

  constructor(table: Table, journal: Journal, writtenRows: WrittenRows) {
    this.table = table
    this.writtenRows = writtenRows
    this.rows = new JournaledMap(journal)
    this.unique = table.unique.map((fields) => ({ fields, keys: new JournaledMap(journal) }))
  }

  /** Returns the table under another descriptor, with the same rows. Uncommitted changes stay uncommitted. */
  withTable(table: Table, journal: Journal): MemoryTable {
    const next = new MemoryTable(table, journal, this.writtenRows)
    const committedRows = this.rows.view(false)
    for (const { row } of committedRows.values()) next.load(next.stored(row))
    const current = this.rows.view(true)
    for (const [key, stored] of committedRows) if (current.get(key) !== stored) next.drop(next.stored(stored.row))
    for (const [key, stored] of current) if (committedRows.get(key) !== stored) next.add(next.stored(stored.row))
    return next
  }

  get(isInTransaction: boolean, key: Key): object | undefined {
    return this.rows.view(isInTransaction).get(keyOf(this.table.key.map((field) => key[field])))?.row
  }

  list(isInTransaction: boolean, query: Query<Table>): ReadonlyArray<object> {
    return selected(this.table, this.matching(isInTransaction, query.where), query).map(({ row }) => row)
  }

  count(isInTransaction: boolean, where: Condition<Table>): number {
    return this.matching(isInTransaction, where).length
  }

  insert(row: object) {
    const stored = this.stored(row)
    const key = this.key(stored)
    if (this.rows.view(true).has(key)) throw this.conflict(this.table.key)
    this.check([stored])
    this.add(stored)
    this.writtenRows.addRow(this.table, undefined, stored.row)
  }

  append(rowAfter: (last: string | undefined) => object) {
    const field = this.table.key.at(-1)!
    let last: string | undefined
    for (const { scalars } of this.rows.view(true).values()) {
      const key = scalars.get(field) as string
      if (last === undefined || compare(key, last) > 0) last = key
    }
    this.insert(rowAfter(last))
  }

  update(where: Condition<Table>, patch: object): number {
    const oldRows = this.matching(true, where)
    const after = oldRows.map(({ row }) => indexed(this.table, patchStored(this.table, row, patch)))
    // All old rows are removed before the new ones are added, so that rows of one update do not conflict with old
    // values.
    for (const stored of oldRows) this.drop(stored)
    try {
      this.check(after)
    } catch (conflict) {
      for (const stored of oldRows) this.add(stored)
      throw conflict
    }
    for (const stored of after) this.add(stored)
    for (const [i, { row }] of oldRows.entries()) this.writtenRows.addRow(this.table, row, after[i]!.row)
    return after.length
  }

  remove(where: Condition<Table>): number {
    const matchingRows = this.matching(true, where)
    for (const stored of matchingRows) this.drop(stored)
    for (const { row } of matchingRows) this.writtenRows.addRow(this.table, row, undefined)
    return matchingRows.length
  }

  private stored(row: object): IndexedRow {
    return indexed(this.table, stored(this.table, row))
  }

  private matching(isInTransaction: boolean, where: Condition<Table>): Array<IndexedRow> {
    const matches = matcher(this.table, where)
    const rows = this.rows.view(isInTransaction)
    const clauses: ReadonlyArray<Record<string, unknown>> = alternatives(where)
    const keys = clauses.map((clause) => this.table.key.map((field) => clause[field]))
    if (!keys.every((key) => key.every((value) => typeof value === "string"))) {
      return [...rows.values()].filter(matches)
    }
    const candidates = new Set(keys.map((key) => rows.get(keyOf(key))))
    return [...candidates].filter((stored) => stored !== undefined && matches(stored)) as Array<IndexedRow>
  }

  private key(stored: IndexedRow): string {
    return keyOf(this.table.key.map((field) => stored.scalars.get(field)))
  }

  private load(stored: IndexedRow) {
    const key = this.key(stored)
    this.rows.load(key, stored)
    for (const { fields, keys } of this.unique) keys.load(keyOf(fields.map((field) => stored.scalars.get(field))), key)
  }

  private add(stored: IndexedRow) {
    const key = this.key(stored)
    this.rows.set(key, stored)
    for (const { fields, keys } of this.unique) keys.set(keyOf(fields.map((field) => stored.scalars.get(field))), key)
  }

  private drop(stored: IndexedRow) {
    this.rows.delete(this.key(stored))
    for (const { fields, keys } of this.unique) keys.delete(keyOf(fields.map((field) => stored.scalars.get(field))))
  }

  /** Throws a `UniqueConflict` if the new rows conflict with the table's rows or with each other. */
  private check(rows: ReadonlyArray<IndexedRow>) {
    for (const { fields, keys } of this.unique) {
      const existingKeys = keys.view(true)
      const newKeys = new Set<string>()
      for (const stored of rows) {
        const key = keyOf(fields.map((field) => stored.scalars.get(field)))
        if (existingKeys.has(key) || newKeys.has(key)) throw this.conflict(fields)
        newKeys.add(key)
      }
    }
  }

  private conflict(fields: ReadonlyArray<string>) {
    return new UniqueConflict({ table: this.table.name, fields })
  }
}

const keyOf = (values: ReadonlyArray<unknown>): string => JSON.stringify(values)
