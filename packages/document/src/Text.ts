/**
 * Text that is safe to store and to display. `TextSchema` has the schemas. Limits count characters as Unicode code
 * points: an emoji of one code point counts once.
 */

/** Returns true if a text can be stored by every adapter. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes("\u0000")

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
export const overrides = "\\u202d\\u202e"
const overrideRuns = new RegExp(`[${overrides}]+`, "gu")

/** Returns true if a text has no visible character. */
export const isInvisible = (text: string): boolean => /^[\s\p{Cc}\p{Default_Ignorable_Code_Point}]*$/u.test(text)

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

/**
 * Control characters for a set in a regular expression, as escapes that readers of the interface's description
 * understand. Not every language supports `\p{Cc}`.
 */
export const controlCharacters = "\\u0000-\\u001f\\u007f-\\u009f"
