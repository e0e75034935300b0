/** Evaluates conditions row by row. */
import { alternatives, type Condition, isIn, isPrefix, type ListTest, type Test } from "@lectern/core/storage/Condition"
import { isStorable } from "@lectern/core/storage/Row"
import type { Scalar, Table } from "@lectern/core/storage/Table"
import { compare } from "./Order.ts"

/** Stored row with its queryable values. */
export interface Stored {
  readonly row: object
  readonly scalars: ReadonlyMap<string, Scalar>
  readonly lists: ReadonlyMap<string, ReadonlySet<string>>
}

type Predicate = (stored: Stored) => boolean

/** Returns a predicate on rows. A test that is undefined is ignored. */
export const matcher = (table: Table, where: Condition<Table>): Predicate => {
  const clauses = alternatives(where).map((clause) =>
    Object.entries(clause as Record<string, Test | ListTest | undefined>).flatMap(([field, test]): Array<Predicate> => {
      if (test === undefined) return []
      if (table.lists.has(field)) return [listPredicate(field, test as ListTest)]
      if (!table.fields.has(field)) throw new Error(`"${field}" is no queryable field of "${table.name}"`)
      const holds = predicate(test as Test)
      return [(stored) => holds(stored.scalars.get(field) ?? null)]
    })
  )
  return (stored) => clauses.some((clause) => clause.every((holds) => holds(stored)))
}

const listPredicate = (field: string, { any }: ListTest): Predicate => {
  return (stored) => {
    const values = stored.lists.get(field)!
    return any.some((value) => values.has(value))
  }
}

const predicate = (test: Test): ((value: Scalar) => boolean) => {
  if (typeof test !== "object" || test === null) return (value) => value === test
  if (isIn(test)) {
    const values = new Set(test.in)
    return (value) => values.has(value)
  }
  if (isPrefix(test)) {
    const { prefix } = test
    return (value) => typeof value === "string" && value.startsWith(prefix) && isStorable(prefix)
  }
  const bounds = [
    bound(test.gt, (order) => order > 0),
    bound(test.gte, (order) => order >= 0),
    bound(test.lt, (order) => order < 0),
    bound(test.lte, (order) => order <= 0)
  ]
  return (value) => value !== null && bounds.every((holds) => holds(value))
}

const bound = (limit: string | number | undefined, holds: (order: number) => boolean) => (value: Scalar) => {
  if (limit === undefined) return true
  if (typeof limit !== typeof value) return false
  return (typeof limit === "string" ? isStorable(limit) : !Number.isNaN(limit)) && holds(compare(value, limit))
}
