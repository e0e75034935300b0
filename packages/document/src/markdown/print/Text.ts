/** Text as it is written: what would be an address, an emoji or a formula in it is escaped besides. */
import * as Emoji from "../Emoji.ts"
import { escape } from "./Escape.ts"
import * as TextContext from "./TextContext.ts"

export interface Text {
  readonly type: "text"
  readonly value: string
  /** True where a `$` in it could be read as a formula. */
  readonly hasFormula?: boolean
}

export const write = (text: Text, context: number, before: string, after: string): string => {
  const { value, hasFormula } = text
  // A sign beside those of a formula keeps it from being one, before it even where a backslash stands before the sign.
  if (after.startsWith("$") && value.endsWith("$")) {
    return `${write({ ...text, value: value.slice(0, -1) }, context, before, "&")}&#x24;`
  }
  if (isInnocent(text, context, before, after)) return value
  const written = withoutAddress(escape(value, context, before, after), after)
  const next = after.slice(0, 1)
  const escaped =
    written.includes(":") && value.includes(":")
      ? Emoji.escaped(written + next, "\\:").slice(0, -next.length || undefined)
      : written
  if (hasFormula === true) return escaped.replaceAll("$", "\\$")
  return before.endsWith("$") && escaped.startsWith("$") ? `\\${escaped}` : escaped
}

/** The character that it begins with where nothing is known of what stands before it. */
export const firstOf = ({ value, hasFormula }: Text, context: number): string => {
  if (/^[a-zA-Z0-9.,;'")]|^ [^\r\n]/.test(value)) return value.slice(0, 1)
  // No more than the name of an emoji decides what becomes of a character.
  const start: Text = { type: "text", value: value.slice(0, longestName + 3), hasFormula: hasFormula === true }
  const code = write(start, context, "", "").codePointAt(0)
  return code === undefined ? "" : String.fromCodePoint(code)
}

const longestName = 64

/** Tells whether no character of a text could be read as markup, as in most texts, so that none needs a closer look. */
const isInnocent = ({ value, hasFormula }: Text, context: number, before: string, after: string): boolean => {
  if (value === "" || hasFormula === true || meaningful.test(value)) return false
  if ((context & TextContext.oneLine) !== 0 && value.includes("\n")) return false
  if (endsLine.test(before) && !startsWord.test(value)) return false
  return !(/^[\r\n]/.test(after) && /[ \t]$/.test(value))
}

const meaningful = /[\\#&*<[\]_`~|@$\r\t{}]|[wW]\.|:(?! )|!$|^[(^{]|[ \n]\n|\n(?![a-zA-Z])/
const endsLine = /[\r\n]$/
const startsWord = /^[a-zA-Z\u00c0-\u1fff]/

/** An address goes on over a backslash and marks, so its first dot is escaped before those as well. */
const withoutAddress = (written: string, after: string): string =>
  /www\.(?:\\|$)/i.test(written)
    ? written.replace(/(www)\.(?=\\|$)/gi, (name, _, at: number) =>
        at + name.length === written.length && /^(?:\s|$)/.test(after) ? name : `${name.slice(0, 3)}\\.`
      )
    : written
