/**
 * Fields of the data of blocks, inlines and marks: schema, attribute of a tag, and use of each.
 * The data of a document is open: a field that is not described is kept as it came.
 */
import { Schema } from "effect"
import { ContentRef } from "../Document.ts"

const Length = Schema.Union([Schema.Finite, Schema.Struct({ unit: Schema.String, value: Schema.Finite })])
const Tag = Schema.Struct({ kind: Schema.Literal("tag"), tag: Schema.String })

/** The schema of each kind of field. */
const schemas = {
  text: Schema.String,
  boolean: Schema.Boolean,
  number: Schema.Finite,
  length: Length,
  list: Schema.Array(Schema.String),
  tags: Schema.Array(Tag),
  ref: ContentRef,
  /** Object of any properties: code that reads such a field describes them. */
  properties: Schema.Record(Schema.String, Schema.Unknown),
  values: Schema.Array(Schema.Unknown)
}
export type Kind = keyof typeof schemas

/** Way to show a field as text: as it is, without its comments or tags, or by the texts that it holds. */
export type Shown = "text" | "markdown" | "html" | "props" | "columns"

interface Options {
  /** Set on a field that is a part of the plain text: read by people, found by a search. */
  readonly shown?: Shown
  /** True of a text in the language of the page. */
  readonly isTranslated?: true
  /** True of a text that Markdown writes as it stands, without escaping anything in it. */
  readonly isWrittenAsIs?: true
  /** A reference whose target is shown in its place, so that what holds it depends on the target. */
  readonly isDependency?: true
  /** Name of the attribute, if that is not the field's; false where no attribute of the tag says it. */
  readonly attribute?: string | false
  /** Some of the values that a field has, to try. */
  readonly examples?: ReadonlyArray<string>
  /** No node of its type is without it. */
  readonly isRequired?: true
  /** True of a field that the hosted service's vocabulary lacks: it is answered beside the data (see `Answered`). */
  readonly isBeside?: true
  /** True of a field that nobody but members gets (see `VisitorDocument`). */
  readonly isForMembers?: true
  /** The value that is answered where a document says none, since that vocabulary has no node without it. */
  readonly otherwise?: string
}

export interface Field extends Options {
  readonly kind: Kind
}

export type Fields = { readonly [name: string]: Field }

const of =
  (kind: Kind) =>
  (options: Options = {}): Field => ({ kind, ...options })

export const text = of("text")
export const boolean = of("boolean")
export const number = of("number")
export const length = of("length")
export const list = of("list")
export const tags = of("tags")
export const ref = of("ref")
export const properties = of("properties")
export const values = of("values")

/** A text that people read, in the language of the page. */
export const words = (options: Options = {}): Field => text({ shown: "text", isTranslated: true, ...options })

/** The schema of data with these fields. */
export const schemaOf = (fields: Fields): Schema.Codec<unknown> =>
  Schema.Struct(
    Object.fromEntries(
      Object.entries(fields).map(([name, { kind, isRequired }]) => [
        name,
        isRequired === true ? schemas[kind] : Schema.optionalKey(schemas[kind] as Schema.Codec<unknown>)
      ])
    )
  ) as Schema.Codec<unknown>

export const namesOf = (fields: Fields, is: (field: Field) => boolean): ReadonlyArray<string> =>
  Object.keys(fields).filter((name) => is(fields[name]!))
