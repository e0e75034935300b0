/**
 * Schemas for text that callers send. Limits count characters (code points), as people do: thirty
 * emoji are thirty characters. Every text must be well-formed Unicode without NUL.
 */
import { Schema } from "effect"

/** Text that can be stored everywhere. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes("\u0000")

const wellFormed = Schema.makeFilter((text: string) =>
  isStorable(text) ? undefined : "Expected well-formed text without NUL"
)

/** Text of any length. */
export const storable = Schema.String.check(wellFormed)

/** By units: an iterator makes a text of each character, which takes three times as long. */
const codePoints = (text: string) => {
  let count = text.length
  for (let i = 1; i < text.length; i++) {
    if ((text.charCodeAt(i) & 0xfc00) === 0xdc00 && (text.charCodeAt(i - 1) & 0xfc00) === 0xd800) count--
  }
  return count
}

/** The first of a text's characters, counted as limits count them. */
export const cut = (text: string, max: number): string =>
  text.length <= max
    ? text
    : Array.from(text.slice(0, max * 2))
        .slice(0, max)
        .join("")

const lineEnds = /[\p{Cc}\u2028\u2029]/u
const spaces = /[\s\p{Cc}]+/gu

/** Turn what follows around, letter by letter: no script needs them, and what stands there is read as something else. */
const overrides = "\\u202d\\u202e"
const overriding = new RegExp(`[${overrides}]+`, "gu")

/** Tells whether nothing of a text is to be seen. */
const isUnseen = (text: string): boolean => /^[\s\p{Cc}\p{Default_Ignorable_Code_Point}]*$/u.test(text)

/**
 * The text as a `line`, of at most `max` characters: what ends a line, or controls what shows it, becomes a space, and
 * what turns its letters around goes. Empty where nothing is left to be seen.
 */
export const inOneLine = (text: string, max = Infinity): string => {
  const said = text.toWellFormed().replace(overriding, "")
  const line = said.replace(spaces, (run) => (lineEnds.test(run) ? " " : run))
  const whole = cut(line.trim(), max).trimEnd()
  return isUnseen(whole) ? "" : whole
}

/** Well-formed text of at most `max` characters. */
export const atMost = (max: number) => between(0, max)

/** Well-formed text of `min` to `max` characters. */
export const between = (min: number, max: number) =>
  Schema.String.check(
    wellFormed,
    Schema.makeFilter(
      (text: string) => {
        // The number of UTF-16 units bounds the number of characters, so most texts need no count.
        if (text.length <= max && text.length >= min * 2) return undefined
        const length = text.length > max * 2 ? text.length : codePoints(text)
        return length > max
          ? `Expected at most ${max} characters`
          : length < min
            ? `Expected at least ${min} character${min === 1 ? "" : "s"}`
            : undefined
      },
      // JSON Schema counts the same characters.
      { toJsonSchema: () => ({ ...(min > 0 && { minLength: min }), maxLength: max }) }
    )
  )

/**
 * Control characters in a set of a pattern, as all know it that read the description of the interface: not every
 * language knows `\p{Cc}`.
 */
export const controls = "\\u0000-\\u001f\\u007f-\\u009f"

const edge = `[^\\s${controls}${overrides}]`
const isLine = new RegExp(`^(?:${edge}(?:[^${controls}${overrides}\\u2028\\u2029]*${edge})?)?$`, "u")

/** A title or a name: text of `min` to `max` characters on one line, without space around it. */
export const line = (min: number, max: number) =>
  between(min, max).check(
    Schema.isPattern(isLine, {
      message: "Expected one line of text, without control characters or space around it",
      description: "One line of text, without control characters or space around it."
    }),
    Schema.makeFilter((text: string) =>
      text !== "" && isUnseen(text) ? "Expected text of which something can be seen" : undefined
    )
  )
