/**
 * Example values of a schema: examples of the specification, otherwise values generated from the schema.
 *
 * Limits: 6 levels, 300 schemas for one example, 30 properties of an object, 20,000 characters of text.
 */
import * as SpecNumber from "@lectern/core/openapi/SpecNumber"
import { type Fields, fieldsOf, isFields, listOf, textOf } from "@lectern/core/computed/SpecParser"
import * as SpecMedia from "@lectern/core/computed/SpecMedia"
import { isRequired, type SchemaReader, type SpecSchema, typesOf } from "@lectern/core/computed/SpecSchema"
import * as XmlText from "./XmlText.ts"

const maxDepth = 6
const maxVisits = 300
const maxProperties = 30
const maxLength = 20_000
const maxExamples = 20
/** Maximum characters of a generated text. */
const maxText = 1_000

export interface Example {
  readonly title: string
  readonly text: string
}

type Direction = "request" | "response"

/** Returns the examples of a body of one media type, as text. */
export const mediaExamples = (
  reader: SchemaReader,
  type: string,
  media: Fields,
  direction: Direction,
  options: Options = {}
): ReadonlyArray<Example> => {
  const specExamples = SpecMedia.examplesOf(reader.spec, media)
    .slice(0, maxExamples)
    .flatMap(({ name, summary, value }): ReadonlyArray<Example> => {
      const text = value === undefined ? undefined : serializeExample(reader, value, type, media.schema)
      return text === undefined ? [] : [{ title: summary || name || type, text }]
    })
  if (specExamples.length > 0) return specExamples
  const value = exampleValue(reader, media.schema, direction, options)
  const text = value === undefined ? undefined : serializeExample(reader, value, type, media.schema)
  return text === undefined ? [] : [{ title: type, text }]
}

/** Returns the first example value of a body in the spec, else a value generated from the schema. */
export const mediaValue = (reader: SchemaReader, media: Fields, direction: Direction, options: Options = {}): unknown =>
  SpecMedia.examplesOf(reader.spec, media).find(({ value }) => value !== undefined)?.value ??
  exampleValue(reader, media.schema, direction, options)

/** Serializes a value for a media type; undefined if the text is longer than 20,000 characters. */
const serializeExample = (reader: SchemaReader, value: unknown, type: string, schema: unknown): string | undefined => {
  const text =
    typeof value === "string" && (!/json/i.test(type) || isJsonText(value))
      ? value
      : /\bxml\b/i.test(type)
        ? XmlText.serializeXml(reader, value, schema)
        : /^application\/x-www-form-urlencoded\b/i.test(type)
          ? urlEncode(value)
          : /^multipart\//i.test(type)
            ? formFieldsOf(value)
                .map(([name, text]) => `${name}: ${text}`)
                .join("\n")
            : JSON.stringify(value, null, 2)
  return text === undefined || text.length > maxLength ? undefined : text.toWellFormed()
}

/** True if the text is a JSON object or array. */
const isJsonText = (text: string): boolean => {
  if (!/^\s*[{[]/.test(text)) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const urlEncode = (value: unknown): string =>
  formFieldsOf(value)
    .map(([name, text]) => `${encodeURIComponent(name)}=${encodeURIComponent(text)}`)
    .join("&")

/** Returns a form value as fields. An array becomes one field for each item. */
export const formFieldsOf = (value: unknown): ReadonlyArray<readonly [name: string, text: string]> =>
  Object.entries(fieldsOf(value)).flatMap(([name, value]) =>
    (Array.isArray(value) && value.every((item) => !isFields(item)) ? value : [value]).map(
      (item) => [name.toWellFormed(), plainText(item)] as const
    )
  )

/** Returns a value as the text of a form field or parameter. */
export const plainText = (value: unknown): string =>
  (typeof value === "string" ? value : value === undefined ? "" : (JSON.stringify(value) ?? "")).toWellFormed()

interface Options {
  /** True if objects with required properties contain only these. Default: false. */
  readonly onlyRequired?: boolean
}

/** Result for a schema that is beyond a limit, or that contains itself. */
const beyondLimit = Symbol("beyondLimit")

/**
 * Returns an example value of a schema; undefined if the schema does not determine one. An object is omitted if one of
 * its required properties is beyond a limit.
 */
export const exampleValue = (
  reader: SchemaReader,
  schema: unknown,
  direction: Direction,
  { onlyRequired = false }: Options = {}
): unknown => {
  let visits = 0

  const exampleOf = (value: unknown, ancestors: ReadonlyArray<object>): unknown => {
    if (!isFields(value)) return undefined
    if (++visits > maxVisits) return beyondLimit
    const specSchema = reader.resolve(value)
    const { fields } = specSchema
    const [example] = listOf(fields.examples)
    const candidates = [fields.example, example, fields.const, fields.default, listOf(fields.enum)[0]]
    const preferredExample = candidates.find((example) => example !== undefined)
    if (preferredExample !== undefined) return preferredExample
    if (ancestors.includes(specSchema.key) || ancestors.length >= maxDepth) return beyondLimit
    const path = [...ancestors, specSchema.key]
    const own = exampleObject(specSchema, path)
    if (own === beyondLimit) return beyondLimit
    const parts = specSchema.partExamples.filter(isFields)
    const optionExamples = specSchema.choices.map(({ options }) => {
      const [option] = options
      const example = option && exampleOf(option.schema, path)
      return option?.kind === undefined || !isFields(example)
        ? example
        : { [option.kind.property]: option.kind.values[0], ...example, ...withDiscriminator(example, option.kind) }
    })
    const objectExamples = [...(own === undefined ? [] : [own]), ...parts, ...optionExamples.filter(isFields)]
    if (objectExamples.length > 0) return Object.assign({}, ...objectExamples)
    const plainExample = [...optionExamples, ...specSchema.partExamples].find(
      (example) => example !== undefined && example !== beyondLimit
    )
    return plainExample ?? (optionExamples.includes(beyondLimit) ? beyondLimit : exampleOfType(specSchema, path))
  }

  const exampleObject = (
    specSchema: SpecSchema,
    path: ReadonlyArray<object>
  ): Fields | typeof beyondLimit | undefined => {
    const properties = Object.entries(fieldsOf(specSchema.fields.properties))
    if (properties.length === 0) return undefined
    const requiredProperties = onlyRequired ? properties.filter(([name]) => isRequired(specSchema, name)) : []
    const entries: Array<[string, unknown]> = []
    for (const [name, property] of (requiredProperties.length === 0 ? properties : requiredProperties).slice(
      0,
      maxProperties
    )) {
      const { fields } = reader.resolve(property)
      const isRequiredProperty = isRequired(specSchema, name)
      if (fields[direction === "request" ? "readOnly" : "writeOnly"] === true) continue
      if (fields.deprecated === true && !isRequiredProperty) continue
      const value = exampleOf(property, path)
      if (value === beyondLimit && isRequiredProperty) return beyondLimit
      if (value !== undefined && value !== beyondLimit) entries.push([name, value])
    }
    return Object.fromEntries(entries)
  }

  const exampleOfType = (specSchema: SpecSchema, path: ReadonlyArray<object>): unknown => {
    const { fields } = specSchema
    switch (typesOf(specSchema).find((type) => type !== "null")) {
      case "object":
        return exampleMap(fields, path)
      case "array": {
        const tupleItems = listOf(fields.prefixItems).slice(0, maxProperties)
        const item = tupleItems.length > 0 ? undefined : exampleOf(fields.items, path)
        return tupleItems.length > 0
          ? tupleItems.map((tupleItem) => withoutBeyondLimit(exampleOf(tupleItem, path)) ?? null)
          : withoutBeyondLimit(item) === undefined
            ? []
            : [item]
      }
      case "string":
        return (
          formats[textOf(fields.format)] ??
          (textOf(fields.contentMediaType) === "" ? stringOfLength(fields, "text") : "…")
        )
      case "integer":
        return exampleNumber(fields, 1)
      case "number":
        return exampleNumber(fields, 1.5)
      case "boolean":
        return true
      default:
        return undefined
    }
  }

  const exampleMap = ({ additionalProperties }: Fields, path: ReadonlyArray<object>): Fields => {
    const value = isFields(additionalProperties) ? withoutBeyondLimit(exampleOf(additionalProperties, path)) : undefined
    return value === undefined ? {} : { name: value }
  }

  return withoutBeyondLimit(exampleOf(schema, []))
}

const withoutBeyondLimit = (value: unknown): unknown => (value === beyondLimit ? undefined : value)

/** Returns a text within the bounds of a schema's length. */
const stringOfLength = ({ minLength, maxLength }: Fields, preferred: string): string => {
  const [minimum = 0, maximum = maxText] = [minLength, maxLength].map(SpecNumber.valueOf)
  return preferred.length < minimum
    ? preferred.repeat(Math.ceil(Math.min(minimum, maxText) / preferred.length)).slice(0, minimum)
    : preferred.slice(0, maximum)
}

/** Returns the discriminator property to add; no property if the value already names a kind of the option. */
const withDiscriminator = (
  value: Fields,
  { property, values }: { readonly property: string; readonly values: ReadonlyArray<string> }
) => (values.includes(textOf(value[property])) ? {} : { [property]: values[0] })

/** Returns the number within the bounds that is closest to the usual one. */
const exampleNumber = (fields: Fields, preferred: number): unknown => {
  const [minimum, maximum] = [fields.minimum, fields.maximum].map(SpecNumber.valueOf)
  const [exclusiveMinimum, exclusiveMaximum] = [fields.exclusiveMinimum, fields.exclusiveMaximum].map(
    SpecNumber.valueOf
  )
  const step = Array.isArray(fields.multipleOf) ? undefined : SpecNumber.valueOf(fields.multipleOf)
  const lowerBound = Math.max(
    minimum ?? -Infinity,
    exclusiveMinimum === undefined ? -Infinity : exclusiveMinimum + (preferred === 1 ? 1 : 0.5)
  )
  const upperBound = Math.min(
    maximum ?? Infinity,
    exclusiveMaximum === undefined ? Infinity : exclusiveMaximum - (preferred === 1 ? 1 : 0.5)
  )
  const candidate = step !== undefined && step > 0 ? step : preferred
  if (candidate >= lowerBound && candidate <= upperBound) return candidate
  if (lowerBound > candidate) {
    if (minimum !== undefined && minimum >= lowerBound) return fields.minimum
    return preferred === 1 ? Math.ceil(lowerBound) : lowerBound
  }
  return maximum !== undefined && maximum <= upperBound ? fields.maximum : upperBound
}

const formats: Readonly<Record<string, string>> = {
  date: "2026-01-31",
  "date-time": "2026-01-31T12:00:00Z",
  time: "12:00:00Z",
  duration: "PT1H",
  email: "name@example.com",
  "idn-email": "name@example.com",
  uri: "https://example.com",
  "uri-reference": "https://example.com",
  url: "https://example.com",
  uuid: "123e4567-e89b-12d3-a456-426614174000",
  hostname: "example.com",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  byte: "dGV4dA==",
  binary: "…",
  password: "secret"
}
