/**
 * Schemas for text from clients. Limits count characters as Unicode code points: an emoji of one code point counts
 * once. Each text must be well-formed Unicode without NUL.
 */
import { Schema } from "effect"

/** Returns true if a text can be stored by every adapter. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes("\u0000")

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

/** Returns the first characters of a text, counted as limits count them. */
export const truncate = (text: string, max: number): string =>
  text.length <= max
    ? text
    : Array.from(text.slice(0, max * 2))
        .slice(0, max)
        .join("")

const lineEnds = /[\p{Cc}\u2028\u2029]/u
const spaces = /[\s\p{Cc}]+/gu

/**
 * Characters that reverse the display of the following text. No script needs them, and they can make a text look like
 * another one.
 */
const overrides = "\\u202d\\u202e"
const overrideRuns = new RegExp(`[${overrides}]+`, "gu")

/** Returns true if a text has no visible character. */
const isInvisible = (text: string): boolean => /^[\s\p{Cc}\p{Default_Ignorable_Code_Point}]*$/u.test(text)

/**
 * Converts a text to a valid `line` of at most `max` characters. White space with line ends or control characters
 * becomes a space, and characters of `overrides` are removed. Empty if no visible character remains.
 */
export const toLine = (text: string, max = Infinity): string => {
  const sanitized = text.toWellFormed().replace(overrideRuns, "")
  const line = sanitized.replace(spaces, (run) => (lineEnds.test(run) ? " " : run))
  const truncated = truncate(line.trim(), max).trimEnd()
  return isInvisible(truncated) ? "" : truncated
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

/**
 * Control characters for a set in a regular expression, as escapes that readers of the interface's description
 * understand. Not every language supports `\p{Cc}`.
 */
export const controlCharacters = "\\u0000-\\u001f\\u007f-\\u009f"

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
