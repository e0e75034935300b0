/**
 * Determines the start and the end of HTML blocks by the seven conditions of CommonMark. A figure also ends with
 * its line, and so does each tag of `<details>`. Markdown may follow these without a blank line.
 */
import type { LineCursor } from "./LineCursor.ts"

export interface HtmlEnd {
  /** Text or pattern in the last line of the block. */
  readonly marker: string | RegExp | undefined
  /** True if a blank line or a `{% … %}` tag ends the block. */
  readonly endsAtBlank: boolean
  /** True if the block cannot interrupt a paragraph. */
  readonly cannotInterrupt: boolean
}

const rawNames = "pre|script|style|textarea"
const names =
  "address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul"

const blockTag: HtmlEnd = { marker: undefined, endsAtBlank: true, cannotInterrupt: false }
const completeTag: HtmlEnd = { marker: undefined, endsAtBlank: true, cannotInterrupt: true }
const figure: HtmlEnd = { marker: /<\/figure>\s*$/i, endsAtBlank: true, cannotInterrupt: false }
const details: HtmlEnd = {
  marker: /(?:<details(?:\s[^<>]*)?>|<\/(?:details|summary)>)\s*$/i,
  endsAtBlank: true,
  cannotInterrupt: false
}
const endsWith = (marker: string | RegExp): HtmlEnd => ({ marker, endsAtBlank: false, cannotInterrupt: false })
const rawElement = endsWith(new RegExp(`</(?:${rawNames})>`, "i"))
const comment = endsWith("-->")
const instruction = endsWith("?>")
const declaration = endsWith(">")
const cdata = endsWith("]]>")

const rawStart = new RegExp(`<(?:${rawNames})(?=[\\s>]|$)`, "iy")
const blockTagStart = new RegExp(`<\\/?(?:${names})(?=\\s|\\/?>|$)`, "iy")
const figureStart = /<figure(?=\s|>|$)/iy
const detailsStart = /<(?:\/?details|summary)(?=\s|>|$)/iy
const completeTagStart =
  /(?:<[a-z][a-z\d-]*(?:[ \t]+[a-z_:][\w.:-]*(?:[ \t]*=[ \t]*(?:[^\s"'=<>`]+|'[^'\n]*'|"[^"\n]*"))?)*[ \t]*\/?>|<\/[a-z][a-z\d-]*[ \t]*>)[ \t]*$/imy

const matchesAt = (pattern: RegExp, text: string, at: number): boolean => {
  pattern.lastIndex = at
  return pattern.test(text)
}

/**
 * Returns the end condition of the HTML block that starts at the cursor, a `<`. Returns undefined if no block starts.
 */
export const htmlEndAt = ({ text, next }: LineCursor): HtmlEnd | undefined => {
  const code = text.charCodeAt(next + 1)
  if (code === 33) {
    if (text.startsWith("--", next + 2)) return comment
    if (text.startsWith("[CDATA[", next + 2)) return cdata
    return /[a-z]/i.test(text.charAt(next + 2)) ? declaration : undefined
  }
  if (code === 63) return instruction
  if (matchesAt(rawStart, text, next)) return rawElement
  if (matchesAt(figureStart, text, next)) return figure
  if (matchesAt(detailsStart, text, next)) return details
  if (matchesAt(blockTagStart, text, next)) return blockTag
  return matchesAt(completeTagStart, text, next) ? completeTag : undefined
}

/** True if the part of the line after `from` ends the block. */
export const isEndingLine = ({ marker }: HtmlEnd, { text, end }: LineCursor, from: number): boolean => {
  if (marker === undefined) return false
  const line = text.slice(from, end)
  return typeof marker === "string" ? line.includes(marker) : marker.test(line)
}

const tagStart = /^<\/?[a-z]/i
const interruptingTag = new RegExp(`^<(?:\\/?(?:${names})|(?:${rawNames})(?!\\/))(?![a-z\\d-])`, "i")

/** True if HTML is a complete tag, which starts a block if it is the only content of a paragraph's first line. */
export const isCompleteTag = (html: string): boolean =>
  matchesAt(completeTagStart, html, 0) && completeTagStart.lastIndex === html.length

/** True if HTML at the start of a line interrupts a paragraph: all HTML except tags with unlisted names. */
export const startsBlock = (html: string): boolean => !tagStart.test(html) || interruptingTag.test(html)
