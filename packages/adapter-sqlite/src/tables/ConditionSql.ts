/**
 * Translates conditions to SQL. Values are always parameters. Long lists are one JSON parameter, so that few statement
 * texts exist and prepared statements are reused.
 */
import { alternatives, type Condition, isIn, isPrefix, type ListTest, type Test } from "@lectern/core/storage/Condition"
import { isStorable } from "@lectern/core/storage/Row"
import type { Scalar, Table } from "@lectern/core/storage/Table"
import { afterPrefix, canOccur, nullValue, type SqlValue, toSql } from "./SqlValue.ts"
import type { TableLayout } from "./TableLayout.ts"

export interface Sql {
  readonly text: string
  readonly values: ReadonlyArray<SqlValue>
}

const always: Sql = { text: "1", values: [] }
const never: Sql = { text: "0", values: [] }

/**
 * Maximum number of list values that are separate parameters, padded to powers of two. Longer lists are one JSON text.
 */
const maxParameters = 16

export const conditionSql = (table: Table, layout: TableLayout, where: Condition<Table>): Sql =>
  joined(
    "OR",
    never,
    alternatives(where).map((clause) =>
      joined(
        "AND",
        always,
        Object.entries(clause as Record<string, Test | ListTest | undefined>).map(([field, test]) => {
          if (test === undefined) return always
          if (table.lists.has(field)) return listSql(layout.listTable(field), test as ListTest)
          if (!table.fields.has(field)) throw new Error(`"${field}" is no queryable field of "${table.name}"`)
          return testSql(layout.column(field), test as Test)
        })
      )
    )
  )

/** Joins parts as a balanced tree, since SQLite limits the depth of expressions. */
const joined = (operator: "AND" | "OR", empty: Sql, parts: ReadonlyArray<Sql>): Sql => {
  if (parts.length === 0) return empty
  let level = parts
  while (level.length > 1) {
    const next: Array<Sql> = []
    for (let i = 0; i < level.length; i += 2) {
      const [a, b] = [level[i]!, level[i + 1]]
      next.push(b === undefined ? a : { text: `(${a.text} ${operator} ${b.text})`, values: [...a.values, ...b.values] })
    }
    level = next
  }
  return level[0]!
}

const testSql = (column: string, test: Test): Sql => {
  if (typeof test !== "object" || test === null) return oneOf(column, [test])
  if (isIn(test)) return oneOf(column, test.in)
  if (isPrefix(test)) return prefixSql(column, test.prefix)
  return rangeSql(column, test)
}

const oneOf = (column: string, candidates: ReadonlyArray<Scalar>): Sql => {
  const values = [...new Set(candidates)].filter(canOccur).map(toSql)
  if (values.length === 0) return never
  if (values.length === 1) return { text: `${column} = ?`, values }
  if (values.length <= maxParameters) return { text: `${column} IN (${marks(values)})`, values: padded(values) }
  const inJson = (value: SqlValue) => value !== nullValue && !Buffer.isBuffer(value)
  const json: Sql = {
    text: `${column} IN (SELECT value FROM json_each(?))`,
    values: [JSON.stringify(values.filter(inJson))]
  }
  const plain = values.filter((value) => !inJson(value))
  return joined("OR", never, [json, ...plain.map((value) => ({ text: `${column} = ?`, values: [value] }))])
}

const listSql = (listTable: string, { any }: ListTest): Sql => {
  const values = [...new Set(any)].filter(isStorable)
  if (values.length === 0) return never
  const few = values.length <= maxParameters
  const among = few ? marks(values) : "SELECT value FROM json_each(?)"
  return {
    text: `rid IN (SELECT rid FROM ${listTable} WHERE value IN (${among}))`,
    values: few ? padded(values) : [JSON.stringify(values)]
  }
}

const lengthFor = (values: ReadonlyArray<SqlValue>) => 2 ** Math.ceil(Math.log2(values.length))

const marks = (values: ReadonlyArray<SqlValue>) => Array(lengthFor(values)).fill("?").join(", ")

const padded = (values: ReadonlyArray<SqlValue>): ReadonlyArray<SqlValue> => [
  ...values,
  ...Array<SqlValue>(lengthFor(values) - values.length).fill(values[0]!)
]

const prefixSql = (column: string, prefix: string): Sql => {
  if (!isStorable(prefix)) return never
  const after = afterPrefix(prefix)
  return after === undefined
    ? { text: `(${column} >= ? AND ${column} < x'')`, values: [prefix] }
    : { text: `(${column} >= ? AND ${column} < ?)`, values: [prefix, after] }
}

const operators = { gt: ">", gte: ">=", lt: "<", lte: "<=" } as const

const rangeSql = (column: string, range: { readonly [K in keyof typeof operators]?: string | number }): Sql => {
  const bounds = (Object.keys(operators) as ReadonlyArray<keyof typeof operators>).flatMap((name) => {
    const bound = range[name]
    return bound === undefined ? [] : [{ operator: operators[name], bound }]
  })
  if (bounds.length === 0) return { text: `${column} > ?`, values: [nullValue] }
  const type = typeof bounds[0]!.bound
  if (!bounds.every(({ bound }) => typeof bound === type)) return never
  if (!bounds.every(({ bound }) => (typeof bound === "string" ? isStorable(bound) : !Number.isNaN(bound)))) return never
  const tests = bounds.map(({ operator }) => `${column} ${operator} ?`)
  // Numbers sort between null and the least text, texts between numbers and the least blob. For texts, only an open
  // side gets a bound: SQLite searches with one bound per side and might not choose the narrower one.
  if (type === "number") tests.push(`${column} > -9e999`, `${column} < ''`)
  else {
    if (range.gt === undefined && range.gte === undefined) tests.push(`${column} >= ''`)
    if (range.lt === undefined && range.lte === undefined) tests.push(`${column} < x''`)
  }
  return { text: `(${tests.join(" AND ")})`, values: bounds.map(({ bound }) => bound) }
}
