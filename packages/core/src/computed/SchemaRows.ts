/**
 * Writes a schema as the rows of a table: a row for each property, those of objects within it under their
 * path, as `owner.name` and `tags[].id`. A schema that a property refers to is named and not unfolded: it is
 * shown with the models.
 *
 * Limits: 4 levels, 100 rows, 500 schemas looked at.
 */
import { type Line, line, phrase, text } from "./DocumentWriter.ts"
import { type Fields, isFields, lineOf, listOf, schemaName, type Spec, textOf } from "./SpecReading.ts"

const maxDepth = 4
const maxRows = 100
const maxParts = 20
const maxVisits = 500
/** How deep alternatives of alternatives are told. */
const maxAlternatives = 2

/** Of the columns name, type, required and description. */
export const titles = ["Name", "Type", "Required", "Description"]

/** Type of a schema's values, in a few words: `string`, `array of Pet`, `integer (int64)`. */
export const typeOf = (spec: Spec, schema: unknown, depth = 0): string => {
  if (typeof schema === "boolean") return "any"
  const name = schemaName(schema)
  if (name !== undefined) return lineOf(name, 200)
  const found = spec.resolve(schema)
  if (found === undefined || depth > maxDepth) return "any"
  for (const [key, word] of alternatives) {
    const parts = listOf(found[key])
    if (parts.length === 0) continue
    if (depth >= maxAlternatives) return "any"
    const words = parts.slice(0, maxParts).map((part) => typeOf(spec, part, depth + 1))
    return lineOf([...new Set(words)].join(` ${word} `), 500)
  }
  const types = typesOf(found)
  return types.map((type) => ofType(spec, found, type, depth)).join(" or ") || "any"
}

const alternatives = [
  ["oneOf", "or"],
  ["anyOf", "or"],
  ["allOf", "and"]
] as const

const typesOf = (schema: Fields): ReadonlyArray<string> => {
  const given = (Array.isArray(schema.type) ? schema.type : [schema.type]).map(textOf).filter((type) => type !== "")
  // Each once: arrays of what is said many times to be an array would be told many times as often at each level.
  if (given.length > 0) return [...new Set(schema.nullable === true ? [...given, "null"] : given)].slice(0, maxParts)
  if (isFields(schema.properties)) return ["object"]
  if (schema.items !== undefined) return ["array"]
  return schema.enum === undefined ? [] : ["enum"]
}

const ofType = (spec: Spec, schema: Fields, type: string, depth: number): string => {
  if (type === "array") return `array of ${typeOf(spec, schema.items, depth + 1)}`
  const format = lineOf(schema.format, 50)
  return format === "" ? lineOf(type, 50) : `${lineOf(type, 50)} (${format})`
}

/** A line about a value: its description, what it may be, what it is by default. */
export const described = (schema: unknown, description: unknown = undefined): Line => {
  const fields = isFields(schema) ? schema : {}
  const about = lineOf(description, 500) || lineOf(fields.description, 500) || lineOf(fields.title, 200)
  const values = listOf(fields.enum).slice(0, maxParts).map(literal)
  const facts: Array<Line> = []
  if (about !== "") facts.push(phrase(about))
  if (values.length > 0) {
    const listed = values.flatMap((value, i) => [...(i === 0 ? [] : [text(", ")]), text(value, "code")])
    facts.push(line("One of ", ...listed, listOf(fields.enum).length > maxParts ? ", …" : ""))
  }
  if (fields.default !== undefined) facts.push(line("Default: ", text(literal(fields.default), "code")))
  if (fields.deprecated === true) facts.push(line("Deprecated"))
  return facts.flatMap((fact, i) => (i === 0 ? fact : [text(". "), ...fact]))
}

/** A value as JSON, on one line and not long. */
export const literal = (value: unknown): string => lineOf(JSON.stringify(value) ?? "", 100) || "null"

/** The rows of an object's properties, or of those of an array's items; none where it has no properties. */
export const rowsOf = (spec: Spec, schema: unknown): ReadonlyArray<ReadonlyArray<Line>> => {
  const visitor = { spec, rows: [], visits: 0 }
  visit(visitor, schema, "", [])
  return visitor.rows
}

const isReference = (schema: unknown): boolean => isFields(schema) && schema.$ref !== undefined

interface Visitor {
  readonly spec: Spec
  readonly rows: Array<ReadonlyArray<Line>>
  visits: number
}

const visit = (visitor: Visitor, schema: unknown, prefix: string, above: ReadonlyArray<Fields>): void => {
  const { spec, rows } = visitor
  if (++visitor.visits > maxVisits) return
  const found = spec.resolve(schema)
  if (found === undefined || above.length > maxDepth || above.includes(found)) return
  const around = [...above, found]
  for (const key of ["allOf", "oneOf", "anyOf"]) {
    for (const part of listOf(found[key]).slice(0, maxParts)) visit(visitor, part, prefix, around)
  }
  if (prefix === "") visit(visitor, found.items, "", around)
  else if (!isReference(found.items)) visit(visitor, found.items, `${prefix}[]`, around)
  const required = new Set(listOf(found.required).map(textOf))
  for (const [name, property] of Object.entries(isFields(found.properties) ? found.properties : {})) {
    if (rows.length >= maxRows) return
    const path = prefix === "" ? lineOf(name, 200) : `${prefix}.${lineOf(name, 200)}`
    rows.push([
      line(text(path === "" ? '""' : path, "code")),
      line(typeOf(spec, property)),
      line(required.has(name) ? "yes" : ""),
      described(schemaName(property) === undefined ? property : spec.resolve(property))
    ])
    if (!isReference(property)) visit(visitor, property, path, around)
  }
}
