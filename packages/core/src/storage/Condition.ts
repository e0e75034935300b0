/**
 * Condition of a query: alternatives, each a conjunction of tests on queryable fields.
 *
 * ```ts
 * { organization: "org", parent: null }                        // both hold
 * { number: { gte: 3, lt: 9 }, status: { in: ["open", "draft"] } }
 * { folded: { prefix: "get" } }
 * { contributors: { any: [userId] } }                          // a list field
 * [{ parent: "a" }, { id: { in: ["b", "c"] } }]                // either holds
 * {}                                                           // every row
 * []                                                           // no row
 * ```
 *
 * Text and numbers that no row can hold (ill-formed text, NUL, NaN) match nothing.
 */
import type { Scalar, Table } from "./Table.ts"

/** Equal to the value (null matches a missing field too), or one of the named tests. */
export type Test =
  | Scalar
  | { readonly in: ReadonlyArray<Scalar> }
  | {
      /** A range contains only values of the same type as its bound. Null is in no range. */
      readonly gt?: string | number
      readonly gte?: string | number
      readonly lt?: string | number
      readonly lte?: string | number
    }
  | { readonly prefix: string }

/** The list shares at least one value with `any`. */
export interface ListTest {
  readonly any: ReadonlyArray<string>
}

export type Clause<T> =
  T extends Table<any, any, infer Field, infer List>
    ? { readonly [F in Field]?: Test } & { readonly [L in List]?: ListTest }
    : never

export type Condition<T> = Clause<T> | ReadonlyArray<Clause<T>>

/** Returns the clauses of a condition. A single clause becomes a list of one. */
export const alternatives = <T>(condition: Condition<T>): ReadonlyArray<Clause<T>> =>
  Array.isArray(condition) ? condition : [condition as Clause<T>]

export const isIn = (test: Test): test is { readonly in: ReadonlyArray<Scalar> } =>
  typeof test === "object" && test !== null && "in" in test

export const isPrefix = (test: Test): test is { readonly prefix: string } =>
  typeof test === "object" && test !== null && "prefix" in test

export const isAny = (test: Test | ListTest): test is ListTest =>
  typeof test === "object" && test !== null && "any" in test
