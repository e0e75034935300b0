/**
 * Schemas for text that callers send. Limits count characters (code points), as people do: thirty
 * emoji are thirty characters. Every text must be well-formed Unicode without NUL.
 */
import { Schema } from "effect"

const wellFormed = Schema.makeFilter((text: string) =>
  text.isWellFormed() && !text.includes("\u0000") ? undefined : "Expected well-formed text without NUL"
)

const codePoints = (text: string) => {
  let count = 0
  for (const _ of text) count++
  return count
}

/** Well-formed text of at most `max` characters. */
export const atMost = (max: number) => between(0, max)

/** Well-formed text of `min` to `max` characters. */
export const between = (min: number, max: number) =>
  Schema.String.check(
    wellFormed,
    Schema.makeFilter((text: string) => {
      // The number of UTF-16 units bounds the number of characters, so most texts need no count.
      if (text.length <= max && text.length >= min * 2) return undefined
      const length = text.length > max * 2 ? text.length : codePoints(text)
      return length > max
        ? `Expected at most ${max} characters`
        : length < min
          ? `Expected at least ${min} character${min === 1 ? "" : "s"}`
          : undefined
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
export const Timestamp = Schema.String.pipe(Schema.brand("Timestamp"))
export type Timestamp = typeof Timestamp.Type
