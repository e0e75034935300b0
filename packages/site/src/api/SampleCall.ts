/**
 * A sample call of an operation with all required parts and with placeholder values. Code samples are written from this
 * call.
 *
 * Limits: 30 parameters of a kind, 50 fields of a form.
 */
import * as SpecMedia from "@lectern/core/computed/SpecMedia"
import { type Fields, fieldsOf, isFields, lineOf, type SpecOperation, textOf } from "@lectern/core/computed/SpecParser"
import type { SchemaReader, SpecSchema } from "@lectern/core/computed/SpecSchema"
import type { ApiRenderContext } from "./ApiRenderContext.ts"
import * as Examples from "./Examples.ts"
import type { SampleRequest, SampleBody, FormField } from "./CodeSamples.ts"
import * as Servers from "./Servers.ts"

const maxParameters = 30
const maxFields = 50

export const sampleCallOf = (context: ApiRenderContext, specOperation: SpecOperation): SampleRequest => {
  const { spec, source, reader } = context
  const { verb, path, operation, parameters } = specOperation
  const [server] = Servers.serversOf(spec, specOperation, source)
  const base = absoluteUrl(server === undefined ? "/" : Servers.displayUrl(server))
  const exampleOf = (parameter: Fields): unknown =>
    SpecMedia.examplesOf(spec, parameter).find(({ value }) => value !== undefined)?.value
  const valueOf = (parameter: Fields): unknown =>
    exampleOf(parameter) ?? Examples.exampleValue(reader, SpecMedia.schemaOf(parameter), "request")
  const pathParameters = new Map(
    parameters.filter((item) => item.in === "path").map((item) => [textOf(item.name), item])
  )
  const filledPath = lineOf(path, 500).replace(/\{([^{}]*)\}/g, (placeholder, name: string) => {
    const parameter = pathParameters.get(name)
    const value = parameter && exampleOf(parameter)
    return value === undefined ? placeholder : encodeURIComponent(joinedText(value))
  })
  const requiredParameters = (location: string) =>
    parameters.filter((item) => item.in === location && item.required === true).slice(0, maxParameters)
  const query = requiredParameters("query").flatMap((item) =>
    pairsOf(item, valueOf(item)).map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
  )
  const credentials = credentialsOf(context, operation)
  const [type, media] = SpecMedia.contentTypes(spec.resolve(operation.requestBody) ?? {})[0] ?? []
  const body = type === undefined || media === undefined ? undefined : bodyOf(reader, type, media)
  return {
    method: verb.toUpperCase(),
    url: `${base.replace(/\/$/, "")}${filledPath}${[...query, ...credentials.query].map((item, i) => (i === 0 ? "?" : "&") + item).join("")}`,
    headers: [
      ...credentials.headers,
      ...requiredParameters("header").map(
        (item) => [lineOf(item.name, 200), lineOf(joinedText(valueOf(item)), 200)] as const
      ),
      // HTTP clients set the header of multipart bodies themselves, since they generate the boundary.
      ...(body !== undefined && body.kind !== "parts" && type !== undefined
        ? [["Content-Type", lineOf(type, 100)] as const]
        : [])
    ],
    ...(body !== undefined && { body })
  }
}

/** Returns the URL of a server with an origin. The origin is a placeholder if the specification does not state it. */
const absoluteUrl = (url: string): string => {
  if (/^(?:\{|[a-z][a-z\d+.-]*:)/i.test(url)) return url
  return url.startsWith("//") ? `https:${url}` : `https://api.example.com/${url.replace(/^\//, "")}`
}

/** Returns a value for a path or header. Items of an array are separated by commas. */
const joinedText = (value: unknown): string =>
  Array.isArray(value) ? value.map(Examples.plainText).join(",") : Examples.plainText(value)

/** Returns the name-value pairs of a query parameter, in the style that the parameter states. */
const pairsOf = (parameter: Fields, value: unknown): ReadonlyArray<readonly [name: string, value: string]> => {
  const name = lineOf(parameter.name, 200)
  const style = textOf(parameter.style) || "form"
  const isExploded = typeof parameter.explode === "boolean" ? parameter.explode : style === "form"
  if (parameter.schema === undefined || typeof value !== "object" || value === null) {
    return [[name, lineOf(Examples.plainText(value), 200)]]
  }
  const separator = { spaceDelimited: " ", pipeDelimited: "|" }[style] ?? ","
  if (Array.isArray(value)) {
    const items = value.slice(0, maxParameters).map((item) => lineOf(Examples.plainText(item), 200))
    return isExploded ? items.map((item) => [name, item]) : [[name, items.join(separator)]]
  }
  if (!isFields(value)) return [[name, Examples.plainText(value)]]
  const entries = Object.entries(value)
    .slice(0, maxParameters)
    .map(([key, item]) => [lineOf(key, 200), lineOf(Examples.plainText(item), 200)] as const)
  if (style === "deepObject") return entries.map(([key, item]) => [`${name}[${key}]`, item])
  return isExploded ? entries : [[name, entries.flat().join(",")]]
}

const isFile = ({ fields }: SpecSchema): boolean =>
  fields.format === "binary" ||
  (textOf(fields.contentMediaType) !== "" && fields.contentEncoding === undefined && fields.type !== "object")

/** True if the content of the media type is binary. */
const isBinary = (type: string): boolean =>
  /^(?:application\/(?:octet-stream|pdf|zip|gzip|x-tar|vnd\.[^;]*\.(?:ms-excel|document|sheet))|(?:image|audio|video|font)\/(?!svg))/i.test(
    type
  )

const bodyOf = (reader: SchemaReader, type: string, media: Fields): SampleBody | undefined => {
  if (/^multipart\//i.test(type)) return { kind: "parts", fields: formParts(reader, media) }
  if (isBinary(type) || (!/json|xml|text/i.test(type) && isFile(reader.resolve(media.schema)))) return { kind: "file" }
  if (SpecMedia.isForm(type)) {
    return {
      kind: "form",
      fields: Examples.formFieldsOf(Examples.mediaValue(reader, media, "request", { onlyRequired: true })).slice(
        0,
        maxFields
      )
    }
  }
  const text = Examples.mediaExamples(reader, type, media, "request", { onlyRequired: true })[0]?.text
  return text === undefined ? undefined : { kind: "text", text }
}

/**
 * Returns the fields of a multipart form. A file field has the name of a file, since the spec has no value for files.
 */
const formParts = (reader: SchemaReader, media: Fields): ReadonlyArray<FormField> => {
  const properties = fieldsOf(reader.resolve(media.schema).fields.properties)
  const value = fieldsOf(Examples.mediaValue(reader, media, "request", { onlyRequired: true }))
  return Object.entries(value)
    .slice(0, maxFields)
    .flatMap(([name, item]): ReadonlyArray<FormField> => {
      const schema = reader.resolve(Object.hasOwn(properties, name) ? properties[name] : undefined)
      if (isFile(schema) || isFile(reader.resolve(schema.fields.items))) return [{ name, file: "file" }]
      return Examples.formFieldsOf({ [name]: item }).map(([, text]) => ({ name, text }))
    })
}

/** Returns the credentials of the first sufficient set of security schemes. */
const credentialsOf = ({ spec }: ApiRenderContext, operation: Fields) => {
  const headers: Array<readonly [string, string]> = []
  const query: Array<string> = []
  const [schemeSet = []] = SpecMedia.securityOf(spec, operation)
  for (const { scheme } of schemeSet.slice(0, 5)) {
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
