/** Operations of a repository on the rows of one table, by key. */
import type { Condition } from "@lectern/core/storage/Condition"
import { listValues, applyPatch, scalarValues, stored as asStored } from "@lectern/core/storage/Row"
import { orderFields, type Query, UniqueConflict } from "@lectern/core/storage/Storage"
import type { Table } from "@lectern/core/storage/Table"
import { compare, compareAll, isKnown, predicate } from "./ToyCondition.ts"

export type ToyRows = Map<string, object>

const values = (fields: ReadonlyArray<string>, row: object) =>
  JSON.stringify(fields.map((field) => (row as Record<string, unknown>)[field]))

/** Validates a row as every adapter must, and copies it. */
const stored = (table: Table, row: object): object => {
  const kept = asStored(table, row)
  scalarValues(table, kept)
  for (const field of table.lists.keys()) listValues(table, field, kept)
  return kept
}

export const get = (table: Table, rows: ToyRows, key: object): object | undefined => {
  return rows.get(values(table.key, key))
}

export const matching = (table: Table, rows: ToyRows, where: Condition<Table>): ReadonlyArray<object> =>
  [...rows.values()].filter(predicate(table, where))

export const list = (table: Table, rows: ToyRows, query: Query<Table>): ReadonlyArray<object> => {
  const { after, descending = false, limit = Infinity, order, where } = query
  if (after?.every(isKnown) === false) return []
  const fields = orderFields(table, order).map((field) => table.fields.get(field)!)
  const found = matching(table, rows, where).map((row) => ({ row, at: fields.map((read) => read(row) ?? null) }))
  const direction = descending ? -1 : 1
  return found
    .filter(({ at }) => after === undefined || direction * compareAll(at, after) > 0)
    .sort((a, b) => direction * compareAll(a.at, b.at))
    .slice(0, Math.max(0, limit))
    .map(({ row }) => row)
}

export const insert = (table: Table, rows: ToyRows, row: object) => {
  const added = stored(table, row)
  if (rows.has(values(table.key, added))) throw new UniqueConflict({ table: table.name, fields: table.key })
  checkUnique(table, [...(table.unique.length === 0 ? [] : rows.values()), added])
  rows.set(values(table.key, added), added)
}

export const append = (table: Table, rows: ToyRows, rowAfter: (last: string | undefined) => object) => {
  const field = table.key.at(-1)!
  const keys = [...rows.values()].map((row) => (row as Record<string, string>)[field]!)
  insert(table, rows, rowAfter(keys.sort(compare).at(-1)))
}

export const update = (table: Table, rows: ToyRows, where: Condition<Table>, patch: object): number => {
  const changed = new Map<string, object>()
  for (const row of matching(table, rows, where)) {
    changed.set(values(table.key, row), stored(table, applyPatch(table, row, patch)))
  }
  checkUnique(table, [...new Map([...rows, ...changed]).values()])
  for (const [key, row] of changed) rows.set(key, row)
  return changed.size
}

export const remove = (table: Table, rows: ToyRows, where: Condition<Table>): number => {
  const found = matching(table, rows, where)
  for (const row of found) rows.delete(values(table.key, row))
  return found.length
}

const checkUnique = (table: Table, rows: ReadonlyArray<object>) => {
  for (const fields of table.unique) {
    const reads = fields.map((field) => table.fields.get(field)!)
    const seen = new Set(rows.map((row) => JSON.stringify(reads.map((read) => read(row) ?? null))))
    if (seen.size < rows.length) throw new UniqueConflict({ table: table.name, fields })
  }
}
