/**
 * A heading that was edited since it was read, in the form that it had: underlined, or with signs before it, and behind
 * it too where there were some. An underline that was as long as its text is as long as the new one.
 */
import type { Merge } from "./ReprintTable.ts"

/** The signs of a heading as it is printed, and its text. */
const printedForm = /^(#{1,6}) (.+)$/
const opening = /^(#{1,6})[ \t]+/
const underlined = /^(.*\n)[>\s]*?(=+|-+)([ \t]*)$/s

/** Text that begins a block of another kind where no signs stand before it. */
const beginsOther = /^(?:[-+*>#=|`~<{:[]|\d+[.)])/

/**
 * Returns undefined if the form of the source can't hold the new content. `before`, `after`: the printed heading before
 * and after the edit. `prefix`: the start of each line except the first.
 */
export const reprint = (
  source: string,
  before: string,
  after: string,
  prefix: string,
  merge: Merge
): string | undefined => {
  const [, , was = ""] = printedForm.exec(before.trimEnd()) ?? []
  const [, signs = "", is = ""] = printedForm.exec(after.trimEnd()) ?? []
  if (is === "") return undefined
  const merged = (text: string) => (text === "" ? is : merge(text, was, is))
  const own = underlined.exec(source)
  if (own !== null) return underlinedAs(own, signs, prefix, merged)
  const [start = "", level] = opening.exec(source) ?? []
  if (level !== signs) return undefined
  const closing = closingOf(source)
  return start + merged(source.slice(start.length, source.length - closing.length)) + closing
}

const underlinedAs = (
  own: RegExpExecArray,
  signs: string,
  prefix: string,
  merged: (text: string) => string
): string | undefined => {
  const [, above = "", line = "", blanks = ""] = own
  if (signs !== (line.startsWith("=") ? "#" : "##")) return undefined
  const before = above.trimEnd()
  const last = before.split("\n").at(-1)!
  const isAsLong = lengthOf(last.startsWith(prefix) ? last.slice(prefix.length) : last) === line.length
  const text = merged(before)
  if (beginsOther.test(text)) return undefined
  const said = text.slice(text.lastIndexOf("\n") + 1)
  return `${text}\n${prefix}${isAsLong ? line.charAt(0).repeat(lengthOf(said)) : line}${blanks}`
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
