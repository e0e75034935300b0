/**
 * Serializes a value as XML by the `xml` field of its schema: names, attributes, prefixes, namespaces, wrapped and
 * unwrapped arrays.
 *
 * Limit: 20 levels; deeper values are omitted.
 */
import { type Fields, fieldsOf, isFields, textOf } from "@lectern/core/computed/SpecParser"
import type { SchemaReader } from "@lectern/core/computed/SpecSchema"

const maxDepth = 20

export const serializeXml = (reader: SchemaReader, value: unknown, schema: unknown): string => {
  const name = reader.nameOf(schema) || "root"
  const lines = elementLines(reader, name, value, schema, 0)
  return ['<?xml version="1.0" encoding="UTF-8"?>', ...lines].join("\n")
}

/** Returns the elements of a value. An unwrapped array has one element for each item. */
const elementLines = (
  reader: SchemaReader,
  name: string,
  value: unknown,
  schema: unknown,
  depth: number
): ReadonlyArray<string> => {
  if (value === undefined || depth > maxDepth) return []
  const { fields } = reader.resolve(schema)
  const xml = fieldsOf(fields.xml)
  const ownName = textOf(xml.name) || name
  if (!Array.isArray(value)) return [elementText(reader, ownName, value, fields, depth)]
  const items = fieldsOf(reader.resolve(fields.items).fields.xml)
  const isWrapped = xml.wrapped === true || xml.nodeType === "element" || depth === 0
  const itemName = textOf(items.name) || (isWrapped && depth === 0 ? "item" : ownName)
  const children = value.flatMap((item) =>
    elementLines(reader, isWrapped ? itemName : textOf(items.name) || ownName, item, fields.items, depth + 1)
  )
  return isWrapped ? [tag(qualifiedName(ownName, xml), namespaceOf(xml), children)] : children
}

const elementText = (reader: SchemaReader, name: string, value: unknown, fields: Fields, depth: number): string => {
  const xml = fieldsOf(fields.xml)
  const fullName = qualifiedName(name, xml)
  if (!isFields(value)) return tag(fullName, namespaceOf(xml), value === null ? [] : escapeXml(plainText(value)))
  const properties = fieldsOf(fields.properties)
  const attributes: Array<string> = [...namespaceOf(xml)]
  const children: Array<string> = []
  let text = ""
  for (const [key, property] of Object.entries(value)) {
    const schema = Object.hasOwn(properties, key) ? properties[key] : fields.additionalProperties
    const xmlOptions = fieldsOf(reader.resolve(schema).fields.xml)
    const fullName = qualifiedName(textOf(xmlOptions.name) || key, xmlOptions)
    if (xmlOptions.attribute === true || xmlOptions.nodeType === "attribute") {
      attributes.push(`${xmlName(fullName)}="${escapeXml(plainText(property))}"`)
    } else if (xmlOptions.nodeType === "text" || xmlOptions.nodeType === "cdata") text += escapeXml(plainText(property))
    else children.push(...elementLines(reader, key, property, schema, depth + 1))
  }
  return tag(fullName, attributes, children.length > 0 ? children : text)
}

const tag = (name: string, attributes: ReadonlyArray<string>, content: string | ReadonlyArray<string>): string => {
  const fullName = xmlName(name)
  const head = [fullName, ...attributes].join(" ")
  if (typeof content === "string") return content === "" ? `<${head}/>` : `<${head}>${content}</${fullName}>`
  if (content.length === 0) return `<${head}/>`
  const children = content.map((line) => `  ${line.replaceAll("\n", "\n  ")}`)
  return `<${head}>\n${children.join("\n")}\n</${fullName}>`
}

const qualifiedName = (name: string, { prefix }: Fields): string =>
  textOf(prefix) === "" ? name : `${textOf(prefix)}:${name}`

const namespaceOf = ({ namespace, prefix }: Fields): ReadonlyArray<string> => {
  if (textOf(namespace) === "") return []
  return [`xmlns${textOf(prefix) === "" ? "" : `:${xmlName(textOf(prefix))}`}="${escapeXml(textOf(namespace))}"`]
}

/** Returns a valid XML name. Invalid characters become underscores. */
const xmlName = (text: string): string => {
  const name = text.replace(/[^\p{L}\p{N}_.:-]/gu, "_")
  return /^[\p{L}_:]/u.test(name) ? name : `_${name}`
}

const plainText = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""))

const escapeXml = (text: string): string =>
  text.toWellFormed().replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")
