/** Evaluates queries over rows in memory. */
import { alternatives, type Condition, isIn, isPrefix, type ListTest, type Test } from "./Condition.ts"
import { isStorable, listValues, scalarValues } from "./Row.ts"
import { compare, compareAll, compareIn } from "./ScalarOrder.ts"
import { orderFields, type Query } from "./Storage.ts"
import type { Scalar, Table } from "./Table.ts"

/** Stored row with its queryable values. */
export interface IndexedRow {
  readonly row: object
  readonly scalars: ReadonlyMap<string, Scalar>
  readonly lists: ReadonlyMap<string, ReadonlySet<string>>
}

type Predicate = (row: IndexedRow) => boolean

/** Returns a stored row with its queryable values. Throws a `StorageError` if a value can't be stored. */
export const indexed = (table: Table, row: object): IndexedRow => {
  const values = scalarValues(table, row)
  return {
    row,
    scalars: new Map([...table.fields.keys()].map((field, i) => [field, values[i]!])),
    lists: new Map([...table.lists.keys()].map((field) => [field, listValues(table, field, row)]))
  }
}

/** Returns the rows of a query from rows that match its condition. */
export const selected = (
  table: Table,
  matchingRows: ReadonlyArray<IndexedRow>,
  query: Query<Table>
): ReadonlyArray<IndexedRow> => {
  const { after, limit } = query
  if (after !== undefined && !after.every(isComparable)) return []
  const remaining = after === undefined ? matchingRows : matchingRows.filter(isAfter(table, query, after))
  const inOrder = comparison(table, query)
  // Fast path without sorting for the first row, which is requested often, also for large tables such as events.
  if (limit === 1 && remaining.length > 0) return [remaining.reduce((a, b) => (inOrder(b, a) < 0 ? b : a))]
  const sorted = remaining.toSorted(inOrder)
  return limit === undefined ? sorted : sorted.slice(0, Math.max(0, limit))
}

const isAfter = (table: Table, query: Query<Table>, after: ReadonlyArray<Scalar>): Predicate => {
  const order = orderFields(table, query.order)
  const direction = query.descending === true ? -1 : 1
  return ({ scalars }) =>
    direction *
      compareAll(
        order.map((field) => scalars.get(field) ?? null),
        after
      ) >
    0
}

/** Returns the comparison of rows in the order of a query. */
export const comparison = (table: Table, query: Query<Table>): ((a: IndexedRow, b: IndexedRow) => number) => {
  const order = orderFields(table, query.order)
  const direction = query.descending === true ? -1 : 1
  return (a, b) => direction * compareIn(order, a.scalars, b.scalars)
}

const isComparable = (value: Scalar) => typeof value !== "string" || isStorable(value)

/** Returns a predicate on rows. A test that is undefined is ignored. */
export const matcher = (table: Table, where: Condition<Table>): Predicate => {
  const clauses = alternatives(where).map((clause) =>
    Object.entries(clause as Record<string, Test | ListTest | undefined>).flatMap(([field, test]): Array<Predicate> => {
      if (test === undefined) return []
      if (table.lists.has(field)) return [listPredicate(field, test as ListTest)]
      if (!table.fields.has(field)) throw new Error(`"${field}" is no queryable field of "${table.name}"`)
      const holds = predicate(test as Test)
      return [({ scalars }) => holds(scalars.get(field) ?? null)]
    })
  )
  return (row) => clauses.some((clause) => clause.every((holds) => holds(row)))
}

const listPredicate = (field: string, { any }: ListTest): Predicate => {
  return ({ lists }) => {
    const values = lists.get(field)!
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
