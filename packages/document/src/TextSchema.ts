/**
 * Schemas for text from clients. Limits count characters as Unicode code points: an emoji of one code point counts
 * once. Each text must be well-formed Unicode without NUL.
 */
import { Schema } from "effect"
import { controlCharacters, isInvisible, isStorable, overrides } from "./Text.ts"

const wellFormed = Schema.makeFilter((text: string) =>
  isStorable(text) ? undefined : "Expected well-formed text without NUL"
)

/** Text of any length. */
export const storable = Schema.String.check(wellFormed)

/**
 * Counts code points by code unit. An iterator creates a string for each character, which takes three times as long.
 */
const countCodePoints = (text: string) => {
  let count = text.length
  for (let i = 1; i < text.length; i++) {
    if ((text.charCodeAt(i) & 0xfc00) === 0xdc00 && (text.charCodeAt(i - 1) & 0xfc00) === 0xd800) count--
  }
  return count
}

/** Returns a schema of well-formed text of at most `max` characters. */
export const atMost = (max: number) => between(0, max)

/** Returns a schema of well-formed text of `min` to `max` characters. */
export const between = (min: number, max: number) =>
  Schema.String.check(
    wellFormed,
    Schema.makeFilter(
      (text: string) => {
        // A text has at least half as many characters as UTF-16 code units, and at most as many, so most texts need no
        // count.
        if (text.length <= max && text.length >= min * 2) return undefined
        const length = text.length > max * 2 ? text.length : countCodePoints(text)
        return length > max
          ? `Expected at most ${max} characters`
          : length < min
            ? `Expected at least ${min} character${min === 1 ? "" : "s"}`
            : undefined
      },
      // JSON Schema also counts lengths in code points.
      { toJsonSchema: () => ({ ...(min > 0 && { minLength: min }), maxLength: max }) }
    )
  )

const edge = `[^\\s${controlCharacters}${overrides}]`
const linePattern = new RegExp(`^(?:${edge}(?:[^${controlCharacters}${overrides}\\u2028\\u2029]*${edge})?)?$`, "u")

/**
 * Returns a schema of a title or name: text of `min` to `max` characters on one line, without white space at its ends.
 */
export const line = (min: number, max: number) =>
  between(min, max).check(
    Schema.isPattern(linePattern, {
      message: "Expected one line of text, without control characters or space around it",
      description: "One line of text, without control characters or space around it."
    }),
    Schema.makeFilter((text: string) =>
      text !== "" && isInvisible(text) ? "Expected text of which something can be seen" : undefined
    )
  )
