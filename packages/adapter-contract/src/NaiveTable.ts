/** The simplest possible table of items, written from the port's specification. Stores are compared with it. */
import type { ListTest, Test } from "@lectern/core/storage/Condition"
import type { Scalar } from "@lectern/core/storage/Table"
import type { Item } from "./Invented.ts"

export type NaiveClause = { readonly [field: string]: Test | ListTest }

const valueOf = (row: Item, field: string): Scalar =>
  field === "size" ? (row.text?.length ?? null) : (((row as Record<string, unknown>)[field] ?? null) as Scalar)

const rank = (value: Scalar) => (value === null ? 0 : typeof value === "number" ? 1 : typeof value === "string" ? 2 : 3)

const points = (text: string) => Array.from(text, (char) => char.codePointAt(0)!)

/** Compares two values: negative, zero or positive if the first is less, equal or greater. */
export const order = (a: Scalar, b: Scalar): number => {
  if (rank(a) !== rank(b)) return rank(a) - rank(b)
  if (typeof a !== "string" || typeof b !== "string") return Number(a) - Number(b)
  const [left, right] = [points(a), points(b)]
  const i = left.findIndex((point, i) => point !== right[i])
  if (i === -1) return left.length - right.length
  return i >= right.length ? 1 : left[i]! - right[i]!
}

export const sorted = (rows: ReadonlyArray<Item>, fields: ReadonlyArray<string>, descending = false) => {
  const ascending = rows.toSorted(
    (a, b) =>
      fields.map((field) => order(valueOf(a, field), valueOf(b, field))).find((comparison) => comparison !== 0) ?? 0
  )
  return descending ? ascending.toReversed() : ascending
}

const matchesTest = (row: Item, field: string, test: Test | ListTest): boolean => {
  const value = valueOf(row, field)
  if (typeof test !== "object" || test === null) return value === test
  if ("any" in test) return (row.tags ?? []).some((tag) => test.any.includes(tag))
  if ("in" in test) return test.in.includes(value)
  if ("prefix" in test) return typeof value === "string" && value.startsWith(test.prefix)
  const { gt, gte, lt, lte } = test
  if (![gt, gte, lt, lte].every((bound) => bound === undefined || typeof bound === typeof value)) return false
  return (
    value !== null &&
    (gt === undefined || order(value, gt) > 0) &&
    (gte === undefined || order(value, gte) >= 0) &&
    (lt === undefined || order(value, lt) < 0) &&
    (lte === undefined || order(value, lte) <= 0)
  )
}

export const matches = (row: Item, clauses: ReadonlyArray<NaiveClause>): boolean =>
  clauses.some((clause) => Object.entries(clause).every(([field, test]) => matchesTest(row, field, test)))
