/**
 * Turns a row into its stored form: its text, the values of its queryable fields and of its lists. Every
 * adapter refuses the same rows (`invalid-row`): those that are not plain JSON, are nested deeper than 512, or
 * hold text (keys of objects included) that is not well-formed Unicode or contains NUL. A property whose value
 * is undefined is a missing one.
 *
 * These throw the `StorageError` they refuse with: they are used inside the synchronous operations
 * of an engine (see `TransactionQueue`), which turns what is thrown into a value.
 */
import { isStorable } from "@lectern/document/Text"
import { type Patch, StorageError } from "./Storage.ts"
import type { Scalar, Table } from "./Table.ts"

/** Text that a row can hold. A condition about other text holds for no row. */
export { isStorable }

const maxDepth = 512

const refuse = (table: Table, message: string): never => {
  throw new StorageError({ reason: "invalid-row", message: `A row of "${table.name}" can't be stored: ${message}` })
}

const badText = "text must be well-formed Unicode without NUL"
const notJson = "it must be plain JSON"

/** The JSON text of a row. */
export const encode = (table: Table, row: object): string => {
  let level: Array<object> = [row]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === maxDepth) refuse(table, `it is nested deeper than ${maxDepth}`)
    const deeper: Array<object> = []
    const visit = (value: unknown) => {
      if (typeof value === "string") {
        if (!isStorable(value)) refuse(table, badText)
      } else if (typeof value === "object") {
        if (value !== null) deeper.push(value)
      } else if (typeof value !== "boolean" && !Number.isFinite(value)) refuse(table, notJson)
    }
    for (const value of level) {
      if (Array.isArray(value)) {
        for (const element of value) visit(element)
        continue
      }
      const prototype = Object.getPrototypeOf(value)
      if (prototype !== Object.prototype && prototype !== null) refuse(table, notJson)
      for (const [key, member] of Object.entries(value)) {
        if (!isStorable(key)) refuse(table, badText)
        if (member !== undefined) visit(member)
      }
    }
    level = deeper
  }
  return JSON.stringify(row)
}

/** The values of the queryable fields, in the order of `table.fields`. */
export const scalars = (table: Table, row: object): ReadonlyArray<Scalar> => {
  const values: Array<Scalar> = []
  for (const [field, read] of table.fields) {
    const value = read(row) ?? null
    if (typeof value === "string") {
      if (!isStorable(value)) refuse(table, badText)
    } else if (table.key.includes(field)) refuse(table, `"${field}" is part of the key and must be text`)
    else if (value !== null && typeof value !== "boolean" && !Number.isFinite(value)) {
      refuse(table, `"${field}" must be text, a number, a boolean or null`)
    }
    values.push(value)
  }
  return values
}

/** The distinct values of one multi-valued field. */
export const listValues = (table: Table, field: string, row: object): ReadonlySet<string> => {
  const values = new Set<string>(table.lists.get(field)?.(row) ?? [])
  for (const value of values) if (typeof value !== "string" || !isStorable(value)) refuse(table, badText)
  return values
}

/** A row with a patch applied: what is set to undefined goes. */
export const patched = <Row extends object>(table: Table, row: Row, patch: Patch<NoInfer<Row>>): Row => {
  const result = { ...row } as Record<string, unknown>
  for (const [field, value] of Object.entries(patch)) {
    if (table.key.includes(field)) throw new Error(`"${field}" is part of the key of "${table.name}": no patch for it`)
    if (value === undefined) delete result[field]
    else result[field] = value
  }
  return result as Row
}
