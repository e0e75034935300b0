/**
 * Writes a schema as the rows of a table: one row per property. Properties of nested objects are listed under their
 * path, as `owner.name` and `tags[].id`. A component that a property refers to is named and not expanded: it is listed
 * with the models.
 *
 * Limits: 4 levels, 100 rows, 500 visited schemas, 4 nested arrays.
 */
import { type Line, line, phrase, text } from "./DocumentWriter.ts"
import * as SchemaFacts from "./SchemaFacts.ts"
import * as SchemaTypes from "./SchemaTypes.ts"
import { type Fields, fieldsOf, isFields, lineOf, listOf } from "./SpecParser.ts"
import { isRequired, type SchemaReader, type SpecSchema } from "./SpecSchema.ts"

const maxDepth = 4
const maxRows = 100
const maxParts = 20
const maxVisits = 500
const maxArrays = 4

/** Titles of the columns name, type, required and description. */
export const titles = ["Name", "Type", "Required", "Description"]

/** Fields of a parameter or a header. Its description is listed before that of its schema. */
interface Overrides {
  readonly description?: unknown
  readonly isDeprecated?: boolean
  readonly examples?: ReadonlyArray<SchemaFacts.NamedExample>
}

/** Returns a line about a value: its description, bounds, allowed values, default and examples. */
export const describe = (reader: SchemaReader, schema: unknown, overrides: Overrides = {}): Line => {
  const resolved = reader.resolve(schema)
  const { fields } = resolved
  const texts = [lineOf(overrides.description, 500), lineOf(fields.description, 500)].filter((text) => text !== "")
  const descriptions =
    texts.length > 0 ? [...new Set(texts)] : [lineOf(fields.title, 200)].filter((text) => text !== "")
  const lines: Array<Line> = descriptions.map((text) => phrase(text))
  const examples = overrides.examples ?? []
  for (const fact of SchemaFacts.factsOf(resolved))
    if (fact.kind !== "example" || examples.length === 0) lines.push(factLine(fact))
  for (const example of examples) lines.push(exampleOf(example))
  for (const flag of flagsOf(fields, overrides.isDeprecated === true)) lines.push(line(flag))
  for (const [items, depth] of itemsOf(reader, resolved)) {
    const description = lineOf(items.fields.description, 500)
    const facts = [...(description === "" ? [] : [phrase(description)]), ...SchemaFacts.factsOf(items).map(factLine)]
    if (facts.length > 0) lines.push(line(depth === 1 ? "Items: " : "Their items: ", ...joinLines(facts, ", ")))
  }
  for (const excluded of resolved.excluded) {
    const facts = SchemaFacts.factsOf(reader.resolve(excluded)).map(factLine)
    const type = SchemaTypes.typeText(reader, excluded)
    lines.push(
      line("Not: ", ...joinLines([...(type === "any" && facts.length > 0 ? [] : [line(type)]), ...facts], ", "))
    )
  }
  return joinLines(lines, ". ")
}

/** Yields the items of an array, then the items of nested arrays. */
export function* itemsOf(reader: SchemaReader, schema: SpecSchema): Iterable<readonly [SpecSchema, depth: number]> {
  let { items } = schema.fields
  for (let depth = 1; depth <= maxArrays && isFields(items); depth++) {
    const itemSchema = reader.resolve(items)
    yield [itemSchema, depth]
    ;({ items } = itemSchema.fields)
  }
}

const joinLines = (lines: ReadonlyArray<Line>, separator: string): Line =>
  lines.filter((part) => part.length > 0).flatMap((part, i) => (i === 0 ? part : [text(separator), ...part]))

const flagsOf = (fields: Fields, isDeprecated: boolean): ReadonlyArray<string> => [
  ...(isDeprecated || fields.deprecated === true ? ["Deprecated"] : []),
  ...(fields.readOnly === true ? ["Read only"] : []),
  ...(fields.writeOnly === true ? ["Write only"] : [])
]

const exampleOf = ({ name, summary, value, external }: SchemaFacts.NamedExample): Line => {
  const title = [name, summary].filter(Boolean).join(": ")
  const exampleText = value === undefined ? external : SchemaFacts.literalText(value)
  return line(title === "" ? "Example: " : `Example (${title}): `, text(exampleText, "code"))
}

const codeList = (texts: ReadonlyArray<string>, isTruncated = false): Line => [
  ...texts.flatMap((codeText, i) => [...(i === 0 ? [] : [text(", ")]), text(codeText, "code")]),
  ...(isTruncated ? [text(", …")] : [])
]

const factLine = ({ kind, texts, isTruncated }: SchemaFacts.Fact): Line => {
  const all = codeList(texts, isTruncated)
  switch (kind) {
    case "number":
      return all
    case "characters":
    case "items":
    case "properties":
      return line(...all, ` ${kind}`)
    case "pattern":
      return line("Pattern: ", ...all)
    case "encoding":
      return line("Encoding: ", ...all)
    case "unique":
      return line("No item twice")
    case "closed":
      return line("No other properties")
    case "values":
      return line("One of ", ...all)
    case "default":
      return line("Default: ", ...all)
    case "example":
      return line("Example: ", ...all)
    case "requires":
      return line(...codeList(texts.slice(0, 1)), " requires ", ...codeList(texts.slice(1)))
  }
}

/** Returns the rows for the properties of an object, or of an array's items. An empty array without properties. */
export const rowsOf = (reader: SchemaReader, schema: unknown): ReadonlyArray<ReadonlyArray<Line>> => {
  const visitor: Visitor = { reader, rows: [], rowKeys: new Set(), visits: 0 }
  visit(visitor, schema, "", [])
  return visitor.rows
}

const isReference = (schema: unknown): boolean => isFields(schema) && schema.$ref !== undefined

interface Visitor {
  readonly reader: SchemaReader
  readonly rows: Array<ReadonlyArray<Line>>
  /** Written rows as JSON. A row that equals an earlier one is skipped, since alternatives share many rows. */
  readonly rowKeys: Set<string>
  visits: number
}

const visit = (visitor: Visitor, schema: unknown, prefix: string, ancestorKeys: ReadonlyArray<object>): void => {
  const { reader, rows } = visitor
  if (!isFields(schema) || ++visitor.visits > maxVisits) return
  const resolved = reader.resolve(schema)
  if (ancestorKeys.length > maxDepth || ancestorKeys.includes(resolved.key)) return
  const ancestors = [...ancestorKeys, resolved.key]
  const { fields } = resolved
  const visitInline = (part: unknown, path: string) => {
    if (!isReference(part)) visit(visitor, part, path, ancestors)
  }
  const add = (name: string, property: unknown, mustExist: boolean) => {
    const path = prefix === "" ? name : `${prefix}.${name}`
    const row = [
      line(text(path === "" ? '""' : path, "code")),
      line(SchemaTypes.typeText(reader, property)),
      line(mustExist ? "yes" : ""),
      describe(reader, property)
    ]
    const key = JSON.stringify(row)
    if (visitor.rowKeys.has(key) || rows.length >= maxRows) return
    visitor.rowKeys.add(key)
    rows.push(row)
    visitInline(property, path)
  }
  for (const [name, property] of Object.entries(fieldsOf(fields.properties))) {
    if (rows.length >= maxRows) return
    add(lineOf(name, 200), property, isRequired(resolved, name))
  }
  for (const [pattern, property] of Object.entries(fieldsOf(fields.patternProperties))) {
    if (rows.length >= maxRows) return
    add(`/${lineOf(pattern, 200)}/`, property, false)
  }
  const names = isFields(fields.propertyNames) ? ` ${lineOf(fields.propertyNames.pattern, 200)}`.trimEnd() : ""
  for (const otherProperties of [fields.additionalProperties, fields.unevaluatedProperties]) {
    if (isFields(otherProperties) && (Object.keys(otherProperties).length > 0 || names !== ""))
      add(`{any other name${names}}`, otherProperties, false)
  }
  for (const [i, item] of listOf(fields.prefixItems).slice(0, maxParts).entries()) add(`[${i}]`, item, false)
  for (const { options } of resolved.choices) {
    for (const option of options.slice(0, maxParts)) visit(visitor, option.schema, prefix, ancestors)
  }
  for (const condition of resolved.conditions) {
    for (const part of [condition.thenSchema, condition.elseSchema]) visit(visitor, part, prefix, ancestors)
  }
  for (const part of Object.values(fieldsOf(fields.dependentSchemas)).slice(0, maxParts)) {
    visit(visitor, part, prefix, ancestors)
  }
  if (prefix === "") visit(visitor, fields.items, "", ancestors)
  else visitInline(fields.items, `${prefix}[]`)
}
