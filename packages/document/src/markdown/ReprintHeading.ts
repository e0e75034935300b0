/**
 * A heading that was edited since it was read, in the form that it had: underlined, or with signs before it, and behind
 * it too where there were some. An underline that was as long as its text is as long as the new one.
 */

/** The signs of a heading as it is printed, and its text. */
const printedForm = /^(#{1,6}) (.*)$/s
const signed = /^(#{1,6})([ \t]+)(?:.*?[^\s\\]([ \t]+#+[ \t]*))?(?:.*)$/s
const underlined = /^(.*\n)([>\s]*?)(=+|-+)([ \t]*)$/s

/** Text that begins a block of another kind, or none, where no signs stand before it. */
const beginsOther = /^(?:[-+*>#=|`~<{:[]|\d+[.)]|$)/

/**
 * Undefined where the form can't hold what it says by now. `printed`: the heading as it is printed anew; `prefix`: the
 * beginning of its lines but the first.
 */
export const reprint = (written: string, printed: string, prefix: string): string | undefined => {
  const [, signs, text] = printedForm.exec(printed.trimEnd()) ?? []
  if (signs === undefined || text === undefined || text.includes("\n")) return undefined
  const own = underlined.exec(written)
  if (own !== null) return underlinedAs(own, signs, text, prefix)
  const [, before, space = " ", behind = ""] = signed.exec(written) ?? []
  return before === signs && text !== "" ? before + space + text + behind : undefined
}

const underlinedAs = (own: RegExpExecArray, signs: string, text: string, prefix: string): string | undefined => {
  const [, above = "", , line = "", blanks = ""] = own
  if (signs !== (line.startsWith("=") ? "#" : "##") || beginsOther.test(text)) return undefined
  const before = above.trimEnd().split("\n").at(-1)!
  const isAsLong = lengthOf(before.startsWith(prefix) ? before.slice(prefix.length) : before) === line.length
  return `${text}\n${prefix}${isAsLong ? line.charAt(0).repeat(Math.max(1, lengthOf(text))) : line}${blanks}`
}

/** In characters as they are seen, about. */
const lengthOf = (text: string): number => Array.from(text.trim()).length
