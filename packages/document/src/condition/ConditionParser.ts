/**
 * Parses conditions and expressions of pages (see `Condition`). The parser acorn reads JavaScript, of which only a few
 * types of nodes are accepted.
 */
import { type Expression, parseExpressionAt, type PrivateIdentifier, type Super } from "acorn"
import { Result } from "effect"
import type { Comparison, ConditionTree, ListMethod, Method } from "./ConditionTree.ts"

export const maxDepth = 64

export interface ConditionSyntaxError {
  /** Sentence that states the error and its position. */
  readonly message: string
  /** Position of the error in characters, starting at 1. */
  readonly position: number
}

export type Parsed = Result.Result<ConditionTree, ConditionSyntaxError>

/**
 * Readable names: `claims` = only claims (conditions); `all` = claims and variables (expressions of pages); `rule` = any
 * name, with the syntax of rules.
 */
export type ReadableNames = "claims" | "all" | "rule"

class UnsupportedSyntax extends Error {
  readonly at: number

  constructor(message: string, at: number) {
    super(message)
    this.at = at
  }
}

const unsupportedNode = "Expected a value, a claim or a comparison"
const tooDeepMessage = `Expected a condition that nests at most ${maxDepth} deep`

export const parseTree = (text: string, names: ReadableNames): Parsed => {
  try {
    const expression = parseExpressionAt(text, 0, {
      ecmaVersion: 2024,
      sourceType: "module",
      preserveParens: true,
      onComment: (_block, _text, start) => {
        throw new UnsupportedSyntax("A condition can't hold comments", start)
      }
    })
    const restOffset = text.slice(expression.end).search(/\S/)
    if (restOffset !== -1) throw new UnsupportedSyntax("Expected the end of the condition", expression.end + restOffset)
    return Result.succeed(convertNode(expression, 1, names))
  } catch (error) {
    if (error instanceof UnsupportedSyntax) return syntaxFailure(error.message, text, error.at)
    // The parser's call stack can overflow before the nesting is checked.
    if (error instanceof RangeError) return syntaxFailure(tooDeepMessage, text, 0)
    const at = error instanceof SyntaxError && "pos" in error && typeof error.pos === "number" ? error.pos : 0
    return syntaxFailure(
      at >= text.length ? "The condition ends where more is expected" : "The condition can't be read",
      text,
      at
    )
  }
}

export const syntaxFailure = (
  message: string,
  text: string,
  at: number
): Result.Result<never, ConditionSyntaxError> => {
  const position = Array.from(text.slice(0, at)).length + 1
  return Result.fail({ message: `${message} (at character ${position})`, position })
}

const convertNode = (node: Expression | PrivateIdentifier, depth: number, names: ReadableNames): ConditionTree => {
  if (depth > maxDepth) throw new UnsupportedSyntax(tooDeepMessage, node.start)
  switch (node.type) {
    case "ParenthesizedExpression":
    case "ChainExpression":
      return convertNode(node.expression, depth + 1, names)
    case "Literal":
      switch (typeof node.value) {
        case "string":
        case "number":
        case "boolean":
          return { kind: "value", value: node.value }
      }
      if (node.raw === "null") return { kind: "value", value: null }
      throw new UnsupportedSyntax("Expected text, a number, true, false or null", node.start)
    case "TemplateLiteral": {
      const [quasi] = node.quasis
      if (node.expressions.length > 0 || typeof quasi?.value.cooked !== "string") {
        throw new UnsupportedSyntax("A condition can't put text together", node.start)
      }
      return { kind: "value", value: quasi.value.cooked }
    }
    case "Identifier":
      if (node.name === "undefined") return { kind: "value", value: undefined }
      if (names === "rule") return { kind: "name", name: node.name, at: node.start }
      throw new UnsupportedSyntax(
        `Expected \`visitor.claims\`${node.name === "visitor" ? "" : `, not \`${node.name}\``}`,
        node.start
      )
    case "MemberExpression":
      return names === "rule" ? convertField(node, depth) : convertMember(node, names)
    case "ArrayExpression":
      return {
        kind: "list",
        items: node.elements.map((item) => {
          if (item === null) throw new UnsupportedSyntax("A list can't have gaps", node.start)
          if (item.type === "SpreadElement") throw new UnsupportedSyntax("A list can't take in another", item.start)
          return convertNode(item, depth + 1, names)
        })
      }
    case "UnaryExpression":
      if (node.operator === "!") return { kind: "not", of: convertNode(node.argument, depth + 1, names) }
      if (node.operator === "-") {
        const operand = convertNode(node.argument, depth + 1, names)
        if (operand.kind === "value" && typeof operand.value === "number")
          return { kind: "value", value: -operand.value }
      }
      throw new UnsupportedSyntax(`A condition can't use \`${node.operator}\` here`, node.start)
    case "LogicalExpression":
      return convertLogical(node, depth, names)
    case "BinaryExpression": {
      const { operator } = node
      if (!isComparison(operator)) throw new UnsupportedSyntax(`A condition can't use \`${operator}\``, node.start)
      return {
        kind: "comparison",
        operator,
        left: convertNode(node.left, depth + 1, names),
        right: convertNode(node.right, depth + 1, names)
      }
    }
    case "CallExpression":
      return convertCall(node, depth, names)
    case "ConditionalExpression":
      if (names !== "rule") throw new UnsupportedSyntax(unsupportedNode, node.start)
      return {
        kind: "choice",
        test: convertNode(node.test, depth + 1, names),
        consequent: convertNode(node.consequent, depth + 1, names),
        alternate: convertNode(node.alternate, depth + 1, names)
      }
    default:
      throw new UnsupportedSyntax(unsupportedNode, node.start)
  }
}

type Node<T extends Expression["type"]> = Extract<Expression, { readonly type: T }>

/** Converts a chain of one operator to one node, so that a long chain adds no nesting. */
const convertLogical = (node: Node<"LogicalExpression">, depth: number, names: ReadableNames): ConditionTree => {
  const { operator } = node
  if (operator === "??") throw new UnsupportedSyntax("A condition can't use `??`", node.start)
  const operands: Array<ConditionTree> = []
  let first: Expression = node
  while (first.type === "LogicalExpression" && first.operator === operator) {
    operands.push(convertNode(first.right, depth + 1, names))
    first = first.left
  }
  operands.push(convertNode(first, depth + 1, names))
  return { kind: operator === "&&" ? "all" : "any", of: operands.reverse() }
}

const convertMember = (member: Node<"MemberExpression">, names: ReadableNames): ConditionTree => {
  const path: Array<string> = []
  let node: Expression | Super = member
  for (;;) {
    if (node.type === "MemberExpression") {
      path.push(memberKey(node))
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
  const readablePaths = names === "all" ? "`visitor.claims`, `space.vars` and `page.vars`" : "`visitor.claims`"
  throw new UnsupportedSyntax(`Only ${readablePaths} can be read`, member.start)
}

/** Converts a field of any value, which only rules read. */
const convertField = (node: Node<"MemberExpression">, depth: number): ConditionTree => {
  if (node.object.type === "Super") throw new UnsupportedSyntax("A condition can't use `super`", node.start)
  return {
    kind: "field",
    of: convertNode(node.object, depth + 1, "rule"),
    key: memberKey(node),
    at: node.property.start
  }
}

const memberKey = ({ computed, property }: Node<"MemberExpression">): string => {
  const key =
    !computed && property.type === "Identifier"
      ? property.name
      : property.type === "Literal" && (typeof property.value === "string" || isIndex(property.value))
        ? String(property.value)
        : undefined
  if (key === undefined) throw new UnsupportedSyntax('Expected the name of a claim, as in `["a b"]`', property.start)
  if (key === "__proto__") throw new UnsupportedSyntax("No claim is called `__proto__`", property.start)
  return key
}

const isIndex = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Object.is(Math.abs(Number(value)), value)

const convertCall = (
  { callee, arguments: args, optional, start }: Node<"CallExpression">,
  depth: number,
  names: ReadableNames
): ConditionTree => {
  const [argument] = args
  if (
    callee.type !== "MemberExpression" ||
    callee.computed ||
    callee.property.type !== "Identifier" ||
    !(isMethod(callee.property.name) || (names === "rule" && isListMethod(callee.property.name))) ||
    callee.object.type === "Super" ||
    optional
  ) {
    throw new UnsupportedSyntax(
      names === "rule"
        ? "Nothing can be called but `includes`, `startsWith`, `endsWith`, `filter`, `some` and `every` of a value"
        : "Nothing can be called but `includes`, `startsWith` and `endsWith` of a value",
      start
    )
  }
  const method = callee.property.name
  if (argument === undefined || args.length > 1 || argument.type === "SpreadElement") {
    throw new UnsupportedSyntax(`Expected one value in \`${method}\``, callee.property.start)
  }
  if (isListMethod(method)) {
    const of = convertNode(callee.object, depth + 1, names)
    return { kind: "each", method, of, ...convertFunction(argument, depth, method), at: callee.property.start }
  }
  return {
    kind: "call",
    method,
    of: convertNode(callee.object, depth + 1, names),
    argument: convertNode(argument, depth + 1, names)
  }
}

/** Converts a function of one item of a list, such as `review => review.status == "approved"`. */
const convertFunction = (node: Expression, depth: number, method: ListMethod) => {
  if (node.type === "ParenthesizedExpression") return convertFunction(node.expression, depth, method)
  const [parameter] = node.type === "ArrowFunctionExpression" ? node.params : []
  if (
    node.type !== "ArrowFunctionExpression" ||
    node.async ||
    node.params.length !== 1 ||
    parameter?.type !== "Identifier" ||
    parameter.name === "__proto__" ||
    node.body.type === "BlockStatement"
  ) {
    throw new UnsupportedSyntax(
      `Expected a function of one item in \`${method}\`, such as \`item => item.id == "x"\``,
      node.start
    )
  }
  return { parameter: parameter.name, body: convertNode(node.body, depth + 1, "rule") }
}

const comparisons: ReadonlySet<string> = new Set<Comparison>(["==", "===", "!=", "!==", "<", "<=", ">", ">=", "in"])
const isComparison = (operator: string): operator is Comparison => comparisons.has(operator)

const methods: ReadonlySet<string> = new Set<Method>(["includes", "startsWith", "endsWith"])
const listMethods: ReadonlySet<string> = new Set<ListMethod>(["filter", "some", "every"])
const isListMethod = (name: string): name is ListMethod => listMethods.has(name)

const isMethod = (name: string): name is Method => methods.has(name)
