/**
 * A condition decides per visitor whether something is shown: a JavaScript-like expression over
 * what is known of the visitor, as `visitor.claims.plan == "pro" && "beta" in visitor.claims.groups`.
 * It can read and compare, and nothing else:
 *
 * - literals (text, numbers, true, false, null), `undefined`, and lists of expressions
 * - `visitor.claims`, `visitor.claims.a.b`, `visitor.claims["a b"]`, `visitor.claims.list[0]`
 *   (`?.` is the same as `.`: what is not known is undefined, and so is all below it)
 * - `==`, `===`, `!=`, `!==`, `<`, `<=`, `>`, `>=`, `&&`, `||`, `!`, `in`, parentheses
 * - `includes`, `startsWith` and `endsWith` of text and of lists
 *
 * It means what it means in JavaScript, and differs where that would surprise or fail:
 *
 * - `x in list` asks for an item (not for an index), `x in object` for a key of its own
 * - a list starts with its first item and ends with its last one
 * - a method of something else than text or a list, or of text with something else, is false
 * - lists and objects are never turned into text or numbers: each equals itself alone, and is
 *   neither less nor more than anything
 * - only what a claim holds is read: no prototypes, no `length`
 *
 * An expression in the text of a page is the same, and reads variables too: `space.vars.version`,
 * `page.vars["a b"]`. It stands for its value, or decides about a part of the page.
 *
 * Limits: 1,024 characters, nesting of 64.
 */
import { type Expression, parseExpressionAt, type PrivateIdentifier, type Super } from "acorn"
import { Effect, Result, Schema } from "effect"
import { Lru } from "../content/Lru.ts"
import { InvalidInput } from "../schema/Input.ts"
import { ConditionText, maxLength } from "./ConditionText.ts"

export const maxDepth = 64

/** The text of conditions that are kept parsed, in UTF-16 units. */
const keptText = 256 * 1024

type Comparison = "==" | "===" | "!=" | "!==" | "<" | "<=" | ">" | ">=" | "in"
type Method = "includes" | "startsWith" | "endsWith"

/** A condition that was read. Immutable. */
export type ConditionTree =
  | { readonly kind: "value"; readonly value: string | number | boolean | null | undefined }
  | { readonly kind: "list"; readonly items: ReadonlyArray<ConditionTree> }
  /** What lies at a path below the claims; the claims themselves where it is empty. */
  | { readonly kind: "claim"; readonly path: ReadonlyArray<string> }
  /** A variable of the space or of the page, in expressions alone. */
  | { readonly kind: "variable"; readonly of: "space" | "page"; readonly path: ReadonlyArray<string> }
  | { readonly kind: "not"; readonly of: ConditionTree }
  /** The first that doesn't count as true, else the last. */
  | { readonly kind: "all"; readonly of: ReadonlyArray<ConditionTree> }
  /** The first that counts as true, else the last. */
  | { readonly kind: "any"; readonly of: ReadonlyArray<ConditionTree> }
  | {
      readonly kind: "comparison"
      readonly operator: Comparison
      readonly left: ConditionTree
      readonly right: ConditionTree
    }
  | { readonly kind: "call"; readonly method: Method; readonly of: ConditionTree; readonly argument: ConditionTree }

export interface ConditionSyntaxError {
  /** A sentence that tells what is wrong and where. */
  readonly message: string
  /** The character at which it is, from 1 on. */
  readonly position: number
}

type Parsed = Result.Result<ConditionTree, ConditionSyntaxError>

/** What can be read: claims in conditions, variables too in expressions. */
type Names = "claims" | "all"

const parsed: { readonly [N in Names]: Lru<string, Parsed> } = { claims: new Lru(keptText), all: new Lru(keptText) }

const parseWith = (text: string, names: Names): Parsed => {
  const known = parsed[names].get(text)
  if (known !== undefined) return known
  if (!isText(text)) return failure(`Expected 1 to ${maxLength} characters of well-formed text`, text, 0)
  const result = read(text, names)
  parsed[names].set(text, result, text.length)
  return result
}

/** Reads a condition; what was read lately is not read again. */
export const parse = (text: string): Parsed => parseWith(text, "claims")

/** Reads an expression of a page, in the same way. */
export const parseExpression = (text: string): Parsed => parseWith(text, "all")

type Values = { readonly [name: string]: unknown }

/** What an expression is evaluated with. */
export interface Scope {
  readonly claims: Values
  readonly space: Values
  readonly page: Values
}

const none: Values = {}

/** Whether a condition holds for a visitor of whom this is known. */
export const evaluate = (tree: ConditionTree, claims: Values): boolean =>
  Boolean(valueOf(tree, { claims, space: none, page: none }))

/** Whether it reads what is known of a visitor. */
export const readsClaims = (tree: ConditionTree): boolean => {
  switch (tree.kind) {
    case "claim":
      return true
    case "value":
    case "variable":
      return false
    case "list":
      return tree.items.some(readsClaims)
    case "not":
      return readsClaims(tree.of)
    case "all":
    case "any":
      return tree.of.some(readsClaims)
    case "comparison":
      return readsClaims(tree.left) || readsClaims(tree.right)
    case "call":
      return readsClaims(tree.of) || readsClaims(tree.argument)
  }
}

/** The same for a condition as it is written; one that can't be read never holds. */
export const holds = (text: string, claims: { readonly [name: string]: unknown }): boolean => {
  const tree = parse(text)
  return Result.isSuccess(tree) && evaluate(tree.success, claims)
}

const isText = Schema.is(ConditionText)

export const Condition = ConditionText.check(
  Schema.makeFilter((text: string) => {
    // What is no such text is told by its own check.
    if (!isText(text)) return undefined
    const tree = parse(text)
    return Result.isSuccess(tree) ? undefined : tree.failure.message
  })
)
export type Condition = typeof Condition.Type

/** Fails where one of the conditions can't be read; `null` and what is left out are none. */
export const accept = (
  conditions: Readonly<Record<string, string | null | undefined>>
): Effect.Effect<void, InvalidInput> => {
  const issues = Object.entries(conditions).flatMap(([path, text]) => {
    const tree = text === null || text === undefined ? undefined : parse(text)
    return tree !== undefined && Result.isFailure(tree) ? [{ path, message: tree.failure.message }] : []
  })
  return issues.length === 0 ? Effect.void : Effect.fail(new InvalidInput({ issues: issues.slice(0, 20) }))
}

// Reading: acorn reads JavaScript, of which the few known nodes are taken over and no others.

class Unreadable extends Error {
  readonly at: number

  constructor(message: string, at: number) {
    super(message)
    this.at = at
  }
}

const tooDeep = `Expected a condition that nests at most ${maxDepth} deep`

const read = (text: string, names: Names): Parsed => {
  try {
    const expression = parseExpressionAt(text, 0, {
      ecmaVersion: 2024,
      sourceType: "module",
      preserveParens: true,
      onComment: (_block, _text, start) => {
        throw new Unreadable("A condition can't hold comments", start)
      }
    })
    const rest = text.slice(expression.end).search(/\S/)
    if (rest !== -1) throw new Unreadable("Expected the end of the condition", expression.end + rest)
    return Result.succeed(treeOf(expression, 1, names))
  } catch (error) {
    if (error instanceof Unreadable) return failure(error.message, text, error.at)
    // The stack of the parser is used up before the nesting is counted.
    if (error instanceof RangeError) return failure(tooDeep, text, 0)
    const at = error instanceof SyntaxError && "pos" in error && typeof error.pos === "number" ? error.pos : 0
    return failure(
      at >= text.length ? "The condition ends where more is expected" : "The condition can't be read",
      text,
      at
    )
  }
}

const failure = (message: string, text: string, at: number): Result.Result<never, ConditionSyntaxError> => {
  const position = Array.from(text.slice(0, at)).length + 1
  return Result.fail({ message: `${message} (at character ${position})`, position })
}

const treeOf = (node: Expression | PrivateIdentifier, depth: number, names: Names): ConditionTree => {
  if (depth > maxDepth) throw new Unreadable(tooDeep, node.start)
  switch (node.type) {
    case "ParenthesizedExpression":
    case "ChainExpression":
      return treeOf(node.expression, depth + 1, names)
    case "Literal":
      switch (typeof node.value) {
        case "string":
        case "number":
        case "boolean":
          return { kind: "value", value: node.value }
      }
      if (node.raw === "null") return { kind: "value", value: null }
      throw new Unreadable("Expected text, a number, true, false or null", node.start)
    case "TemplateLiteral": {
      const [only] = node.quasis
      if (node.expressions.length > 0 || typeof only?.value.cooked !== "string") {
        throw new Unreadable("A condition can't put text together", node.start)
      }
      return { kind: "value", value: only.value.cooked }
    }
    case "Identifier":
      if (node.name === "undefined") return { kind: "value", value: undefined }
      throw new Unreadable(
        `Expected \`visitor.claims\`${node.name === "visitor" ? "" : `, not \`${node.name}\``}`,
        node.start
      )
    case "MemberExpression":
      return claimOf(node, names)
    case "ArrayExpression":
      return {
        kind: "list",
        items: node.elements.map((item) => {
          if (item === null) throw new Unreadable("A list can't have gaps", node.start)
          if (item.type === "SpreadElement") throw new Unreadable("A list can't take in another", item.start)
          return treeOf(item, depth + 1, names)
        })
      }
    case "UnaryExpression":
      if (node.operator === "!") return { kind: "not", of: treeOf(node.argument, depth + 1, names) }
      if (node.operator === "-") {
        const of = treeOf(node.argument, depth + 1, names)
        if (of.kind === "value" && typeof of.value === "number") return { kind: "value", value: -of.value }
      }
      throw new Unreadable(`A condition can't use \`${node.operator}\` here`, node.start)
    case "LogicalExpression":
      return logical(node, depth, names)
    case "BinaryExpression": {
      const { operator } = node
      if (!isComparison(operator)) throw new Unreadable(`A condition can't use \`${operator}\``, node.start)
      return {
        kind: "comparison",
        operator,
        left: treeOf(node.left, depth + 1, names),
        right: treeOf(node.right, depth + 1, names)
      }
    }
    case "CallExpression":
      return call(node, depth, names)
    default:
      throw new Unreadable("Expected a value, a claim or a comparison", node.start)
  }
}

type Node<T extends Expression["type"]> = Extract<Expression, { readonly type: T }>

/** A chain of one operator is one node, so that it doesn't nest however long it is. */
const logical = (node: Node<"LogicalExpression">, depth: number, names: Names): ConditionTree => {
  const { operator } = node
  if (operator === "??") throw new Unreadable("A condition can't use `??`", node.start)
  const of: Array<ConditionTree> = []
  let first: Expression = node
  while (first.type === "LogicalExpression" && first.operator === operator) {
    of.push(treeOf(first.right, depth + 1, names))
    first = first.left
  }
  of.push(treeOf(first, depth + 1, names))
  return { kind: operator === "&&" ? "all" : "any", of: of.reverse() }
}

const claimOf = (member: Node<"MemberExpression">, names: Names): ConditionTree => {
  const path: Array<string> = []
  let node: Expression | Super = member
  for (;;) {
    if (node.type === "MemberExpression") {
      path.push(keyOf(node))
      node = node.object
    } else if (node.type === "ParenthesizedExpression" || node.type === "ChainExpression") {
      node = node.expression
    } else break
  }
  const root = node.type === "Identifier" ? `${node.name}.${path.pop()}` : undefined
  if (root === "visitor.claims") return { kind: "claim", path: path.reverse() }
  if (names === "all" && (root === "space.vars" || root === "page.vars")) {
    return { kind: "variable", of: root === "space.vars" ? "space" : "page", path: path.reverse() }
  }
  const readable = names === "all" ? "`visitor.claims`, `space.vars` and `page.vars`" : "`visitor.claims`"
  throw new Unreadable(`Only ${readable} can be read`, member.start)
}

const keyOf = ({ computed, property }: Node<"MemberExpression">): string => {
  const key =
    !computed && property.type === "Identifier"
      ? property.name
      : property.type === "Literal" && (typeof property.value === "string" || isIndex(property.value))
        ? String(property.value)
        : undefined
  if (key === undefined) throw new Unreadable('Expected the name of a claim, as in `["a b"]`', property.start)
  if (key === "__proto__") throw new Unreadable("No claim is called `__proto__`", property.start)
  return key
}

const isIndex = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Object.is(Math.abs(Number(value)), value)

const call = (
  { callee, arguments: given, optional, start }: Node<"CallExpression">,
  depth: number,
  names: Names
): ConditionTree => {
  const [argument] = given
  if (
    callee.type !== "MemberExpression" ||
    callee.computed ||
    callee.property.type !== "Identifier" ||
    !isMethod(callee.property.name) ||
    callee.object.type === "Super" ||
    optional
  ) {
    throw new Unreadable("Nothing can be called but `includes`, `startsWith` and `endsWith` of a value", start)
  }
  const method = callee.property.name
  if (argument === undefined || given.length > 1 || argument.type === "SpreadElement") {
    throw new Unreadable(`Expected one value in \`${method}\``, callee.property.start)
  }
  return {
    kind: "call",
    method,
    of: treeOf(callee.object, depth + 1, names),
    argument: treeOf(argument, depth + 1, names)
  }
}

const comparisons: ReadonlySet<string> = new Set<Comparison>(["==", "===", "!=", "!==", "<", "<=", ">", ">=", "in"])
const isComparison = (operator: string): operator is Comparison => comparisons.has(operator)

const methods: ReadonlySet<string> = new Set<Method>(["includes", "startsWith", "endsWith"])
const isMethod = (name: string): name is Method => methods.has(name)

// Evaluation.

/** What an expression stands for. */
export const valueOf = (tree: ConditionTree, scope: Scope): unknown => {
  switch (tree.kind) {
    case "value":
      return tree.value
    case "list":
      return tree.items.map((item) => valueOf(item, scope))
    case "claim":
      return tree.path.reduce<unknown>(property, scope.claims)
    case "variable":
      // Names may hold dots.
      return property(scope[tree.of], tree.path.join("."))
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
      return applied(tree.method, valueOf(tree.of, scope), valueOf(tree.argument, scope))
  }
}

const isObject = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** What is written in an object or a list under a key; nothing that it inherits. */
const property = (value: unknown, key: string): unknown =>
  (Array.isArray(value) && /^\d+$/.test(key)) || isObject(value)
    ? Object.hasOwn(value, key)
      ? (value as { readonly [name: string]: unknown })[key]
      : undefined
    : undefined

/** What JavaScript compares without calling methods of the value, which claims could bring along. */
const isPrimitive = (value: unknown): value is string | number | boolean | null | undefined =>
  value === null || ["string", "number", "boolean", "undefined"].includes(typeof value)

const compare = (operator: Comparison, left: unknown, right: unknown): boolean => {
  switch (operator) {
    case "===":
      return left === right
    case "!==":
      return left !== right
    case "==":
      return equals(left, right)
    case "!=":
      return !equals(left, right)
    case "in":
      return Array.isArray(right)
        ? right.includes(left)
        : isObject(right) && (typeof left === "string" || typeof left === "number") && Object.hasOwn(right, left)
  }
  if (!isPrimitive(left) || !isPrimitive(right)) return false
  // JavaScript compares any two of these: text with text, else as numbers.
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

const equals = (left: unknown, right: unknown): boolean =>
  isPrimitive(left) && isPrimitive(right) ? left == right : left === right

const applied = (method: Method, value: unknown, argument: unknown): boolean => {
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
