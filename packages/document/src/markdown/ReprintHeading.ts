/**
 * Reprints an edited heading in the form of its source: underlined, or with `#` before the text and possibly after it.
 * An underline as long as the old text becomes as long as the new text.
 */
import type { Merge } from "./ReprintTable.ts"

/** Matches a printed heading: its `#` characters and its text. */
const printedForm = /^(#{1,6}) (.+)$/
const opening = /^(#{1,6})[ \t]+/
const underlined = /^(.*\n)[>\s]*?(=+|-+)([ \t]*)$/s

/** Matches text that would start another block without `#` before it. */
const beginsOther = /^(?:[-+*>#=|`~<{:[]|\d+[.)])/

/**
 * Returns undefined if the form of the source cannot express the new content. `before`, `after`: the printed heading
 * before and after the edit. `prefix`: the start of each line except the first.
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

/**
 * Returns the closing `#` characters of a heading, with the white space around them. Directly after text, or before
 * further text, `#` is part of the text.
 */
const closingOf = (written: string): string => {
  const end = written.trimEnd().length
  let signs = end
  while (written.charAt(signs - 1) === "#") signs--
  const from = written.slice(0, signs).trimEnd().length
  return signs === end || from === signs ? "" : written.slice(from)
}

/** Returns the number of code points, which approximates the visible length. */
const lengthOf = (text: string): number => Array.from(text.trim()).length
