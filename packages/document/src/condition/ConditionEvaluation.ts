/** Evaluates conditions and expressions of pages (see `Condition`). */
import type { Comparison, ConditionTree, ListMethod, Method } from "./ConditionTree.ts"

export type Values = { readonly [name: string]: unknown }

/** Values that an expression is evaluated with. */
export interface Scope {
  readonly claims: Values
  readonly space: Values
  readonly page: Values
  /** Values that a rule reads, by name. Default: no values. */
  readonly names?: Values
  /** Remaining steps of a rule. Default: unlimited, for expressions without loops. */
  readonly budget?: { steps: number }
}

/** Thrown if a rule needs more steps than its budget. */
export class TooManySteps extends Error {}

/** Returns the value of an expression. */
export const valueOf = (tree: ConditionTree, scope: Scope): unknown => {
  if (scope.budget !== undefined && --scope.budget.steps < 0) throw new TooManySteps()
  switch (tree.kind) {
    case "value":
      return tree.value
    case "list":
      return tree.items.map((item) => valueOf(item, scope))
    case "claim":
      return tree.path.reduce<unknown>(ownValue, scope.claims)
    case "variable":
      // The path is joined, since names of variables may contain dots.
      return ownValue(scope[tree.of], tree.path.join("."))
    case "not":
      return !valueOf(tree.of, scope)
    case "all":
    case "any": {
      let value: unknown
      for (const each of tree.of) {
        value = valueOf(each, scope)
        if (Boolean(value) === (tree.kind === "any")) break
      }
      return value
    }
    case "comparison":
      return compare(tree.operator, valueOf(tree.left, scope), valueOf(tree.right, scope))
    case "call":
      return callMethod(tree.method, valueOf(tree.of, scope), valueOf(tree.argument, scope))
    case "name":
      return ownValue(scope.names, tree.name)
    case "field":
      return fieldOf(valueOf(tree.of, scope), tree.key)
    case "choice":
      return valueOf(valueOf(tree.test, scope) ? tree.consequent : tree.alternate, scope)
    case "each": {
      const isSelected = (item: unknown) =>
        Boolean(valueOf(tree.body, { ...scope, names: { ...scope.names, [tree.parameter]: item } }))
      return callListMethod(tree.method, valueOf(tree.of, scope), isSelected)
    }
  }
}

/** Returns true if an expression reads claims of the visitor. */
export const readsClaims = (tree: ConditionTree): boolean => {
  switch (tree.kind) {
    case "claim":
      return true
    case "value":
    case "variable":
    case "name":
      return false
    case "list":
      return tree.items.some(readsClaims)
    case "not":
    case "field":
      return readsClaims(tree.of)
    case "choice":
      return [tree.test, tree.consequent, tree.alternate].some(readsClaims)
    case "each":
      return readsClaims(tree.of) || readsClaims(tree.body)
    case "all":
    case "any":
      return tree.of.some(readsClaims)
    case "comparison":
      return readsClaims(tree.left) || readsClaims(tree.right)
    case "call":
      return readsClaims(tree.of) || readsClaims(tree.argument)
  }
}

/** Returns the variables that an expression reads: their owner and name. */
export const variablesOf = (
  tree: ConditionTree
): ReadonlyArray<{ readonly of: "space" | "page"; readonly name: string }> => {
  switch (tree.kind) {
    case "variable":
      return [{ of: tree.of, name: tree.path.join(".") }]
    case "value":
    case "claim":
    case "name":
      return []
    case "list":
    case "all":
    case "any":
      return (tree.kind === "list" ? tree.items : tree.of).flatMap(variablesOf)
    case "not":
    case "field":
      return variablesOf(tree.of)
    case "choice":
      return [tree.test, tree.consequent, tree.alternate].flatMap(variablesOf)
    case "each":
      return [...variablesOf(tree.of), ...variablesOf(tree.body)]
    case "comparison":
      return [...variablesOf(tree.left), ...variablesOf(tree.right)]
    case "call":
      return [...variablesOf(tree.of), ...variablesOf(tree.argument)]
  }
}

const isObject = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Returns the own value of an object or a list under a key, and never an inherited value. */
const ownValue = (value: unknown, key: string): unknown =>
  (Array.isArray(value) && /^\d+$/.test(key)) || isObject(value)
    ? Object.hasOwn(value, key)
      ? (value as { readonly [name: string]: unknown })[key]
      : undefined
    : undefined

/** Returns a field of a value, or the length of a list or text. */
const fieldOf = (value: unknown, key: string): unknown =>
  key === "length" && (Array.isArray(value) || typeof value === "string") ? value.length : ownValue(value, key)

/** Returns true if JavaScript compares the value without calling its methods, which claims could supply. */
const isPrimitive = (value: unknown): value is string | number | boolean | null | undefined =>
  value === null || ["string", "number", "boolean", "undefined"].includes(typeof value)

const compare = (operator: Comparison, left: unknown, right: unknown): boolean => {
  switch (operator) {
    case "===":
      return left === right
    case "!==":
      return left !== right
    case "==":
      return isEqual(left, right)
    case "!=":
      return !isEqual(left, right)
    case "in":
      return Array.isArray(right)
        ? right.includes(left)
        : isObject(right) && (typeof left === "string" || typeof left === "number") && Object.hasOwn(right, left)
  }
  if (!isPrimitive(left) || !isPrimitive(right)) return false
  // JavaScript compares any two primitives: two strings as strings, others as numbers.
  const [a, b] = [left as number, right as number]
  switch (operator) {
    case "<":
      return a < b
    case "<=":
      return a <= b
    case ">":
      return a > b
    case ">=":
      return a >= b
  }
}

const isEqual = (left: unknown, right: unknown): boolean =>
  isPrimitive(left) && isPrimitive(right) ? left == right : left === right

const callMethod = (method: Method, value: unknown, argument: unknown): boolean => {
  if (typeof value === "string") return typeof argument === "string" && value[method](argument)
  if (!Array.isArray(value)) return false
  switch (method) {
    case "includes":
      return value.includes(argument)
    case "startsWith":
      return value.length > 0 && [value[0]].includes(argument)
    case "endsWith":
      return value.length > 0 && [value.at(-1)].includes(argument)
  }
}

/** A value that is no list has no items. */
const callListMethod = (method: ListMethod, value: unknown, isSelected: (item: unknown) => boolean): unknown => {
  const list: ReadonlyArray<unknown> = Array.isArray(value) ? value : []
  switch (method) {
    case "filter":
      return list.filter(isSelected)
    case "some":
      return list.some(isSelected)
    case "every":
      return list.every(isSelected)
  }
}
