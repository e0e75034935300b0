/** Conditions and orders over plain rows, evaluated row by row. */
import { alternatives, type Condition, isIn, isPrefix, type ListTest, type Test } from "@lectern/core/storage/Condition"
import { isStorable, listValues } from "@lectern/core/storage/Row"
import type { Scalar, Table } from "@lectern/core/storage/Table"

export type Predicate = (row: object) => boolean

export const predicate = (table: Table, where: Condition<Table>): Predicate => {
  const clauses = alternatives(where).map((clause) =>
    Object.entries(clause as Record<string, Test | ListTest | undefined>).map(([field, test]): Predicate => {
      if (table.lists.has(field)) {
        const { any } = test as ListTest
        return (row) => any.some((value) => listValues(table, field, row).has(value))
      }
      const read = table.fields.get(field)
      if (read === undefined) throw new Error(`"${field}" is no queryable field of "${table.name}"`)
      return test === undefined ? () => true : (row) => holds(read(row) ?? null, test as Test)
    })
  )
  return (row) => clauses.some((clause) => clause.every((test) => test(row)))
}

const holds = (value: Scalar, test: Test): boolean => {
  if (typeof test !== "object" || test === null) return value === test
  if (isIn(test)) return test.in.includes(value)
  if (isPrefix(test)) return typeof value === "string" && isStorable(test.prefix) && value.startsWith(test.prefix)
  const within = (bound: string | number | undefined, fits: (order: number) => boolean) =>
    bound === undefined || (typeof bound === typeof value && isKnown(bound) && fits(compare(value, bound)))
  return (
    value !== null &&
    within(test.gt, (order) => order > 0) &&
    within(test.gte, (order) => order >= 0) &&
    within(test.lt, (order) => order < 0) &&
    within(test.lte, (order) => order <= 0)
  )
}

/** True if a row can hold the value. Other values have no position in the order. */
export const isKnown = (value: Scalar) => (typeof value === "string" ? isStorable(value) : !Number.isNaN(value))

const rank = (value: Scalar) => (value === null ? 0 : ["number", "string", "boolean"].indexOf(typeof value) + 1)

export const compare = (a: Scalar, b: Scalar): number => {
  if (a === b) return 0
  if (typeof a !== "string" || typeof b !== "string") return rank(a) - rank(b) || Number(a) - Number(b)
  let i = 0
  while (i < a.length && a[i] === b[i]) i++
  // Compares by code point. A surrogate pair that differs in its second half is compared as a whole.
  if (i > 0 && /[\udc00-\udfff]/.test(`${a[i] ?? ""}${b[i] ?? ""}`)) i--
  return (a.codePointAt(i) ?? -1) - (b.codePointAt(i) ?? -1)
}

export const compareAll = (a: ReadonlyArray<Scalar>, b: ReadonlyArray<Scalar>): number => {
  const i = a.findIndex((value, i) => i >= b.length || compare(value, b[i]!) !== 0)
  return i === -1 || i >= b.length ? 0 : compare(a[i]!, b[i]!)
}
