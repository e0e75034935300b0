/**
 * Fields of the data of blocks, inlines and marks: schema, attribute of a tag, and use of each. The data of a document
 * is open, so undescribed fields stay unchanged.
 */
import { Schema } from "effect"
import { ContentRef } from "../Document.ts"

const Length = Schema.Union([Schema.Finite, Schema.Struct({ unit: Schema.String, value: Schema.Finite })])
const Tag = Schema.Struct({ kind: Schema.Literal("tag"), tag: Schema.String })

/** Schema of each kind of field. */
const schemas = {
  text: Schema.String,
  boolean: Schema.Boolean,
  number: Schema.Finite,
  length: Length,
  list: Schema.Array(Schema.String),
  tags: Schema.Array(Tag),
  ref: ContentRef,
  /** Object with any properties. Code that reads such a field describes them. */
  properties: Schema.Record(Schema.String, Schema.Unknown),
  values: Schema.Array(Schema.Unknown)
}
export type Kind = keyof typeof schemas

/**
 * Conversion of a field to plain text: `text` = unchanged; `markdown` = without comments; `html` = without tags;
 * `props`, `columns` = by the texts in the value.
 */
export type Shown = "text" | "markdown" | "html" | "props" | "columns"

interface Options {
  /** Set if the field is part of the plain text, which people read and the search indexes. */
  readonly shown?: Shown
  /** True if the text is in the language of the page. */
  readonly isTranslated?: true
  /** True if Markdown contains the text without escapes. */
  readonly isWrittenAsIs?: true
  /** True if the reference's target is displayed in place, so that the containing block depends on the target. */
  readonly isDependency?: true
  /** Name of the attribute. Default: the name of the field. False if no attribute represents the field. */
  readonly attribute?: string | false
  /** Sample values for tests. */
  readonly examples?: ReadonlyArray<string>
  /** True if every node of the type has the field. */
  readonly isRequired?: true
  /** True if the hosted service's vocabulary lacks the field. In responses it is in `written` (see `WireDocument`). */
  readonly isBeside?: true
  /** True if only members receive the field, and visitors do not (see `VisitorDocument`). */
  readonly isForMembers?: true
  /** Value in responses if the document lacks the field, since the hosted service's vocabulary requires it. */
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

/** A text for people, in the language of the page. */
export const words = (options: Options = {}): Field => text({ shown: "text", isTranslated: true, ...options })

/** Returns the schema of data with these fields. */
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
