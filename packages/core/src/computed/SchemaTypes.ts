/**
 * Formats the types of a schema's values: `string`, `array of Pet`, `integer (int64)`, `Cat or Dog`. A component that
 * is no object is named with its type: `Id (integer, int64)`.
 *
 * Limits: 20 alternatives, 4 levels of arrays, 2 levels of alternatives.
 */
import { type Fields, isFields, lineOf, listOf } from "./SpecParser.ts"
import { type SchemaReader, type SpecSchema, typesOf } from "./SpecSchema.ts"

const maxDepth = 4
const maxParts = 20
const maxAlternatives = 2

export const typeText = (reader: SchemaReader, value: unknown): string => describeType(reader, value, 0, 0)

const describeType = (reader: SchemaReader, value: unknown, depth: number, alternatives: number): string => {
  if (!isFields(value) || depth > maxDepth) return "any"
  const schema = reader.resolve(value)
  const isNullable = schema.fields.nullable === true || typesOf(schema).includes("null")
  const withNull = (text: string) => lineOf(isNullable && !/\bnull$/.test(text) ? `${text} or null` : text, 500)
  const name = reader.nameOf(value)
  if (name !== "") return withNull(withType(reader, schema, lineOf(name, 200), depth, alternatives))
  const names = reader.partNames(value)
  if (names.length > 0)
    return withNull([...new Set(names.slice(0, maxParts).map((partName) => lineOf(partName, 200)))].join(" and "))
  const [choice] = schema.choices
  if (choice !== undefined) {
    if (alternatives >= maxAlternatives) return "any"
    const parts = choice.options
      .slice(0, maxParts)
      .map((option) => describeType(reader, option.schema, depth + 1, alternatives + 1))
    const distinctParts = [...new Set(parts)].filter((part) => part !== "any")
    // Alternatives of one type differ in other ways, such as the properties that they require.
    if (distinctParts.length === new Set(parts).size || typesOf(schema).length === 0)
      return withNull([...new Set(parts)].join(" or "))
  }
  return (
    typesOf(schema)
      .map((type) => ofType(reader, schema, type, depth, alternatives))
      .slice(0, maxParts)
      .join(" or ") || (schema.fields.enum === undefined ? "any" : "enum")
  )
}

/** Returns the name of a component, with its type unless that is `object`. */
const withType = (
  reader: SchemaReader,
  schema: SpecSchema,
  name: string,
  depth: number,
  alternatives: number
): string => {
  const types = typesOf(schema).filter((type) => type !== "null")
  if (types.length === 0 || types.includes("object")) return name
  const texts = types
    .slice(0, maxParts)
    .map((type) => ofType(reader, schema, type, depth, alternatives).replace(/^(\S+) \((.*)\)$/, "$1, $2"))
  return lineOf(`${name} (${texts.join(" or ")})`, 500)
}

const ofType = (
  reader: SchemaReader,
  { fields }: SpecSchema,
  type: string,
  depth: number,
  alternatives: number
): string => {
  if (type === "array") {
    const items = describeType(reader, itemsOf(fields), depth + 1, alternatives)
    return `array of ${items}`
  }
  const format = type === "null" || type === "object" ? "" : lineOf(fields.format, 50)
  return format === "" ? lineOf(type, 50) : `${lineOf(type, 50)} (${format})`
}

/** Returns the item schema of an array. The leading items of a tuple without `items` stand for all items. */
const itemsOf = ({ items, prefixItems }: Fields): unknown => {
  const itemSchemas = listOf(prefixItems)
  if (itemSchemas.length === 0) return items
  return { anyOf: isFields(items) ? [...itemSchemas, items] : itemSchemas }
}
