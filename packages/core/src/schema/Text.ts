/** Schemas for text that callers send, beside those that documents have, too. */
import { between, inOneLine, line } from "@lectern/document/Text"
import { Schema, SchemaGetter } from "effect"

export { atMost, between, controls, cut, inOneLine, line, storable } from "@lectern/document/Text"

/** A line that is read from text of any kind, as `inOneLine` makes it. */
export const lineFrom = (min: number, max: number) =>
  Schema.String.pipe(
    Schema.decodeTo(line(min, max), {
      decode: SchemaGetter.transform((text: string) => inOneLine(text, max)),
      encode: SchemaGetter.passthrough()
    })
  )

/** A secret that somebody chose: long enough, and the same in every header and environment. */
export const chosenSecret = between(32, 256).check(
  Schema.isPattern(/^[\x21-\x7e]+$/, { message: "Expected printable ASCII without spaces" })
)

/** An absolute URL of http or https, of at most 2,048 characters. */
export const HttpUrl = between(1, 2048).check(
  Schema.makeFilter((text: string) =>
    /^https?:$/.test(URL.parse(text)?.protocol ?? "") ? undefined : "Expected an http or https URL"
  )
)

/** A date-time string of ISO 8601 in UTC with milliseconds, as `Timestamps` writes it. */
export const Timestamp = Schema.String.annotate({ format: "date-time" }).pipe(Schema.brand("Timestamp"))
export type Timestamp = typeof Timestamp.Type
