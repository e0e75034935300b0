/**
 * Documents of pages that are computed from a spec: blocks of operations and schemas that renderers of the hosted
 * vocabulary render themselves, each followed by headings, paragraphs and tables for all other renderers and Markdown.
 *
 * Yields after each operation and each schema.
 */
import { Effect } from "effect"
import type { Document } from "@lectern/document/Document"
import { type ComputedDocumentProps, specOf, type SpecSource } from "./ComputedSource.ts"
import { DocumentWriter, type Line, line, link, phrase, text } from "./DocumentWriter.ts"
import * as OperationDocument from "./OperationDocument.ts"
import * as SchemaRows from "./SchemaRows.ts"
import * as SchemaTypes from "./SchemaTypes.ts"
import * as SpecOutline from "./SpecOutline.ts"
import {
  type Fields,
  fieldsOf,
  isFields,
  lineOf,
  scalarOf,
  listOf,
  type Spec,
  type SpecTag,
  textOf
} from "./SpecParser.ts"
import { SchemaReader } from "./SpecSchema.ts"

/** Data for a page in addition to its spec. */
export interface PageContext {
  readonly source: Pick<SpecSource, "dependencies">
  /** True to link from the page about the spec to the spec. */
  readonly downloadLink?: boolean
}

/** Returns the document about a spec as a whole. */
export const ofSpec = (spec: Spec, context: PageContext): Document => {
  const writer = new DocumentWriter()
  writeInfo(writer, spec, context)
  return writer.finish()
}

export const document = Effect.fnUntraced(function* (
  spec: Spec,
  props: ComputedDocumentProps,
  context: PageContext
): Effect.fn.Return<Document> {
  const writer = new DocumentWriter()
  const reader = new SchemaReader(spec)
  switch (props.doc) {
    case "models":
      for (const [name, schema] of spec.schemas) {
        writeSchema(writer, reader, name, schema, context)
        if (writer.isFull) break
        yield* Effect.yieldNow
      }
      break
    case "operation": {
      const operation = SpecOutline.operationOf(spec, props)
      if (operation === undefined) return notice("The OpenAPI spec no longer contains this operation.")
      OperationDocument.write(writer, reader, operation, { ref: refOf(context), headless: true })
      break
    }
    default: {
      const tag = SpecOutline.tagOf(spec, props.page)
      if (tag === undefined) {
        return props.doc === "info"
          ? ofSpec(spec, context)
          : notice("The OpenAPI spec no longer contains these operations.")
      }
      writer.markdown(tag.description)
      if (props.doc === "tag") writeList(writer, tag)
      if (props.doc !== "operations") break
      for (const operation of tag.operations) {
        OperationDocument.write(writer, reader, operation, { ref: refOf(context), headless: false })
        if (writer.isFull) break
        yield* Effect.yieldNow
      }
    }
  }
  return writer.finish()
})

/** Returns a document that states that the spec or a part of it is missing. */
export const notice = (sentence: string): Document => {
  const writer = new DocumentWriter()
  writer.hint("info", line(sentence))
  return writer.finish()
}

const refOf = ({ source }: PageContext) => ({ kind: "openapi", spec: specOf(source) }) as const

const writeInfo = (writer: DocumentWriter, spec: Spec, context: PageContext): void => {
  const { info, document } = spec
  const version = lineOf(scalarOf(info.version), 100)
  if (version !== "") writer.paragraph(line("Version ", text(version, "code")))
  writer.markdown(textOf(info.description))
  const servers = listOf(document.servers)
  if (servers.length > 0) writer.heading(1, "Servers")
  OperationDocument.writeServerTable(writer, servers)
  const schemes = Object.entries(fieldsOf(fieldsOf(document.components).securitySchemes)).flatMap(([name, value]) => {
    const scheme = spec.resolve(value)
    return scheme === undefined ? [] : [[line(text(lineOf(name, 200), "code")), line(...securityOf(scheme))]]
  })
  if (schemes.length > 0) writer.heading(1, "Authorization")
  writer.table(["Name", "How"], schemes)
  if (context.downloadLink === true) writer.paragraph([link("Download the spec", refOf(context))])
}

const securityOf = (scheme: Fields): Line => {
  const description = lineOf(scheme.description, 500)
  const suffix = description === "" ? [] : [text(". "), ...phrase(description)]
  switch (scheme.type) {
    case "apiKey":
      return [text(`A key in the ${lineOf(scheme.in, 20)} `), text(lineOf(scheme.name, 200) || "?", "code"), ...suffix]
    case "http":
      return [text(`The scheme ${lineOf(scheme.scheme, 50)} in the header `), text("Authorization", "code"), ...suffix]
    default:
      return [text(lineOf(scheme.type, 50) || "Unknown"), ...suffix]
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

const writeSchema = (
  writer: DocumentWriter,
  reader: SchemaReader,
  name: string,
  schema: unknown,
  context: PageContext
): void => {
  const title = lineOf(name, 200) || "Model"
  writer.heading(1, title)
  writer.data("openapi-schemas", { ref: refOf(context), schemas: [name], grouped: false })
  const { fields } = reader.resolve(schema)
  writer.markdown(textOf(fields.description))
  const { description: _, title: __, ...plain } = isFields(schema) ? schema : {}
  const rows = SchemaRows.rowsOf(reader, schema)
  if (rows.length > 0) return writer.table(SchemaRows.titles, rows)
  const facts = SchemaRows.describe(reader, plain)
  writer.paragraph(line(SchemaTypes.typeText(reader, plain), facts.length > 0 ? ". " : "", ...facts))
}
