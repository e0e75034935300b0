/**
 * Reprints an edited heading in the form of its source: underlined, or with `#` before the text and possibly after it.
 * An underline as long as the old text becomes as long as the new text.
 */
import type { MergeEdit } from "./ReprintTable.ts"

/** Matches a printed heading: its `#` characters and its text. */
const printedForm = /^(#{1,6}) (.+)$/
const opening = /^(#{1,6})[ \t]+/
const underlinedForm = /^(.*\n)[>\s]*?(=+|-+)([ \t]*)$/s

/** Matches text that would start another block without `#` before it. */
const startsOtherBlock = /^(?:[-+*>#=|`~<{:[]|\d+[.)])/

/**
 * Returns undefined if the form of the source cannot express the new content. `before`, `after`: the printed heading
 * before and after the edit. `prefix`: the start of each line except the first.
 */
export const reprintHeading = (
  source: string,
  before: string,
  after: string,
  prefix: string,
  merge: MergeEdit
): string | undefined => {
  const [, , textBefore = ""] = printedForm.exec(before.trimEnd()) ?? []
  const [, hashes = "", textAfter = ""] = printedForm.exec(after.trimEnd()) ?? []
  if (textAfter === "") return undefined
  const mergeText = (text: string) => (text === "" ? textAfter : merge(text, textBefore, textAfter))
  const underlineMatch = underlinedForm.exec(source)
  if (underlineMatch !== null) return reprintUnderlined(underlineMatch, hashes, prefix, mergeText)
  const [start = "", level] = opening.exec(source) ?? []
  if (level !== hashes) return undefined
  const closing = closingHashes(source)
  return start + mergeText(source.slice(start.length, source.length - closing.length)) + closing
}

const reprintUnderlined = (
  underlineMatch: RegExpExecArray,
  hashes: string,
  prefix: string,
  mergeText: (text: string) => string
): string | undefined => {
  const [, above = "", line = "", blanks = ""] = underlineMatch
  if (hashes !== (line.startsWith("=") ? "#" : "##")) return undefined
  const before = above.trimEnd()
  const last = before.split("\n").at(-1)!
  const hasTextLength = visibleLength(last.startsWith(prefix) ? last.slice(prefix.length) : last) === line.length
  const text = mergeText(before)
  if (startsOtherBlock.test(text)) return undefined
  const lastLine = text.slice(text.lastIndexOf("\n") + 1)
  return `${text}\n${prefix}${hasTextLength ? line.charAt(0).repeat(visibleLength(lastLine)) : line}${blanks}`
}

/**
 * Returns the closing `#` characters of a heading, with the white space around them. Directly after text, or before
 * further text, `#` is part of the text.
 */
const closingHashes = (source: string): string => {
  const end = source.trimEnd().length
  let hashes = end
  while (source.charAt(hashes - 1) === "#") hashes--
  const from = source.slice(0, hashes).trimEnd().length
  return hashes === end || from === hashes ? "" : source.slice(from)
}

/** Returns the number of code points, which approximates the visible length. */
const visibleLength = (text: string): number => Array.from(text.trim()).length
