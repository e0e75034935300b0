/**
 * Example values of a schema: examples of the specification, otherwise values generated from the schema.
 *
 * Limits: 6 levels, 300 schemas for one example, 30 properties of an object, 20,000 characters of text.
 */
import * as SpecNumber from "@lectern/core/openapi/SpecNumber"
import { type Fields, fieldsOf, isFields, listOf, textOf } from "@lectern/core/computed/SpecReading"
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

type Way = "sent" | "answered"

/** Returns the examples of a body of one media type, as text. */
export const ofMedia = (
  reader: SchemaReader,
  type: string,
  media: Fields,
  way: Way,
  options: Options = {}
): ReadonlyArray<Example> => {
  const given = SpecMedia.examplesOf(reader.spec, media)
    .slice(0, maxExamples)
    .flatMap(({ name, summary, value }): ReadonlyArray<Example> => {
      const text = value === undefined ? undefined : written(reader, value, type, media.schema)
      return text === undefined ? [] : [{ title: summary || name || type, text }]
    })
  if (given.length > 0) return given
  const value = of(reader, media.schema, way, options)
  const text = value === undefined ? undefined : written(reader, value, type, media.schema)
  return text === undefined ? [] : [{ title: type, text }]
}

/** Returns the first example value of a body in the spec, else a value generated from the schema. */
export const valueOf = (reader: SchemaReader, media: Fields, way: Way, options: Options = {}): unknown =>
  SpecMedia.examplesOf(reader.spec, media).find(({ value }) => value !== undefined)?.value ??
  of(reader, media.schema, way, options)

/** Serializes a value for a media type; undefined if the text is longer than 20,000 characters. */
const written = (reader: SchemaReader, value: unknown, type: string, schema: unknown): string | undefined => {
  const text =
    typeof value === "string" && (!/json/i.test(type) || isJsonText(value))
      ? value
      : /\bxml\b/i.test(type)
        ? XmlText.of(reader, value, schema)
        : /^application\/x-www-form-urlencoded\b/i.test(type)
          ? urlEncoded(value)
          : /^multipart\//i.test(type)
            ? fieldsIn(value)
                .map(([name, one]) => `${name}: ${one}`)
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

const urlEncoded = (value: unknown): string =>
  fieldsIn(value)
    .map(([name, text]) => `${encodeURIComponent(name)}=${encodeURIComponent(text)}`)
    .join("&")

/** Returns a form value as fields. An array becomes one field for each item. */
export const fieldsIn = (value: unknown): ReadonlyArray<readonly [name: string, text: string]> =>
  Object.entries(fieldsOf(value)).flatMap(([name, one]) =>
    (Array.isArray(one) && one.every((item) => !isFields(item)) ? one : [one]).map(
      (item) => [name.toWellFormed(), plain(item)] as const
    )
  )

/** Returns a value as the text of a form field or parameter. */
export const plain = (value: unknown): string =>
  (typeof value === "string" ? value : value === undefined ? "" : (JSON.stringify(value) ?? "")).toWellFormed()

interface Options {
  /** True if objects with required properties contain only these. Default: false. */
  readonly isShort?: boolean
}

/** Result for a schema that is beyond a limit, or that contains itself. */
const cutOff = Symbol("cutOff")

/**
 * Returns an example value of a schema; undefined if the schema does not determine one. An object is omitted if one of
 * its required properties is beyond a limit.
 */
export const of = (reader: SchemaReader, schema: unknown, way: Way, { isShort = false }: Options = {}): unknown => {
  let visits = 0

  const valueOf = (value: unknown, above: ReadonlyArray<object>): unknown => {
    if (!isFields(value)) return undefined
    if (++visits > maxVisits) return cutOff
    const found = reader.of(value)
    const { fields } = found
    const [example] = listOf(fields.examples)
    const given = [fields.example, example, fields.const, fields.default, listOf(fields.enum)[0]]
    const usual = given.find((one) => one !== undefined)
    if (usual !== undefined) return usual
    if (above.includes(found.key) || above.length >= maxDepth) return cutOff
    const around = [...above, found.key]
    const own = objectOf(found, around)
    if (own === cutOff) return cutOff
    const parts = found.partExamples.filter(isFields)
    const chosen = found.choices.map(({ options }) => {
      const [option] = options
      const one = option && valueOf(option.schema, around)
      return option?.kind === undefined || !isFields(one)
        ? one
        : { [option.kind.property]: option.kind.values[0], ...one, ...kindOf(one, option.kind) }
    })
    const objects = [...(own === undefined ? [] : [own]), ...parts, ...chosen.filter(isFields)]
    if (objects.length > 0) return Object.assign({}, ...objects)
    const plain = [...chosen, ...found.partExamples].find((one) => one !== undefined && one !== cutOff)
    return plain ?? (chosen.includes(cutOff) ? cutOff : ofType(found, around))
  }

  const objectOf = (found: SpecSchema, around: ReadonlyArray<object>): Fields | typeof cutOff | undefined => {
    const properties = Object.entries(fieldsOf(found.fields.properties))
    if (properties.length === 0) return undefined
    const needed = isShort ? properties.filter(([name]) => isRequired(found, name)) : []
    const entries: Array<[string, unknown]> = []
    for (const [name, property] of (needed.length === 0 ? properties : needed).slice(0, maxProperties)) {
      const { fields } = reader.of(property)
      const isNeeded = isRequired(found, name)
      if (fields[way === "sent" ? "readOnly" : "writeOnly"] === true) continue
      if (fields.deprecated === true && !isNeeded) continue
      const value = valueOf(property, around)
      if (value === cutOff && isNeeded) return cutOff
      if (value !== undefined && value !== cutOff) entries.push([name, value])
    }
    return Object.fromEntries(entries)
  }

  const ofType = (found: SpecSchema, around: ReadonlyArray<object>): unknown => {
    const { fields } = found
    switch (typesOf(found).find((one) => one !== "null")) {
      case "object":
        return mapOf(fields, around)
      case "array": {
        const places = listOf(fields.prefixItems).slice(0, maxProperties)
        const item = places.length > 0 ? undefined : valueOf(fields.items, around)
        return places.length > 0
          ? places.map((place) => known(valueOf(place, around)) ?? null)
          : known(item) === undefined
            ? []
            : [item]
      }
      case "string":
        return (
          formats[textOf(fields.format)] ?? (textOf(fields.contentMediaType) === "" ? ofLength(fields, "text") : "…")
        )
      case "integer":
        return numberOf(fields, 1)
      case "number":
        return numberOf(fields, 1.5)
      case "boolean":
        return true
      default:
        return undefined
    }
  }

  const mapOf = ({ additionalProperties }: Fields, around: ReadonlyArray<object>): Fields => {
    const value = isFields(additionalProperties) ? known(valueOf(additionalProperties, around)) : undefined
    return value === undefined ? {} : { name: value }
  }

  return known(valueOf(schema, []))
}

const known = (value: unknown): unknown => (value === cutOff ? undefined : value)

/** Returns a text within the bounds of a schema's length. */
const ofLength = ({ minLength, maxLength }: Fields, usual: string): string => {
  const [least = 0, most = maxText] = [minLength, maxLength].map(SpecNumber.valueOf)
  return usual.length < least
    ? usual.repeat(Math.ceil(Math.min(least, maxText) / usual.length)).slice(0, least)
    : usual.slice(0, most)
}

/** Returns the discriminator property to add; no property if the value already names a kind of the option. */
const kindOf = (
  value: Fields,
  { property, values }: { readonly property: string; readonly values: ReadonlyArray<string> }
) => (values.includes(textOf(value[property])) ? {} : { [property]: values[0] })

/** Returns the number within the bounds that is closest to the usual one. */
const numberOf = (fields: Fields, usual: number): unknown => {
  const [least, most] = [fields.minimum, fields.maximum].map(SpecNumber.valueOf)
  const [above, below] = [fields.exclusiveMinimum, fields.exclusiveMaximum].map(SpecNumber.valueOf)
  const step = Array.isArray(fields.multipleOf) ? undefined : SpecNumber.valueOf(fields.multipleOf)
  const from = Math.max(least ?? -Infinity, above === undefined ? -Infinity : above + (usual === 1 ? 1 : 0.5))
  const to = Math.min(most ?? Infinity, below === undefined ? Infinity : below - (usual === 1 ? 1 : 0.5))
  const wanted = step !== undefined && step > 0 ? step : usual
  if (wanted >= from && wanted <= to) return wanted
  if (from > wanted) {
    if (least !== undefined && least >= from) return fields.minimum
    return usual === 1 ? Math.ceil(from) : from
  }
  return most !== undefined && most <= to ? fields.maximum : to
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
