/**
 * Serializes a value as XML by the `xml` field of its schema: names, attributes, prefixes, namespaces, wrapped and
 * unwrapped arrays.
 *
 * Limit: 20 levels; deeper values are omitted.
 */
import { type Fields, fieldsOf, isFields, textOf } from "@lectern/core/computed/SpecReading"
import type { SchemaReader } from "@lectern/core/computed/SpecSchema"

const maxDepth = 20

export const of = (reader: SchemaReader, value: unknown, schema: unknown): string => {
  const name = reader.nameOf(schema) || "root"
  const lines = elements(reader, name, value, schema, 0)
  return ['<?xml version="1.0" encoding="UTF-8"?>', ...lines].join("\n")
}

/** Returns the elements of a value. An unwrapped array has one element for each item. */
const elements = (
  reader: SchemaReader,
  name: string,
  value: unknown,
  schema: unknown,
  depth: number
): ReadonlyArray<string> => {
  if (value === undefined || depth > maxDepth) return []
  const { fields } = reader.of(schema)
  const xml = fieldsOf(fields.xml)
  const own = textOf(xml.name) || name
  if (!Array.isArray(value)) return [element(reader, own, value, fields, depth)]
  const items = fieldsOf(reader.of(fields.items).fields.xml)
  const isWrapped = xml.wrapped === true || xml.nodeType === "element" || depth === 0
  const itemName = textOf(items.name) || (isWrapped && depth === 0 ? "item" : own)
  const inside = value.flatMap((item) =>
    elements(reader, isWrapped ? itemName : textOf(items.name) || own, item, fields.items, depth + 1)
  )
  return isWrapped ? [tag(qualified(own, xml), namespaceOf(xml), inside)] : inside
}

const element = (reader: SchemaReader, name: string, value: unknown, fields: Fields, depth: number): string => {
  const xml = fieldsOf(fields.xml)
  const full = qualified(name, xml)
  if (!isFields(value)) return tag(full, namespaceOf(xml), value === null ? [] : escaped(plain(value)))
  const properties = fieldsOf(fields.properties)
  const attributes: Array<string> = [...namespaceOf(xml)]
  const inside: Array<string> = []
  let text = ""
  for (const [key, one] of Object.entries(value)) {
    const schema = Object.hasOwn(properties, key) ? properties[key] : fields.additionalProperties
    const about = fieldsOf(reader.of(schema).fields.xml)
    const called = qualified(textOf(about.name) || key, about)
    if (about.attribute === true || about.nodeType === "attribute") {
      attributes.push(`${nameIn(called)}="${escaped(plain(one))}"`)
    } else if (about.nodeType === "text" || about.nodeType === "cdata") text += escaped(plain(one))
    else inside.push(...elements(reader, key, one, schema, depth + 1))
  }
  return tag(full, attributes, inside.length > 0 ? inside : text)
}

const tag = (name: string, attributes: ReadonlyArray<string>, content: string | ReadonlyArray<string>): string => {
  const called = nameIn(name)
  const head = [called, ...attributes].join(" ")
  if (typeof content === "string") return content === "" ? `<${head}/>` : `<${head}>${content}</${called}>`
  if (content.length === 0) return `<${head}/>`
  const inside = content.map((line) => `  ${line.replaceAll("\n", "\n  ")}`)
  return `<${head}>\n${inside.join("\n")}\n</${called}>`
}

const qualified = (name: string, { prefix }: Fields): string =>
  textOf(prefix) === "" ? name : `${textOf(prefix)}:${name}`

const namespaceOf = ({ namespace, prefix }: Fields): ReadonlyArray<string> => {
  if (textOf(namespace) === "") return []
  return [`xmlns${textOf(prefix) === "" ? "" : `:${nameIn(textOf(prefix))}`}="${escaped(textOf(namespace))}"`]
}

/** Returns a valid XML name. Invalid characters become underscores. */
const nameIn = (text: string): string => {
  const name = text.replace(/[^\p{L}\p{N}_.:-]/gu, "_")
  return /^[\p{L}_:]/u.test(name) ? name : `_${name}`
}

const plain = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""))

const escaped = (text: string): string =>
  text.toWellFormed().replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")
