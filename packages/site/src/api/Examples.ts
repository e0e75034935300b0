/**
 * Values that a schema allows, as examples: those that the spec gives, else made of the schema.
 *
 * Limits: 6 levels, 300 schemas for one example, 30 properties of an object, 20,000 characters as JSON.
 */
import { type Fields, fieldsOf, isFields, lineOf, listOf, type Spec, textOf } from "@lectern/core/computed/SpecReading"

const maxDepth = 6
const maxVisits = 300
const maxProperties = 30
const maxLength = 20_000

export interface Example {
  readonly title: string
  readonly text: string
}

/** Examples of a body of one type, as text. */
export const ofMedia = (
  spec: Spec,
  type: string,
  media: Fields,
  way: "sent" | "answered",
  options: Options = {}
): ReadonlyArray<Example> => {
  const named = Object.entries(fieldsOf(media.examples))
    .slice(0, 10)
    .flatMap(([name, value]): ReadonlyArray<Example> => {
      const found = spec.resolve(value)
      const text = found?.value === undefined ? undefined : written(found.value, type)
      return text === undefined ? [] : [{ title: lineOf(found?.summary, 60) || lineOf(name, 60) || "1", text }]
    })
  if (named.length > 0) return named
  const given = media.example ?? of(spec, media.schema, way, options)
  const text = given === undefined ? undefined : written(given, type)
  return text === undefined ? [] : [{ title: type, text }]
}

/** A value as it stands in a body of this type; undefined where it would be too long. */
const written = (value: unknown, type: string): string | undefined => {
  const text = typeof value === "string" && !/json/i.test(type) ? value : JSON.stringify(value, null, 2)
  return text === undefined || text.length > maxLength ? undefined : text.toWellFormed()
}

interface Options {
  /** Of an object that can't do without some of its properties, these alone. Default: false. */
  readonly isShort?: boolean
}

/** A value of a schema; undefined where there is nothing to say. */
export const of = (
  spec: Spec,
  schema: unknown,
  way: "sent" | "answered",
  { isShort = false }: Options = {}
): unknown => {
  let visits = 0

  const valueOf = (value: unknown, above: ReadonlyArray<Fields>): unknown => {
    const found = spec.resolve(value)
    if (found === undefined || ++visits > maxVisits) return undefined
    if (found.example !== undefined) return found.example
    const [first] = listOf(found.examples)
    if (first !== undefined) return first
    if (found.const !== undefined) return found.const
    if (found.default !== undefined) return found.default
    const [value0] = listOf(found.enum)
    if (value0 !== undefined) return value0
    if (above.includes(found) || above.length >= maxDepth) return undefined
    const around = [...above, found]
    const parts = listOf(found.allOf)
    if (parts.length > 0) {
      const all = [...parts.slice(0, 20).map((part) => valueOf(part, around)), objectOf(found, around)]
      const objects = all.filter(isFields)
      return objects.length > 0 ? Object.assign({}, ...objects) : all.find((one) => one !== undefined)
    }
    const [alternative] = [...listOf(found.oneOf), ...listOf(found.anyOf)]
    if (alternative !== undefined) {
      const chosen = valueOf(alternative, around)
      const own = objectOf(found, around)
      return isFields(chosen) && isFields(own) ? { ...own, ...chosen } : chosen
    }
    return ofType(found, around)
  }

  const objectOf = (found: Fields, around: ReadonlyArray<Fields>): Fields | undefined => {
    const properties = Object.entries(fieldsOf(found.properties))
    if (properties.length === 0) return undefined
    const required = new Set(isShort ? listOf(found.required).map(textOf) : [])
    const wanted = required.size === 0 ? properties : properties.filter(([name]) => required.has(name))
    const entries = wanted.slice(0, maxProperties).flatMap(([name, property]): Array<[string, unknown]> => {
      const resolved = spec.resolve(property)
      if (resolved?.[way === "sent" ? "readOnly" : "writeOnly"] === true || resolved?.deprecated === true) return []
      const value = valueOf(property, around)
      return value === undefined ? [] : [[name, value]]
    })
    return Object.fromEntries(entries)
  }

  const ofType = (found: Fields, around: ReadonlyArray<Fields>): unknown => {
    const types = Array.isArray(found.type) ? found.type : [found.type]
    const type = types.find((one) => one !== "null")
    switch (type ?? (found.properties !== undefined ? "object" : found.items !== undefined ? "array" : undefined)) {
      case "object":
        return objectOf(found, around) ?? {}
      case "array": {
        const item = valueOf(found.items, around)
        return item === undefined ? [] : [item]
      }
      case "string":
        return formats[textOf(found.format)] ?? "text"
      case "integer":
        return typeof found.minimum === "number" ? Math.ceil(found.minimum) : 1
      case "number":
        return typeof found.minimum === "number" ? found.minimum : 1.5
      case "boolean":
        return true
      default:
        return undefined
    }
  }

  return valueOf(schema, [])
}

const formats: Readonly<Record<string, string>> = {
  date: "2026-01-31",
  "date-time": "2026-01-31T12:00:00Z",
  time: "12:00:00Z",
  email: "name@example.com",
  uri: "https://example.com",
  url: "https://example.com",
  uuid: "123e4567-e89b-12d3-a456-426614174000",
  hostname: "example.com",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  byte: "dGV4dA==",
  binary: "…",
  password: "secret"
}
