/**
 * Validates a spec against the shapes of its objects (see `SpecShape`). Warns of missing fields, values of another
 * type, unknown fields, and references without a target. No warning prevents rendering.
 *
 * Limits: an object with several occurrences (a YAML alias) is validated once per shape.
 */
import { decodePercent } from "@lectern/document/PercentEncoding"
import * as SpecNumber from "./SpecNumber.ts"
import { shapes, type Shape, values } from "./SpecShape.ts"
import type { Path, Warning } from "./SpecSource.ts"
import { type Fields, isFields } from "./Swagger.ts"

export interface SpecCheckResult {
  readonly warnings: ReadonlyArray<Warning>
  /** Total number of warnings; `warnings` lists the first of them. */
  readonly count: number
  /** Values of a wrong type, by their object and field name. */
  readonly misplaced: ReadonlyArray<readonly [holder: object, name: string]>
}

export const check = (document: Fields, shape: "openapi" | "swagger", max: number): SpecCheckResult => {
  const warnings: Array<Warning> = []
  const misplaced: Array<readonly [object, string]> = []
  const visited = new Map<object, Set<string>>()
  let count = 0
  const warn = (message: string, path: Path) => {
    if (++count <= max) warnings.push({ message, path: [...path] })
  }

  const visit = (value: unknown, rule: string, path: Array<string | number>, holder: object): void => {
    const warnAtValue = (message: string) => {
      misplaced.push([holder, String(path.at(-1))])
      warn(message, path)
    }
    const name = String(path.at(-1) ?? "")
    if (rule.startsWith("[]")) {
      if (!Array.isArray(value)) return warnAtValue(`\`${name}\` must be a list`)
      for (const [i, item] of value.entries()) visitChild(item, rule.slice(2), path, i, value)
      return
    }
    if (rule.startsWith("{}")) {
      if (!isFields(value)) return warnAtValue(`\`${name}\` must be an object`)
      for (const [key, item] of Object.entries(value)) {
        if (key.startsWith("x-") && rule !== "{}@schema" && rule !== "{}@header") continue
        visitChild(item, rule.slice(2), path, key, value)
      }
      return
    }
    if (rule.startsWith("@")) return checkObject(value, rule.slice(1), path, warnAtValue)
    const problem = scalarProblem(value, rule)
    if (problem !== undefined) warnAtValue(`\`${name}\` must be ${problem}`)
  }

  const visitChild = (
    value: unknown,
    rule: string,
    path: Array<string | number>,
    name: string | number,
    holder: object
  ): void => {
    path.push(name)
    visit(value, rule, path, holder)
    path.pop()
  }

  const checkObject = (
    value: unknown,
    name: string,
    path: Array<string | number>,
    warnAtValue: (message: string) => void
  ): void => {
    const shape: Shape = shapes[name]!
    if (name === "schema" && typeof value === "boolean") return
    if (!isFields(value)) return warnAtValue(`The ${shape.title} must be an object`)
    const checkedShapes = visited.get(value) ?? new Set()
    if (checkedShapes.has(name)) return
    visited.set(value, checkedShapes.add(name))
    if (value.$ref !== undefined && (name !== "schema" || typeof value.$ref === "string")) {
      const problem = referenceProblem(document, value.$ref)
      if (problem !== undefined) {
        path.push("$ref")
        warn(problem, path)
        path.pop()
      }
      // Only schemas and path items may have fields next to a reference. In all other objects they are ignored.
      if (name !== "schema" && name !== "pathItem" && name !== "pathItem2") return
    }
    for (const field of shape.required ?? []) {
      if (value[field] === undefined) warn(`The ${shape.title} has no \`${field}\``, path)
    }
    for (const [field, item] of Object.entries(value)) {
      const rule = shape.eachField !== undefined && !field.startsWith("x-") ? shape.eachField : fieldRule(shape, field)
      if (rule !== undefined) {
        const allowedValues = values[`${name}.${field}`]
        if (allowedValues !== undefined && typeof item === "string" && !allowedValues.includes(item)) {
          path.push(field)
          warn(`\`${field}\` of the ${shape.title} must be one of ${allowedValues.join(", ")}`, path)
          path.pop()
        }
        visitChild(item, rule, path, field, value)
      } else if (shape.isClosed === true && !field.startsWith("x-") && field !== "$ref") {
        path.push(field)
        warn(`The ${shape.title} has a field \`${field.slice(0, 100)}\` that OpenAPI does not know`, path)
        path.pop()
      }
    }
  }

  checkObject(document, shape, [], (message) => warn(message, []))
  if (
    shape === "openapi" &&
    ["paths", "webhooks", "x-webhooks", "components"].every((field) => document[field] === undefined)
  ) {
    warn("The spec has no `paths`", [])
  }
  return { warnings, count, misplaced }
}

const fieldRule = ({ fields }: Shape, name: string): string | undefined =>
  Object.hasOwn(fields, name) ? fields[name] : undefined

/** Returns the expected type; undefined if the value matches the rule. */
const scalarProblem = (value: unknown, rule: string): string | undefined => {
  switch (rule) {
    case "string":
      return typeof value === "string" ? undefined : "a text"
    case "boolean":
      return typeof value === "boolean" ? undefined : "true or false"
    case "number":
      return SpecNumber.textOf(value) === undefined ? "a number" : undefined
    case "texts":
      return Array.isArray(value) && value.every((item) => typeof item === "string") ? undefined : "a list of texts"
    case "list":
      return Array.isArray(value) ? undefined : "a list"
    case "object":
      return isFields(value) ? undefined : "an object"
    default:
      return undefined
  }
}

const referenceProblem = (document: Fields, ref: unknown): string | undefined => {
  if (typeof ref !== "string") return "`$ref` must be a text"
  if (!ref.startsWith("#")) {
    return `The reference "${ref}" leads out of the spec, and is not followed: bundle the spec into one text`
  }
  // A fragment without a slash names an anchor and is not checked.
  if (!ref.startsWith("#/")) return undefined
  let value: unknown = document
  for (const part of ref.slice(2).split("/")) {
    const name = decodePercent(part).replaceAll("~1", "/").replaceAll("~0", "~")
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) {
      return `The reference "${ref}" leads nowhere`
    }
    value = (value as Fields)[name]
  }
  return undefined
}
