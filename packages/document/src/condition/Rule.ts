/**
 * A rule decides over given values, such as `reviews.filter(r => r.status === "approved").length >= 2`. It has the
 * syntax and semantics of a condition (see `Condition`), with names of the given values in place of claims, and:
 *
 * - fields of every value, and `length` of lists and text
 * - methods of lists: `filter`, `some` and `every`, whose argument is a function with one parameter
 * - `test ? a : b`
 *
 * The shapes of the values are declared, so that a mistake is an error when the rule is set, and not a rule that never
 * or always holds: an unknown name or field, a method that a value does not have, a comparison with a value that is
 * none of the possible ones, or a list or object in place of true or false.
 *
 * Limits: those of conditions, and 100,000 steps for an evaluation. A rule that needs more steps does not hold.
 */
import { Result } from "effect"
import { parseRule } from "./Condition.ts"
import { TooManySteps, type Values, valueOf } from "./ConditionEvaluation.ts"
import { type ConditionSyntaxError, syntaxFailure } from "./ConditionParser.ts"
import type { ConditionTree } from "./ConditionTree.ts"

export const maxSteps = 100_000

/** Shape of a value. Each value except the given ones themselves may also be missing. */
export type Shape =
  /** `values`: the texts that are possible. Default: any text. */
  | { readonly type: "text"; readonly values?: ReadonlyArray<string> }
  | { readonly type: "number" }
  | { readonly type: "boolean" }
  /** A value that is only present or missing. */
  | { readonly type: "presence" }
  | { readonly type: "list"; readonly item: Shape }
  /** `optional`: true if the object may be missing. Default: false. */
  | { readonly type: "object"; readonly fields: Shapes; readonly optional?: boolean }
  /** Value of a kind that is not known. */
  | { readonly type: "any" }

export type Shapes = { readonly [name: string]: Shape }

class RuleMistake extends Error {
  readonly at: number

  constructor(message: string, at: number) {
    super(message)
    this.at = at
  }
}

/** Returns the first mistake of a rule over values of these shapes. Undefined if the rule is valid. */
export const mistakeOf = (text: string, shapes: Shapes): ConditionSyntaxError | undefined => {
  const tree = parseRule(text)
  if (Result.isFailure(tree)) return tree.failure
  try {
    requireTruth(tree.success, shapes)
    return undefined
  } catch (error) {
    if (!(error instanceof RuleMistake)) throw error
    const failure = syntaxFailure(error.message, text, error.at)
    return Result.isFailure(failure) ? failure.failure : undefined
  }
}

/**
 * Evaluates a rule over given values. `tooManySteps`: the evaluation stopped without a result. A rule that can't be
 * parsed does not hold.
 */
export const evaluate = (text: string, names: Values): boolean | "tooManySteps" => {
  const tree = parseRule(text)
  if (Result.isFailure(tree)) return false
  try {
    return Boolean(valueOf(tree.success, { claims: {}, space: {}, page: {}, names, budget: { steps: maxSteps } }))
  } catch (error) {
    if (error instanceof TooManySteps) return "tooManySteps"
    throw error
  }
}

const any: Shape = { type: "any" }
const boolean: Shape = { type: "boolean" }

/** Offset of the first node of a tree that has one. */
const positionOf = (tree: ConditionTree): number => {
  if ("at" in tree) return tree.kind === "name" ? tree.at : positionOf(tree.of)
  switch (tree.kind) {
    case "comparison":
      return positionOf(tree.left)
    case "choice":
      return positionOf(tree.test)
    case "call":
    case "not":
      return positionOf(tree.of)
    case "all":
    case "any":
      return positionOf(tree.of[0]!)
    default:
      return 0
  }
}

const listNames = (names: ReadonlyArray<string>): string => names.map((name) => `\`${name}\``).join(", ")

const kindName = (shape: Shape): string => (shape.type === "object" ? "an object" : `a ${shape.type}`)

/** Throws if a tree is used as a condition but can't be both true and false. */
const requireTruth = (tree: ConditionTree, shapes: Shapes): void => {
  const shape = shapeOf(tree, shapes)
  if (shape.type === "list") throw new RuleMistake("A list is always true: use its `length`", positionOf(tree))
  if (shape.type === "object" && shape.optional !== true) {
    throw new RuleMistake(
      `An object is always true: use one of its fields, such as ${firstField(shape)}`,
      positionOf(tree)
    )
  }
}

const firstField = ({ fields }: Extract<Shape, { readonly type: "object" }>) => `\`${Object.keys(fields)[0]}\``

/** Returns the shape of the value of a tree. Throws at a mistake. */
const shapeOf = (tree: ConditionTree, shapes: Shapes): Shape => {
  switch (tree.kind) {
    case "value":
      switch (typeof tree.value) {
        case "string":
          return { type: "text" }
        case "number":
          return { type: "number" }
        case "boolean":
          return boolean
        default:
          return any
      }
    case "list": {
      for (const item of tree.items) shapeOf(item, shapes)
      return { type: "list", item: any }
    }
    // A rule has neither claims nor variables.
    case "claim":
    case "variable":
      return any
    case "name": {
      const shape = Object.hasOwn(shapes, tree.name) ? shapes[tree.name] : undefined
      if (shape === undefined)
        throw new RuleMistake(`Expected ${listNames(Object.keys(shapes))}, not \`${tree.name}\``, tree.at)
      return shape
    }
    case "field":
      return fieldShape(shapeOf(tree.of, shapes), tree.key, tree.at)
    case "not":
      requireTruth(tree.of, shapes)
      return boolean
    case "all":
    case "any":
      for (const operand of tree.of) requireTruth(operand, shapes)
      return sharedShape(tree.of.map((operand) => shapeOf(operand, shapes)))
    case "choice":
      requireTruth(tree.test, shapes)
      return sharedShape([shapeOf(tree.consequent, shapes), shapeOf(tree.alternate, shapes)])
    case "comparison":
      requireComparable(tree, shapes)
      return boolean
    case "call": {
      const shape = shapeOf(tree.of, shapes)
      if (!["text", "list", "any"].includes(shape.type))
        throw new RuleMistake(`\`${tree.method}\` needs a text or a list, not ${kindName(shape)}`, positionOf(tree.of))
      shapeOf(tree.argument, shapes)
      return boolean
    }
    case "each": {
      const shape = shapeOf(tree.of, shapes)
      if (shape.type !== "list" && shape.type !== "any")
        throw new RuleMistake(`\`${tree.method}\` needs a list, not ${kindName(shape)}`, tree.at)
      requireTruth(tree.body, { ...shapes, [tree.parameter]: shape.type === "list" ? shape.item : any })
      return tree.method === "filter" ? shape : boolean
    }
  }
}

/** Returns the shape that all shapes share. */
const sharedShape = ([first, ...rest]: ReadonlyArray<Shape>): Shape =>
  first !== undefined && rest.every(({ type }) => type === first.type) ? first : any

const fieldShape = (shape: Shape, key: string, at: number): Shape => {
  switch (shape.type) {
    case "any":
      return any
    case "object": {
      const field = Object.hasOwn(shape.fields, key) ? shape.fields[key] : undefined
      if (field === undefined)
        throw new RuleMistake(`Expected one of ${listNames(Object.keys(shape.fields))}, not \`${key}\``, at)
      return field
    }
    case "list":
      if (/^\d+$/.test(key)) return shape.item.type === "object" ? { ...shape.item, optional: true } : shape.item
      if (key === "length") return { type: "number" }
      throw new RuleMistake(`A list has only \`length\` and items, not \`${key}\``, at)
    case "text":
      if (key === "length") return { type: "number" }
      throw new RuleMistake(`A text has only \`length\`, not \`${key}\``, at)
    default:
      throw new RuleMistake(
        `${key === "length" ? "Only lists and texts have a length" : `There is no field \`${key}\` here`}`,
        at
      )
  }
}

type ComparisonTree = Extract<ConditionTree, { readonly kind: "comparison" }>

/** Throws if a comparison has an equal result for all values. */
const requireComparable = ({ operator, left, right }: ComparisonTree, shapes: Shapes): void => {
  const sides = [
    [left, right],
    [right, left]
  ] as const
  const [leftShape, rightShape] = [shapeOf(left, shapes), shapeOf(right, shapes)]
  if (operator === "in") {
    if (rightShape.type !== "list" && rightShape.type !== "any")
      throw new RuleMistake(`\`in\` needs a list, not ${kindName(rightShape)}`, positionOf(right))
    return
  }
  for (const [[side, other], shape] of [
    [sides[0], leftShape],
    [sides[1], rightShape]
  ] as const) {
    const isMissing = other.kind === "value" && (other.value === undefined || other.value === null)
    if (isMissing) continue
    if (shape.type === "list") throw new RuleMistake("A list equals only itself: use its `length`", positionOf(side))
    if (shape.type === "object" || shape.type === "presence")
      throw new RuleMistake(
        shape.type === "object"
          ? `An object equals only itself: use one of its fields, such as ${firstField(shape)}`
          : "This value is only present or missing: use `!!`",
        positionOf(side)
      )
    if (shape.type === "text" && shape.values !== undefined && other.kind === "value") {
      if (!(shape.values as ReadonlyArray<unknown>).includes(other.value))
        throw new RuleMistake(`Expected ${shape.values.map((value) => `"${value}"`).join(" or ")}`, positionOf(side))
    }
  }
}
