/**
 * Fields of the data of blocks, inlines and marks: kind, attribute of a tag, and use of each. The data of a document
 * is open, so undescribed fields stay unchanged.
 */
/** Kinds of fields. `properties`: an object with any properties, which code that reads the field describes. */
export type FieldKind = "text" | "boolean" | "number" | "length" | "list" | "tags" | "ref" | "properties" | "values"

/**
 * Conversion of a field to plain text: `text` = unchanged; `markdown` = without comments; `html` = without tags;
 * `props`, `columns` = by the texts in the value.
 */
export type PlainTextForm = "text" | "markdown" | "html" | "props" | "columns"

interface FieldOptions {
  /**
   * Conversion of the field to plain text, for people and the search index. Absent if plain text does not contain the
   * field.
   */
  readonly plainTextForm?: PlainTextForm
  /** True if the text is in the language of the page. */
  readonly isTranslated?: true
  /** True if Markdown contains the text without escapes. */
  readonly isUnescaped?: true
  /** True if the reference's target is displayed in place, so that the containing block depends on the target. */
  readonly isDependency?: true
  /** Name of the attribute. Default: the name of the field. False if no attribute represents the field. */
  readonly attribute?: string | false
  /** Valid sample values, for tests. Default: none. */
  readonly examples?: ReadonlyArray<string>
  /** True if every node of the type has the field. */
  readonly isRequired?: true
  /** True if the hosted service's vocabulary lacks the field. In responses it is in `written` (see `WireDocument`). */
  readonly isOmittedOnWire?: true
  /** True if only members receive the field, and visitors do not (see `VisitorDocument`). */
  readonly isMembersOnly?: true
  /** Value in responses if the document lacks the field, since the hosted service's vocabulary requires it. */
  readonly wireDefault?: string
}

export interface Field extends FieldOptions {
  readonly kind: FieldKind
}

export type Fields = { readonly [name: string]: Field }

const fieldOfKind =
  (kind: FieldKind) =>
  (options: FieldOptions = {}): Field => ({ kind, ...options })

export const text = fieldOfKind("text")
export const boolean = fieldOfKind("boolean")
export const number = fieldOfKind("number")
export const length = fieldOfKind("length")
export const list = fieldOfKind("list")
export const tags = fieldOfKind("tags")
export const ref = fieldOfKind("ref")
export const properties = fieldOfKind("properties")
export const values = fieldOfKind("values")

/** A text for people, in the language of the page. */
export const displayText = (options: FieldOptions = {}): Field =>
  text({ plainTextForm: "text", isTranslated: true, ...options })

export const fieldNames = (fields: Fields, accepts: (field: Field) => boolean): ReadonlyArray<string> =>
  Object.keys(fields).filter((name) => accepts(fields[name]!))
