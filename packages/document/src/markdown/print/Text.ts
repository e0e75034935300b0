/** Serializes text. In addition to `escape`, escapes addresses, emoji names and formulas. */
import { escapedInlines } from "../dialect/Dialects.ts"
import * as Emoji from "../Emoji.ts"
import { escape } from "./Escape.ts"
import * as TextContext from "./TextContext.ts"

export interface Text {
  readonly type: "text"
  readonly value: string
  /** True if a `$` in the text could be parsed as a formula. */
  readonly hasFormula?: boolean
}

export const write = (text: Text, context: number, before: string, after: string): string => {
  const { value, hasFormula } = text
  // A `$` next to the `$$` of a formula would prevent the formula. Before the formula even `\$` would, so a reference
  // is written.
  if (after.startsWith("$") && value.endsWith("$")) {
    return `${write({ ...text, value: value.slice(0, -1) }, context, before, "&")}&#x24;`
  }
  if (needsNoEscape(text, context, before, after)) return value
  const escapedText = escapeAddress(escape(value, context, before, after), after)
  const nextCharacter = after.slice(0, 1)
  const escaped =
    escapedText.includes(":") && value.includes(":")
      ? Emoji.escapeNames(escapedText + nextCharacter, "\\:").slice(0, -nextCharacter.length || undefined)
      : escapedText
  if (hasFormula === true) return escaped.replaceAll("$", "\\$")
  return before.endsWith("$") && escaped.startsWith("$") ? `\\${escaped}` : escaped
}

/** Returns the first character of the serialized text, if the text before it is unknown. */
export const firstCharacter = ({ value, hasFormula }: Text, context: number): string => {
  if (/^[a-zA-Z0-9.,;'")]|^ [^\r\n]/.test(value)) return value.slice(0, 1)
  // The first character depends on no more text than the longest emoji name.
  const start: Text = { type: "text", value: value.slice(0, longestName + 3), hasFormula: hasFormula === true }
  const code = write(start, context, "", "").codePointAt(0)
  return code === undefined ? "" : String.fromCodePoint(code)
}

const longestName = 64

/** True if no character of a text could be parsed as markup. This fast path covers most texts. */
const needsNoEscape = ({ value, hasFormula }: Text, context: number, before: string, after: string): boolean => {
  if (value === "" || hasFormula === true || syntaxCharacters.test(value)) return false
  if ((context & TextContext.oneLine) !== 0 && value.includes("\n")) return false
  if (endsLine.test(before) && !startsWord.test(value)) return false
  return !(/^[\r\n]/.test(after) && /[ \t]$/.test(value))
}

const syntaxCharacters = new RegExp(
  [
    String.raw`[\\#&*<[\]_\`~|@$\r\t{}]|[wW]\.|:(?! )|!$|^[(^{]|[ \n]\n|\n(?![a-zA-Z])`,
    ...escapedInlines.map(({ starts }) => `\\${starts}`)
  ].join("|")
)
const endsLine = /[\r\n]$/
const startsWord = /^[a-zA-Z\u00c0-\u1fff]/

/**
 * Escapes the dot of `www.` before a backslash and at the end of the text, since an address could continue there. No
 * escape is needed before white space or the end.
 */
const escapeAddress = (text: string, after: string): string =>
  /www\.(?:\\|$)/i.test(text)
    ? text.replace(/(www)\.(?=\\|$)/gi, (name, _, at: number) =>
        at + name.length === text.length && /^(?:\s|$)/.test(after) ? name : `${name.slice(0, 3)}\\.`
      )
    : text
