/**
 * Converts rows to their stored form: the frozen copy, the values of queryable fields, and the values of list fields.
 * Every adapter rejects the same rows with `invalid-row`: rows that are not plain JSON, are nested deeper than 512
 * levels, or hold text (including keys of objects) that is not well-formed Unicode or contains NUL. A property whose
 * value is undefined counts as missing.
 *
 * These functions throw `StorageError`. They run inside synchronous operations of an engine (see `TransactionQueue`),
 * which converts exceptions to typed errors.
 */
import { isStorable } from "@lectern/document/Text"
import { type Patch, StorageError } from "./Storage.ts"
import type { Scalar, Table } from "./Table.ts"

/** True if a row can hold this text. A condition on other text matches no row. */
export { isStorable }

const maxDepth = 512

const rejectRow = (table: Table, message: string): never => {
  throw new StorageError({ reason: "invalid-row", message: `A row of "${table.name}" can't be stored: ${message}` })
}

const invalidTextMessage = "text must be well-formed Unicode without NUL"
const notJson = "it must be plain JSON"

/** Returns the row as a read returns it: a frozen copy, equal to its JSON text. */
export const stored = <Row extends object>(table: Table, row: Row): Row => copyOf(table, row, 0) as Row

/**
 * Returns a stored row with a patch applied, frozen. A field that the patch sets to undefined is removed. Fields
 * outside of the patch are not validated again.
 */
export const patchStored = <Row extends object>(table: Table, before: Row, patch: Patch<NoInfer<Row>>): Row => {
  const row = { ...before } as Record<string, unknown>
  for (const [field, value] of Object.entries(patch)) {
    checkField(table, field)
    if (value === undefined) delete row[field]
    else if (isStorable(field)) put(row, field, copyOf(table, value, 1))
    else rejectRow(table, invalidTextMessage)
  }
  return Object.freeze(row) as Row
}

const copyOf = (table: Table, value: unknown, depth: number): unknown => {
  if (typeof value === "string") return isStorable(value) ? value : rejectRow(table, invalidTextMessage)
  if (value === null || typeof value === "boolean") return value
  if (typeof value !== "object") {
    if (!Number.isFinite(value)) rejectRow(table, notJson)
    // -0 becomes 0, since JSON has no -0.
    return value === 0 ? 0 : value
  }
  if (depth === maxDepth) rejectRow(table, `it is nested deeper than ${maxDepth}`)
  if (Array.isArray(value)) {
    const copy: Array<unknown> = []
    for (const element of value) copy.push(copyOf(table, element, depth + 1))
    return Object.freeze(copy)
  }
  const prototype = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) rejectRow(table, notJson)
  const copy: Record<string, unknown> = {}
  for (const key of Object.keys(value)) {
    if (!isStorable(key)) rejectRow(table, invalidTextMessage)
    const member = (value as Record<string, unknown>)[key]
    if (member !== undefined) put(copy, key, copyOf(table, member, depth + 1))
  }
  return Object.freeze(copy)
}

const put = (object: Record<string, unknown>, key: string, value: unknown): void => {
  // `__proto__` is defined as a property, since an assignment would set the prototype.
  if (key === "__proto__") Object.defineProperty(object, key, { ...ownMember, value })
  else object[key] = value
}

const ownMember = { configurable: true, enumerable: true, writable: true }

/** Returns the values of the queryable fields, in the order of `table.fields`. */
export const scalarValues = (table: Table, row: object): ReadonlyArray<Scalar> => {
  const values: Array<Scalar> = []
  for (const [field, getValue] of table.fields) values.push(scalarOf(table, field, getValue(row) ?? null))
  return values
}

/** Returns the queryable fields that differ between two stored rows: index in `table.fields` and new value. */
export const changedScalars = (
  table: Table,
  before: object,
  after: object
): ReadonlyArray<readonly [at: number, value: Scalar]> => {
  const changed: Array<readonly [number, Scalar]> = []
  let at = 0
  for (const [field, getValue] of table.fields) {
    const value = getValue(after) ?? null
    if (value !== (getValue(before) ?? null)) changed.push([at, scalarOf(table, field, value)])
    at++
  }
  return changed
}

const scalarOf = (table: Table, field: string, value: unknown): Scalar => {
  if (typeof value === "string") {
    if (!isStorable(value)) rejectRow(table, invalidTextMessage)
  } else if (table.key.includes(field)) rejectRow(table, `"${field}" is part of the key and must be text`)
  else if (value !== null && typeof value !== "boolean" && !Number.isFinite(value)) {
    rejectRow(table, `"${field}" must be text, a number, a boolean or null`)
  }
  return value as Scalar
}

/** Returns the distinct values of a list field. */
export const listValues = (table: Table, field: string, row: object): ReadonlySet<string> => {
  const values = new Set<string>(table.lists.get(field)?.(row) ?? [])
  for (const value of values) if (typeof value !== "string" || !isStorable(value)) rejectRow(table, invalidTextMessage)
  return values
}

/** Returns a row with a patch applied. A field that the patch sets to undefined is removed. */
export const applyPatch = <Row extends object>(table: Table, row: Row, patch: Patch<NoInfer<Row>>): Row => {
  const result = { ...row } as Record<string, unknown>
  for (const [field, value] of Object.entries(patch)) {
    checkField(table, field)
    if (value === undefined) delete result[field]
    else result[field] = value
  }
  return result as Row
}

const checkField = (table: Table, field: string): void => {
  if (table.key.includes(field)) throw new Error(`"${field}" is part of the key of "${table.name}": no patch for it`)
}
