/**
 * A call of an operation with all that it can't do without, and values to be replaced: what samples are written of.
 *
 * Limits: 30 parameters of a kind, 50 fields of a form.
 */
import * as SpecMedia from "@lectern/core/computed/SpecMedia"
import { type Fields, fieldsOf, isFields, lineOf, type SpecOperation, textOf } from "@lectern/core/computed/SpecReading"
import type { SchemaReader, SpecSchema } from "@lectern/core/computed/SpecSchema"
import type { Drawing } from "./Drawing.ts"
import * as Examples from "./Examples.ts"
import type { Call, CallBody, FormField } from "./Samples.ts"
import * as Servers from "./Servers.ts"

const maxParameters = 30
const maxFields = 50

export const of = (drawing: Drawing, found: SpecOperation): Call => {
  const { spec, source, reader } = drawing
  const { verb, path, operation, parameters } = found
  const [server] = Servers.of(spec, found, source)
  const base = server === undefined ? "https://api.example.com" : Servers.shown(server)
  const given = (parameter: Fields): unknown =>
    SpecMedia.examplesOf(spec, parameter).find(({ value }) => value !== undefined)?.value
  const valueOf = (parameter: Fields): unknown =>
    given(parameter) ?? Examples.of(reader, SpecMedia.schemaOf(parameter), "sent")
  const named = new Map(parameters.filter((one) => one.in === "path").map((one) => [textOf(one.name), one]))
  const filled = lineOf(path, 500).replace(/\{([^{}]*)\}/g, (whole, name: string) => {
    const parameter = named.get(name)
    const value = parameter && given(parameter)
    return value === undefined ? whole : encodeURIComponent(listed(value))
  })
  const required = (place: string) =>
    parameters.filter((one) => one.in === place && one.required === true).slice(0, maxParameters)
  const query = required("query").flatMap((one) =>
    pairsOf(one, valueOf(one)).map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
  )
  const keys = keysOf(drawing, operation)
  const [type, media] = SpecMedia.all(spec.resolve(operation.requestBody) ?? {})[0] ?? []
  const body = type === undefined || media === undefined ? undefined : bodyOf(reader, type, media)
  return {
    method: verb.toUpperCase(),
    url: `${base.replace(/\/$/, "")}${filled}${[...query, ...keys.query].map((one, i) => (i === 0 ? "?" : "&") + one).join("")}`,
    headers: [
      ...keys.headers,
      ...required("header").map((one) => [lineOf(one.name, 200), lineOf(listed(valueOf(one)), 200)] as const),
      // Whoever sends parts says where one ends, in a header of its own making.
      ...(body !== undefined && body.kind !== "parts" && type !== undefined
        ? [["Content-Type", lineOf(type, 100)] as const]
        : [])
    ],
    ...(body !== undefined && { body })
  }
}

/** A value in a path or a header: items with commas between them. */
const listed = (value: unknown): string =>
  Array.isArray(value) ? value.map(Examples.plain).join(",") : Examples.plain(value)

/** A value in a query, as the style of its parameter says. */
const pairsOf = (parameter: Fields, value: unknown): ReadonlyArray<readonly [name: string, value: string]> => {
  const name = lineOf(parameter.name, 200)
  const style = textOf(parameter.style) || "form"
  const isExploded = typeof parameter.explode === "boolean" ? parameter.explode : style === "form"
  if (parameter.schema === undefined || typeof value !== "object" || value === null) {
    return [[name, lineOf(Examples.plain(value), 200)]]
  }
  const between = { spaceDelimited: " ", pipeDelimited: "|" }[style] ?? ","
  if (Array.isArray(value)) {
    const items = value.slice(0, maxParameters).map((item) => lineOf(Examples.plain(item), 200))
    return isExploded ? items.map((item) => [name, item]) : [[name, items.join(between)]]
  }
  if (!isFields(value)) return [[name, Examples.plain(value)]]
  const entries = Object.entries(value)
    .slice(0, maxParameters)
    .map(([key, one]) => [lineOf(key, 200), lineOf(Examples.plain(one), 200)] as const)
  if (style === "deepObject") return entries.map(([key, one]) => [`${name}[${key}]`, one])
  return isExploded ? entries : [[name, entries.flat().join(",")]]
}

const isFile = ({ fields }: SpecSchema): boolean =>
  fields.format === "binary" ||
  (textOf(fields.contentMediaType) !== "" && fields.contentEncoding === undefined && fields.type !== "object")

/** Types whose content is no text. */
const isBinary = (type: string): boolean =>
  /^(?:application\/(?:octet-stream|pdf|zip|gzip|x-tar|vnd\.[^;]*\.(?:ms-excel|document|sheet))|(?:image|audio|video|font)\/(?!svg))/i.test(
    type
  )

const bodyOf = (reader: SchemaReader, type: string, media: Fields): CallBody | undefined => {
  if (/^multipart\//i.test(type)) return { kind: "parts", fields: partsOf(reader, media) }
  if (isBinary(type) || (!/json|xml|text/i.test(type) && isFile(reader.of(media.schema)))) return { kind: "file" }
  if (SpecMedia.isForm(type)) {
    return {
      kind: "form",
      fields: Examples.fieldsIn(Examples.valueOf(reader, media, "sent", { isShort: true })).slice(0, maxFields)
    }
  }
  const text = Examples.ofMedia(reader, type, media, "sent", { isShort: true })[0]?.text
  return text === undefined ? undefined : { kind: "text", text }
}

/** Fields of a form of which some are files. A file has no value in the spec. */
const partsOf = (reader: SchemaReader, media: Fields): ReadonlyArray<FormField> => {
  const properties = fieldsOf(reader.of(media.schema).fields.properties)
  const value = fieldsOf(Examples.valueOf(reader, media, "sent", { isShort: true }))
  return Object.entries(value)
    .slice(0, maxFields)
    .flatMap(([name, one]): ReadonlyArray<FormField> => {
      const schema = reader.of(Object.hasOwn(properties, name) ? properties[name] : undefined)
      if (isFile(schema) || isFile(reader.of(schema.fields.items))) return [{ name, file: "file" }]
      return Examples.fieldsIn({ [name]: one }).map(([, text]) => ({ name, text }))
    })
}

/** Credentials of the first set of schemes that is enough. */
const keysOf = ({ spec }: Drawing, operation: Fields) => {
  const headers: Array<readonly [string, string]> = []
  const query: Array<string> = []
  const [set = []] = SpecMedia.securityOf(spec, operation)
  for (const { scheme } of set.slice(0, 5)) {
    if (scheme === undefined) continue
    if (scheme.type === "apiKey") {
      const key = lineOf(scheme.name, 100)
      if (scheme.in === "header") headers.push([key, "YOUR_KEY"])
      else if (scheme.in === "query") query.push(`${encodeURIComponent(key)}=YOUR_KEY`)
      else headers.push(["Cookie", `${key}=YOUR_KEY`])
    } else if (scheme.type === "http" && textOf(scheme.scheme).toLowerCase() === "basic") {
      headers.push(["Authorization", "Basic YOUR_CREDENTIALS"])
    } else headers.push(["Authorization", "Bearer YOUR_TOKEN"])
  }
  return { headers, query }
}
