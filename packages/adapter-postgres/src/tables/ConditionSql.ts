/**
 * Translates conditions to SQL. Values are always parameters, and a list of values is one parameter.
 *
 * A test that compares with a long text (see `Encoding`) can't be decided by the columns. It becomes a test that more rows
 * pass, and the condition is not exact.
 */
import { alternatives, type Condition, isIn, isPrefix, type ListTest, type Test } from "@lectern/core/storage/Condition"
import { isStorable } from "@lectern/core/storage/Row"
import type { Scalar, Table } from "@lectern/core/storage/Table"
import { afterNumbers, afterPrefix, afterTexts, encode, encodeText, isLong } from "./Encoding.ts"
import type { TableLayout } from "./TableLayout.ts"

/** Parameters of a statement. */
export class Parameters {
  readonly values: Array<unknown> = []

  /** Adds a value and returns its place in the text. */
  add(value: unknown, type: "text" | "text[]" | "bigint" | "bigint[]"): string {
    this.values.push(value)
    return `$${this.values.length}::${type}`
  }
}

export interface ConditionSql {
  readonly text: string
  /** True if exactly the rows of the condition pass. Otherwise more may pass. */
  readonly isExact: boolean
}

type FieldTest = Test | ListTest | undefined
type Clause = Readonly<Record<string, FieldTest>>

const always = "true"
const never = "false"

export const conditionSql = (
  table: Table,
  layout: TableLayout,
  where: Condition<Table>,
  parameters: Parameters
): ConditionSql => {
  let isExact = true
  const testSql = (column: string, test: Test): string => {
    if (typeof test !== "object" || test === null) return oneOf(column, [test])
    if (isIn(test)) return oneOf(column, test.in)
    if (isPrefix(test)) return prefixSql(column, test.prefix)
    return rangeSql(column, test)
  }

  const oneOf = (column: string, candidates: ReadonlyArray<Scalar>): string => {
    const values = [...new Set(candidates.filter(canOccur).map((value) => encode(value, layout.limit)))]
    if (values.length === 0) return never
    if (values.length === 1) return `${column} = ${parameters.add(values[0], "text")}`
    return `${column} = ANY(${parameters.add(values, "text[]")})`
  }

  const between = (column: string, from: string, to: string) =>
    `${column} >= ${parameters.add(from, "text")} AND ${column} < ${parameters.add(to, "text")}`

  const prefixSql = (column: string, prefix: string): string => {
    if (!isStorable(prefix)) return never
    if (isLong(prefix, layout.limit)) {
      isExact = false
      return between(column, afterNumbers, afterTexts)
    }
    return between(column, afterNumbers + prefix, afterPrefix(afterNumbers + prefix)!)
  }

  const rangeSql = (
    column: string,
    range: Readonly<Partial<Record<keyof typeof operators, string | number>>>
  ): string => {
    const bounds = Object.entries(operators).flatMap(([name, operator]) => {
      const bound = range[name as keyof typeof operators]
      return bound === undefined ? [] : [{ operator, bound }]
    })
    if (bounds.length === 0) return `${column} > ${parameters.add(encode(null, layout.limit), "text")}`
    const type = typeof bounds[0]!.bound
    const isComparable = (bound: string | number) =>
      typeof bound === type && (typeof bound === "string" ? isStorable(bound) : !Number.isNaN(bound))
    if (!bounds.every(({ bound }) => isComparable(bound))) return never
    const ofType = type === "number" ? between(column, "1", afterNumbers) : between(column, afterNumbers, afterTexts)
    const tests = bounds.flatMap(({ bound, operator }) => {
      if (!isLong(bound, layout.limit))
        return [`${column} ${operator} ${parameters.add(encode(bound, layout.limit), "text")}`]
      isExact = false
      return []
    })
    return [ofType, ...tests].join(" AND ")
  }

  const listSql = (column: string, { any }: ListTest): string => {
    const values = any.filter(isStorable).map((value) => encodeText(value, layout.limit))
    return values.length === 0 ? never : `${column} && ${parameters.add(values, "text[]")}`
  }

  const clauseSql = (clause: Clause): string => {
    const tests = Object.entries(clause).flatMap(([field, test]) => {
      if (test === undefined) return []
      if (table.lists.has(field)) return [listSql(layout.listColumn(field), test as ListTest)]
      if (!table.fields.has(field)) throw new Error(`"${field}" is no queryable field of "${table.name}"`)
      return [testSql(layout.column(field), test as Test)]
    })
    return tests.length === 0 ? always : tests.join(" AND ")
  }

  const clauses = mergedClauses(alternatives(where)).map(clauseSql)
  const text = clauses.length === 0 ? never : clauses.map((clause) => `(${clause})`).join(" OR ")
  return { text: `(${text})`, isExact }
}

/**
 * Merges all clauses that only compare one field with a value into one test for each field. A condition with thousands
 * of alternatives usually has such clauses, and a statement has at most 65,535 parameters.
 */
const mergedClauses = (clauses: ReadonlyArray<Clause>): ReadonlyArray<Clause> => {
  const valuesByField = new Map<string, Set<Scalar>>()
  const others: Array<Clause> = []
  for (const clause of clauses) {
    const [[field, test] = [], second] = Object.entries(clause)
    if (
      field !== undefined &&
      second === undefined &&
      (typeof test !== "object" || test === null) &&
      test !== undefined
    ) {
      valuesByField.set(field, (valuesByField.get(field) ?? new Set()).add(test))
    } else others.push(clause)
  }
  return [...others, ...Array.from(valuesByField, ([field, values]) => ({ [field]: { in: [...values] } }))]
}

const operators = { gt: ">", gte: ">=", lt: "<", lte: "<=" } as const

/** True if a row can hold this value. */
const canOccur = (value: Scalar): boolean =>
  typeof value === "string" ? isStorable(value) : typeof value !== "number" || Number.isFinite(value)
