/**
 * Writes an operation or a webhook into a document. The document has a block that readers of the hosted vocabulary
 * render themselves. Headings, paragraphs and tables list the authorization, the parameters, the body and the
 * responses.
 *
 * Limits: 20 callbacks, 10 content types, 3 examples of a body with 4,000 characters each. A component in a response
 * other than the first success is named and not expanded.
 */
import { type DocumentWriter, type Line, line, phrase, text } from "./DocumentWriter.ts"
import * as SchemaFacts from "./SchemaFacts.ts"
import * as SchemaRows from "./SchemaRows.ts"
import * as SchemaTypes from "./SchemaTypes.ts"
import * as SpecMedia from "./SpecMedia.ts"
import * as SpecServers from "./SpecServers.ts"
import { type Fields, fieldsOf, isFields, lineOf, listOf, scalarOf, type SpecOperation, textOf } from "./SpecParser.ts"
import type { SchemaReader } from "./SpecSchema.ts"

const maxExamples = 3
const maxExample = 4_000
const maxMedia = 10

type Level = 1 | 2

export const write = (
  writer: DocumentWriter,
  reader: SchemaReader,
  { title, verb, path, method, operation, parameters }: SpecOperation,
  { ref, headless }: { readonly ref: { readonly kind: "openapi"; readonly spec: string }; readonly headless: boolean }
): void => {
  if (!headless) writer.heading(1, title)
  const isHook = method === "hook"
  writer.data(isHook ? "openapi-webhook" : "openapi-operation", {
    ref,
    ...(isHook ? { name: path } : { path }),
    method: verb,
    ...(headless && { headless })
  })
  writer.paragraph(line(text(`${verb.toUpperCase()} ${lineOf(path, 500)}`, "code")))
  if (operation.deprecated === true) writer.hint("warning", line("This operation is deprecated."))
  writer.markdown(textOf(operation.description))
  const level = headless ? 1 : 2
  if (!isHook) writeSecurity(writer, reader, operation, level)
  if (!isHook) writeServers(writer, reader, operation, path, level)
  writeCall(writer, reader, operation, parameters, level)
  for (const { name, url, operation: callback } of SpecMedia.callbacks(reader.spec, operation)) {
    writer.heading(2, `Callback ${name}`.trimEnd())
    writer.paragraph(line(text(`${callback.verb.toUpperCase()} ${lineOf(url, 500)}`, "code")))
    writer.markdown(textOf(callback.operation.description) || callback.title)
    writeCall(writer, reader, callback.operation, callback.parameters, 2)
  }
}

const writeCall = (
  writer: DocumentWriter,
  reader: SchemaReader,
  operation: Fields,
  parameters: ReadonlyArray<Fields>,
  level: Level
): void => {
  const rows = parameters.map((parameter) => [
    line(text(lineOf(parameter.name, 200) || "?", "code")),
    line(lineOf(parameter.in, 20)),
    ...cells(reader, parameter)
  ])
  if (rows.length > 0) writer.heading(level, "Parameters")
  writer.table(["Name", "In", "Type", "Required", "Description"], rows)
  const body = reader.spec.resolve(operation.requestBody)
  if (body !== undefined) {
    writer.heading(level, "Body")
    if (body.required === true) writer.paragraph(line("Required"))
    writer.markdown(textOf(body.description))
    writeContent(writer, reader, body)
  }
  writeResponses(writer, reader, operation, level)
}

/** Returns the type, the requirement and the description of a parameter or a header, one table cell each. */
const cells = (reader: SchemaReader, holder: Fields): ReadonlyArray<Line> => {
  const schema = SpecMedia.schemaOf(holder)
  return [
    line(SchemaTypes.typeText(reader, schema)),
    line(holder.required === true ? "yes" : ""),
    SchemaRows.describe(reader, schema, {
      description: holder.description,
      isDeprecated: holder.deprecated === true,
      examples: SpecMedia.examplesOf(reader.spec, holder)
    })
  ]
}

const writeSecurity = (writer: DocumentWriter, { spec }: SchemaReader, operation: Fields, level: Level): void => {
  const sets = SpecMedia.securityOf(spec, operation)
  if (sets.length === 0) return
  const lines = sets.map((set): Line =>
    set.length === 0
      ? line("None")
      : set.flatMap(({ name, scopes }, i) =>
          line(
            i === 0 ? "" : " and ",
            text(lineOf(name, 100), "code"),
            ...(scopes.length === 0
              ? []
              : [
                  " with ",
                  ...scopes.flatMap((scope, j) => line(j === 0 ? "" : ", ", text(lineOf(scope, 100), "code")))
                ])
          )
        )
  )
  writer.heading(level, "Authorization")
  writer.paragraph(lines.flatMap((set, i) => (i === 0 ? set : [text(", or "), ...set])))
}

/** Writes the servers of an operation, or else the servers of its path. */
const writeServers = (
  writer: DocumentWriter,
  { spec }: SchemaReader,
  operation: Fields,
  path: string,
  level: Level
): void => {
  const specificServers = SpecServers.ownServers(spec, operation, path)
  if (specificServers.length === 0) return
  writer.heading(level, "Servers")
  writeServerTable(writer, specificServers)
}

export const writeServerTable = (writer: DocumentWriter, servers: ReadonlyArray<unknown>): void =>
  writer.table(
    ["URL", "Description"],
    servers.flatMap((server) => {
      const { url, description, variables } = fieldsOf(server)
      const urlText = lineOf(url, 500)
      if (urlText === "") return []
      const variableLines = Object.entries(fieldsOf(variables))
        .slice(0, 20)
        .map(([name, variable]): Line => {
          const { default: defaultValue, enum: values, description: variableDescription } = fieldsOf(variable)
          const allowedValues = listOf(values)
            .slice(0, 30)
            .map((value) => lineOf(scalarOf(value), 100))
          return line(
            text(`{${lineOf(name, 100)}}`, "code"),
            ...(lineOf(scalarOf(defaultValue), 100) === ""
              ? []
              : [": ", text(lineOf(scalarOf(defaultValue), 100), "code")]),
            allowedValues.length === 0 ? "" : ", one of ",
            ...allowedValues.flatMap((value, i) => line(i === 0 ? "" : ", ", text(value || '""', "code"))),
            ...(lineOf(variableDescription, 300) === "" ? [] : [", ", ...phrase(lineOf(variableDescription, 300))])
          )
        })
      const descriptionText = lineOf(description, 500)
      const parts = [...(descriptionText === "" ? [] : [phrase(descriptionText)]), ...variableLines]
      return [[line(text(urlText, "code")), parts.flatMap((part, i) => (i === 0 ? part : [text(". "), ...part]))]]
    })
  )

const writeResponses = (writer: DocumentWriter, reader: SchemaReader, operation: Fields, level: Level): void => {
  const { spec } = reader
  const responses = Object.entries(fieldsOf(operation.responses)).flatMap(([status, value]) => {
    const response = spec.resolve(value)
    return response === undefined ? [] : [{ status: lineOf(status, 20), response }]
  })
  if (responses.length === 0) return
  writer.heading(level, "Responses")
  writer.table(
    ["Status", "Body", "Description"],
    responses.map(({ status, response }) => {
      const types = new Set(
        SpecMedia.contentTypes(response).map(([, { schema }]) => SchemaTypes.typeText(reader, schema))
      )
      return [
        line(text(status, "code")),
        line([...types].slice(0, maxMedia).join(" or ")),
        phrase(lineOf(response.description, 500) || lineOf(response.summary, 500))
      ]
    })
  )
  const first = responses.find(({ status }) => status.startsWith("2"))
  for (const { status, response } of responses) {
    const headers = Object.entries(fieldsOf(response.headers)).flatMap(([name, value]) => {
      const header = spec.resolve(value)
      return header === undefined ? [] : [[line(text(lineOf(name, 200) || "?", "code")), ...cells(reader, header)]]
    })
    if (headers.length > 0) writer.paragraph(line("Headers of ", text(status, "code"), ":"))
    writer.table(SchemaRows.titles, headers)
    const [media] = SpecMedia.contentTypes(response)
    const isExpanded = response === first?.response || reader.nameOf(media?.[1].schema) === ""
    const rows = media === undefined || !isExpanded ? [] : SchemaRows.rowsOf(reader, media[1].schema)
    if (rows.length > 0) {
      writer.paragraph(line("What comes with ", text(status, "code"), ":"))
      writer.table(SchemaRows.titles, rows)
    } else if (media !== undefined && isExpanded) {
      writer.paragraph(withStatus(status, SchemaRows.describe(reader, media[1].schema)))
    }
    for (const [type, mediaType] of SpecMedia.contentTypes(response).slice(0, maxMedia))
      writeExamples(writer, reader, type, mediaType, status)
    writeLinks(writer, reader, response, status)
  }
}

const withStatus = (status: string, description: Line): Line =>
  description.length === 0 ? [] : line(text(status, "code"), ": ", ...description)

const writeLinks = (writer: DocumentWriter, { spec }: SchemaReader, response: Fields, status: string): void => {
  const links = SpecMedia.linksOf(spec, response)
  if (links.length === 0) return
  writer.paragraph(line("Links of ", text(status, "code"), ":"))
  writer.table(
    ["Name", "Operation", "With", "Description"],
    links.map(({ name, operation, parameters, description }) => [
      line(text(name, "code")),
      line(operation === "" ? "" : text(operation, "code")),
      parameters.flatMap(([parameter, value], i) => line(i === 0 ? "" : ", ", text(`${parameter} = ${value}`, "code"))),
      phrase(lineOf(description, 500))
    ])
  )
}

const writeExamples = (
  writer: DocumentWriter,
  { spec }: SchemaReader,
  type: string,
  media: Fields,
  status?: string
): void => {
  for (const { name, summary, value, external } of SpecMedia.examplesOf(spec, media).slice(0, maxExamples)) {
    const body = typeof value === "string" ? value : JSON.stringify(value, null, 2)
    const title = [name, summary].filter(Boolean).join(": ")
    const head = line(
      "Example",
      ...(status === undefined ? [] : [" of ", text(status, "code")]),
      title === "" ? "" : ` (${title})`,
      ":"
    )
    if (value === undefined) writer.paragraph(line(...head, " ", text(external, "code")))
    else if (body.length <= maxExample) {
      writer.paragraph(head)
      writer.code(/json/i.test(type) ? "json" : /xml/i.test(type) ? "xml" : "", body.toWellFormed())
    }
  }
}

/** Writes the content types of a body, grouped by equal types of their schemas. */
const writeContent = (writer: DocumentWriter, reader: SchemaReader, holder: Fields): void => {
  const byType = new Map<string, { readonly schema: unknown; readonly media: Array<readonly [string, Fields]> }>()
  for (const [type, media] of SpecMedia.contentTypes(holder)) {
    const typeText = SchemaTypes.typeText(reader, media.schema)
    const group = byType.get(typeText)
    if (group === undefined) byType.set(typeText, { schema: media.schema, media: [[type, media]] })
    else group.media.push([type, media])
  }
  for (const [words, { schema, media }] of byType) {
    const types = media
      .slice(0, maxMedia)
      .flatMap(([type], i) => [...(i === 0 ? [] : [text(", ")]), text(lineOf(type, 100) || "?", "code")])
    const rows = SchemaRows.rowsOf(reader, schema)
    const facts = rows.length > 0 ? [] : SchemaRows.describe(reader, schema)
    writer.paragraph(line(...types, ": ", words, facts.length > 0 ? ". " : "", ...facts))
    writer.table(SchemaRows.titles, rows)
    for (const [type, mediaType] of media.slice(0, maxMedia)) {
      const encodings = Object.entries(isFields(mediaType.encoding) ? mediaType.encoding : {}).flatMap(
        ([name, encoding]) => {
          const encodingText = SchemaFacts.encodingOf(encoding)
          return encodingText === "" ? [] : [[line(text(lineOf(name, 200), "code")), line(text(encodingText, "code"))]]
        }
      )
      writer.table(["Part", "Encoding"], encodings)
      writeExamples(writer, reader, type, mediaType)
    }
  }
}
