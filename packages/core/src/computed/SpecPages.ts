/**
 * The document of a page that is computed from a spec: the blocks of operations and schemas that
 * readers of the hosted vocabulary draw themselves, each with what it says in headings, paragraphs
 * and tables, which any reader understands and Markdown can say.
 *
 * Others get their turn after each operation and each schema.
 */
import { Effect } from "effect"
import type { Document } from "@lectern/document/Document"
import { type ComputedDocumentProps, specOf, type SpecSource } from "./ComputedSource.ts"
import { DocumentWriter, type Line, line, link, phrase, text } from "./DocumentWriter.ts"
import * as SchemaRows from "./SchemaRows.ts"
import * as SpecOutline from "./SpecOutline.ts"
import {
  type Fields,
  fieldsOf,
  isFields,
  lineOf,
  listOf,
  type Spec,
  type SpecOperation,
  type SpecTag,
  textOf
} from "./SpecReading.ts"

/** Everything that a page needs beside its spec. */
export interface About {
  readonly source: Pick<SpecSource, "dependencies">
  /** Of the page about the spec: whether it links to it. */
  readonly downloadLink?: boolean
}

/** The document about a spec as a whole. */
export const ofSpec = (spec: Spec, about: About): Document => {
  const writer = new DocumentWriter()
  writeInfo(writer, spec, about)
  return writer.finish()
}

export const document = Effect.fnUntraced(function* (
  spec: Spec,
  props: ComputedDocumentProps,
  about: About
): Effect.fn.Return<Document> {
  const writer = new DocumentWriter()
  switch (props.doc) {
    case "models":
      for (const [name, schema] of spec.schemas) {
        writeSchema(writer, spec, name, schema, about)
        if (writer.isFull) break
        yield* Effect.yieldNow
      }
      break
    case "operation": {
      const found = SpecOutline.operationOf(spec, props)
      if (found === undefined) return notice("The spec has no such operation now.")
      writeOperation(writer, spec, found, about, { headless: true })
      break
    }
    default: {
      const tag = SpecOutline.tagOf(spec, props.page)
      if (tag === undefined) {
        return props.doc === "info" ? ofSpec(spec, about) : notice("The spec has no such operations now.")
      }
      writer.markdown(tag.description)
      if (props.doc === "tag") writeList(writer, tag)
      if (props.doc !== "operations") break
      for (const each of tag.operations) {
        writeOperation(writer, spec, each, about, { headless: false })
        if (writer.isFull) break
        yield* Effect.yieldNow
      }
    }
  }
  return writer.finish()
})

/** The document of a page whose spec, or whose part of it, isn't there. */
export const notice = (sentence: string): Document => {
  const writer = new DocumentWriter()
  writer.hint("info", line(sentence))
  return writer.finish()
}

const refOf = ({ source }: About) => ({ kind: "openapi", spec: specOf(source) }) as const

const writeInfo = (writer: DocumentWriter, spec: Spec, about: About): void => {
  const { info, document } = spec
  const version = lineOf(info.version, 100)
  if (version !== "") writer.paragraph(line("Version ", text(version, "code")))
  writer.markdown(textOf(info.description))
  const servers = listOf(document.servers).flatMap((server): ReadonlyArray<ReadonlyArray<Line>> => {
    const url = lineOf(fieldsOf(server).url, 500)
    return url === "" ? [] : [[line(text(url, "code")), phrase(lineOf(fieldsOf(server).description, 500))]]
  })
  if (servers.length > 0) writer.heading(1, "Servers")
  writer.table(["URL", "Description"], servers)
  const schemes = Object.entries(fieldsOf(fieldsOf(document.components).securitySchemes)).flatMap(([name, value]) => {
    const scheme = spec.resolve(value)
    return scheme === undefined ? [] : [[line(text(lineOf(name, 200), "code")), line(...securityOf(scheme))]]
  })
  if (schemes.length > 0) writer.heading(1, "Authorization")
  writer.table(["Name", "How"], schemes)
  if (about.downloadLink === true) writer.paragraph([link("Download the spec", refOf(about))])
}

const securityOf = (scheme: Fields): Line => {
  const description = lineOf(scheme.description, 500)
  const about = description === "" ? [] : [text(". "), ...phrase(description)]
  switch (scheme.type) {
    case "apiKey":
      return [text(`A key in the ${lineOf(scheme.in, 20)} `), text(lineOf(scheme.name, 200) || "?", "code"), ...about]
    case "http":
      return [text(`The scheme ${lineOf(scheme.scheme, 50)} in the header `), text("Authorization", "code"), ...about]
    default:
      return [text(lineOf(scheme.type, 50) || "Unknown"), ...about]
  }
}

const writeList = (writer: DocumentWriter, { operations }: SpecTag): void =>
  writer.table(
    ["Operation", "What it does"],
    operations.map(({ verb, path, title }) => [
      line(text(`${verb.toUpperCase()} ${lineOf(path, 500)}`, "code")),
      line(title)
    ])
  )

const writeOperation = (
  writer: DocumentWriter,
  spec: Spec,
  { title, verb, path, method, operation, parameters }: SpecOperation,
  about: About,
  { headless }: { readonly headless: boolean }
): void => {
  if (!headless) writer.heading(1, title)
  const isHook = method === "hook"
  writer.data(isHook ? "openapi-webhook" : "openapi-operation", {
    ref: refOf(about),
    ...(isHook ? { name: path } : { path }),
    method: verb,
    ...(headless && { headless })
  })
  writer.paragraph(line(text(`${verb.toUpperCase()} ${lineOf(path, 500)}`, "code")))
  if (operation.deprecated === true) writer.hint("warning", line("This operation is deprecated."))
  writer.markdown(textOf(operation.description))
  const level = headless ? 1 : 2
  const rows = parameters.map((parameter) => [
    line(text(lineOf(parameter.name, 200) || "?", "code")),
    line(lineOf(parameter.in, 20)),
    line(SchemaRows.typeOf(spec, parameter.schema)),
    line(parameter.required === true ? "yes" : ""),
    SchemaRows.described(parameter.schema, parameter.description)
  ])
  if (rows.length > 0) writer.heading(level, "Parameters")
  writer.table(["Name", "In", "Type", "Required", "Description"], rows)
  const body = spec.resolve(operation.requestBody)
  if (body !== undefined) {
    writer.heading(level, "Body")
    writer.markdown(textOf(body.description))
    writeContent(writer, spec, body)
  }
  writeResponses(writer, spec, operation, level)
}

const writeResponses = (writer: DocumentWriter, spec: Spec, operation: Fields, level: 1 | 2): void => {
  const responses = Object.entries(fieldsOf(operation.responses)).flatMap(([status, value]) => {
    const response = spec.resolve(value)
    return response === undefined ? [] : [{ status: lineOf(status, 20), response }]
  })
  if (responses.length === 0) return
  writer.heading(level, "Responses")
  writer.table(
    ["Status", "Body", "Description"],
    responses.map(({ status, response }) => {
      const types = new Set(mediaOf(response).map(([, schema]) => SchemaRows.typeOf(spec, schema)))
      return [line(text(status, "code")), line([...types].join(" or ")), phrase(lineOf(response.description, 500))]
    })
  )
  const first = responses.find(({ status }) => status.startsWith("2"))
  if (first === undefined) return
  const properties = mediaOf(first.response).flatMap(([, schema]) => [SchemaRows.rowsOf(spec, schema)])[0] ?? []
  if (properties.length === 0) return
  writer.paragraph(line("What comes with ", text(first.status, "code"), ":"))
  writer.table(SchemaRows.titles, properties)
}

const mediaOf = ({ content }: Fields): ReadonlyArray<readonly [type: string, schema: unknown]> =>
  Object.entries(fieldsOf(content)).flatMap(([type, media]) =>
    isFields(media) && media.schema !== undefined ? [[type, media.schema] as const] : []
  )

/** Types of content that take the same are told together. */
const writeContent = (writer: DocumentWriter, spec: Spec, holder: Fields): void => {
  const byType = new Map<string, { readonly schema: unknown; readonly media: Array<string> }>()
  for (const [type, schema] of mediaOf(holder)) {
    const words = SchemaRows.typeOf(spec, schema)
    const known = byType.get(words)
    if (known === undefined) byType.set(words, { schema, media: [type] })
    else known.media.push(type)
  }
  for (const [words, { schema, media }] of byType) {
    const types = media
      .slice(0, 10)
      .flatMap((type, i) => [...(i === 0 ? [] : [text(", ")]), text(lineOf(type, 100) || "?", "code")])
    writer.paragraph(line(...types, ": ", words))
    writer.table(SchemaRows.titles, SchemaRows.rowsOf(spec, schema))
  }
}

const writeSchema = (writer: DocumentWriter, spec: Spec, name: string, schema: unknown, about: About): void => {
  const title = lineOf(name, 200) || "Model"
  writer.heading(1, title)
  writer.data("openapi-schemas", { ref: refOf(about), schemas: [name], grouped: false })
  const found = spec.resolve(schema)
  writer.markdown(textOf(found?.description))
  const rows = SchemaRows.rowsOf(spec, schema)
  if (rows.length > 0) return writer.table(SchemaRows.titles, rows)
  const { description: _, ...plain } = found ?? {}
  const facts = SchemaRows.described(plain)
  writer.paragraph(line(SchemaRows.typeOf(spec, plain), facts.length > 0 ? ". " : "", ...facts))
}
