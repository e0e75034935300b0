/**
 * A heading that was edited since it was read, in the form that it had: underlined, or with signs before it, and behind
 * it too where there were some. An underline that was as long as its text is as long as the new one.
 */
import * as HeadingId from "./HeadingId.ts"

/** The signs of a heading as it is printed, and its text. */
const printedForm = /^(#{1,6}) (.+)$/
const opening = /^(#{1,6})[ \t]+/
const underlined = /^(.*\n)[>\s]*?(=+|-+)([ \t]*)$/s

/** Text that begins a block of another kind where no signs stand before it. */
const beginsOther = /^(?:[-+*>#=|`~<{:[]|\d+[.)])/

/**
 * Undefined where the form can't hold what it says by now. `printed`: the heading as it is printed anew; `prefix`: the
 * beginning of its lines but the first.
 */
export const reprint = (written: string, printed: string, prefix: string): string | undefined => {
  const [, signs = "", text = ""] = printedForm.exec(printed.trimEnd()) ?? []
  if (text === "") return undefined
  const own = underlined.exec(written)
  if (own !== null) return underlinedAs(own, signs, text, prefix)
  const [start, before] = opening.exec(written) ?? []
  if (before !== signs) return undefined
  const closing = closingOf(written)
  return start + HeadingId.asWritten(text, withoutEnd(written, closing)) + closing
}

const withoutEnd = (written: string, end: string): string => written.slice(0, written.length - end.length).trimEnd()

const underlinedAs = (own: RegExpExecArray, signs: string, text: string, prefix: string): string | undefined => {
  const [, above = "", line = "", blanks = ""] = own
  if (signs !== (line.startsWith("=") ? "#" : "##") || beginsOther.test(text)) return undefined
  const before = above.trimEnd().split("\n").at(-1)!
  const isAsLong = lengthOf(before.startsWith(prefix) ? before.slice(prefix.length) : before) === line.length
  const said = HeadingId.asWritten(text, before)
  return `${said}\n${prefix}${isAsLong ? line.charAt(0).repeat(lengthOf(said)) : line}${blanks}`
}

/** The signs that end a heading, with the blanks around them; signs of its text have none before them, or text behind. */
const closingOf = (written: string): string => {
  const end = written.trimEnd().length
  let signs = end
  while (written.charAt(signs - 1) === "#") signs--
  const from = written.slice(0, signs).trimEnd().length
  return signs === end || from === signs ? "" : written.slice(from)
}

/** In characters as they are seen, about. */
const lengthOf = (text: string): number => Array.from(text.trim()).length
