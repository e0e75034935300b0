/**
 * Reads values from JavaScript source without running it: literals, arrays, objects, and constants that the
 * source declares.
 * Type annotations of TypeScript in the usual positions of configuration files are ignored.
 *
 * Limits: 1 MiB of source, 64 levels, 200,000 values.
 */
import { type Expression, type ModuleDeclaration, parse, parseExpressionAt, type Pattern, type Statement } from "acorn"

const maxLength = 1024 * 1024
const maxDepth = 64
const maxValues = 200_000

/** A part of a value that only running the code would compute. */
export class Code {
  /** Offset in the source. */
  readonly at: number

  constructor(at: number) {
    this.at = at
  }
}

/** A call of a function whose name is in the source. The call is not executed. */
export class Call {
  readonly name: string
  readonly values: ReadonlyArray<unknown>

  constructor(name: string, values: ReadonlyArray<unknown>) {
    this.name = name
    this.values = values
  }
}

export interface Module {
  /** Value of `export default` or `module.exports`. Undefined if the module has neither. */
  readonly main: unknown
}

/** Returns the value of an expression; an instance of `Code` if it is not a literal. */
export const readExpression = (source: string): unknown => {
  if (source.length > maxLength) return new Code(0)
  try {
    const expression = parseExpressionAt(source, 0, { ecmaVersion: 2024, sourceType: "module" })
    return source.slice(expression.end).trim() === "" ? new ValueReader(new Map()).read(expression, 0) : new Code(0)
  } catch {
    return new Code(0)
  }
}

/** Returns the values of a module; undefined if the source is not valid JavaScript. */
export const readModule = (source: string): Module | undefined => {
  if (source.length > maxLength) return undefined
  const body = parseModule(source) ?? parseModule(withoutTypes(source))
  if (body === undefined) return undefined
  const constants = new Map<string, Expression>()
  let main: Expression | undefined
  for (const statement of body) {
    const declaration = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement
    if (declaration?.type === "VariableDeclaration" && declaration.kind === "const") {
      for (const { id, init } of declaration.declarations)
        if (id.type === "Identifier" && init) constants.set(id.name, init)
    } else if (statement.type === "ExportDefaultDeclaration") main = statement.declaration as Expression
    else if (statement.type === "ExpressionStatement") main = moduleExports(statement.expression) ?? main
  }
  if (main === undefined) return { main: undefined }
  return { main: new ValueReader(constants).read(main, 0) }
}

type ModuleBody = ReadonlyArray<Statement | ModuleDeclaration>

const parseModule = (source: string): ModuleBody | undefined => {
  try {
    return parse(source, { ecmaVersion: 2024, sourceType: "module", allowReturnOutsideFunction: true }).body
  } catch {
    return undefined
  }
}

const moduleExports = (expression: Expression): Expression | undefined => {
  if (expression.type !== "AssignmentExpression" || expression.left.type !== "MemberExpression") return undefined
  const { object, property } = expression.left
  return object.type === "Identifier" &&
    object.name === "module" &&
    property.type === "Identifier" &&
    property.name === "exports"
    ? expression.right
    : undefined
}

/** Replaces type annotations by spaces: `import type`, `const a: A = …`, `satisfies A`, `as const`, `as A`. */
const withoutTypes = (source: string): string =>
  source
    .replace(/^[ \t]*(?:import|export)[ \t]+type\b[^;\n]*;?/gm, blank)
    .replace(/(?<=^[ \t]*(?:export[ \t]+)?const[ \t]+[\w$]{1,100})[ \t]*:[ \t]*[\w$.<>[\], |'"]{1,200}(?==)/gm, blank)
    .replace(/[ \t]+(?:satisfies[ \t]+[\w$.]{1,100}(?:<[^<>\n]{0,200}>)?(?:\[\])?|as[ \t]+const\b)/g, blank)
    .replace(/(?<=[)\]}])[ \t]+as[ \t]+[\w$.]{1,100}(?:<[^<>\n]{0,200}>)?(?:\[\])?/g, blank)

const blank = (text: string): string => " ".repeat(text.length)

class ValueReader {
  readonly #constants: ReadonlyMap<string, Expression>
  #count = 0

  constructor(constants: ReadonlyMap<string, Expression>) {
    this.#constants = constants
  }

  read(expression: Expression, depth: number): unknown {
    if (depth > maxDepth || ++this.#count > maxValues) return new Code(expression.start)
    const read = (inner: Expression) => this.read(inner, depth + 1)
    switch (expression.type) {
      case "Literal":
        return expression.regex === undefined && expression.bigint === undefined
          ? expression.value
          : new Code(expression.start)
      case "TemplateLiteral":
        return expression.expressions.length === 0
          ? (expression.quasis[0]?.value.cooked ?? "")
          : new Code(expression.start)
      case "UnaryExpression": {
        const value = read(expression.argument)
        return expression.operator === "-" && typeof value === "number" ? -value : new Code(expression.start)
      }
      case "BinaryExpression": {
        if (expression.operator !== "+" || expression.left.type === "PrivateIdentifier")
          return new Code(expression.start)
        const [left, right] = [read(expression.left), read(expression.right)]
        return typeof left === "string" && typeof right === "string" ? left + right : new Code(expression.start)
      }
      case "ParenthesizedExpression":
        return read(expression.expression)
      case "Identifier": {
        if (expression.name === "undefined") return undefined
        const constant = this.#constants.get(expression.name)
        return constant === undefined ? new Code(expression.start) : read(constant)
      }
      case "ArrayExpression":
        return expression.elements.flatMap((element) => {
          if (element === null) return [undefined]
          if (element.type !== "SpreadElement") return [read(element)]
          const values = read(element.argument)
          return Array.isArray(values) ? values : [new Code(element.start)]
        })
      case "ObjectExpression":
        return this.#object(expression, depth)
      case "CallExpression":
        return expression.callee.type === "Identifier"
          ? new Call(
              expression.callee.name,
              expression.arguments.map((one) => (one.type === "SpreadElement" ? new Code(one.start) : read(one)))
            )
          : new Code(expression.start)
      default:
        return new Code(expression.start)
    }
  }

  #object({ properties, start }: Extract<Expression, { type: "ObjectExpression" }>, depth: number): unknown {
    const entries: Array<readonly [string, unknown]> = []
    for (const property of properties) {
      if (property.type === "SpreadElement") {
        const value = this.read(property.argument, depth + 1)
        if (typeof value !== "object" || value === null || value instanceof Code || value instanceof Call)
          return new Code(property.start)
        entries.push(...Object.entries(value))
        continue
      }
      const name = propertyName(property.key, property.computed)
      if (name === undefined) return new Code(start)
      const value = property.value as Expression | Pattern
      entries.push([
        name,
        property.kind === "init" && !property.method
          ? this.read(value as Expression, depth + 1)
          : new Code(property.start)
      ])
    }
    return Object.fromEntries(entries)
  }
}

const propertyName = (key: Expression | { readonly type: "PrivateIdentifier" }, isComputed: boolean) => {
  if (isComputed) return undefined
  if (key.type === "Identifier") return key.name
  return key.type === "Literal" && (typeof key.value === "string" || typeof key.value === "number")
    ? String(key.value)
    : undefined
}
