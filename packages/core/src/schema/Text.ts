/** Schemas of text in input, in addition to those of documents. */
import { toLine } from "@lectern/document/Text"
import { between, line } from "@lectern/document/TextSchema"
import { Schema, SchemaGetter } from "effect"

export { controlCharacters as controls, truncate as cut, toLine as inOneLine } from "@lectern/document/Text"
export { atMost, between, line, storable } from "@lectern/document/TextSchema"

/** Schema of one line. Decoding converts any text with `inOneLine`. */
export const lineFrom = (min: number, max: number) =>
  Schema.String.pipe(
    Schema.decodeTo(line(min, max), {
      decode: SchemaGetter.transform((text: string) => toLine(text, max)),
      encode: SchemaGetter.passthrough()
    })
  )

/**
 * Secret chosen by a user: long enough, and printable ASCII, so that headers and environment variables do not change
 * it.
 */
export const chosenSecret = between(32, 256).check(
  Schema.isPattern(/^[\x21-\x7e]+$/, { message: "Expected printable ASCII without spaces" })
)

/** Absolute URL with http or https, at most 2,048 characters. */
export const HttpUrl = between(1, 2048).check(
  Schema.makeFilter((text: string) =>
    /^https?:$/.test(URL.parse(text)?.protocol ?? "") ? undefined : "Expected an http or https URL"
  )
)

/** Time as ISO 8601 in UTC with milliseconds, as `Timestamps` writes it. */
export const Timestamp = Schema.String.annotate({ format: "date-time" }).pipe(Schema.brand("Timestamp"))
export type Timestamp = typeof Timestamp.Type
