/**
 * Determines the start and the end of HTML blocks by the seven conditions of CommonMark. As in the hosted service, a
 * figure also ends with its line, and so does each tag of `<details>`. Markdown may follow these without a blank line.
 */
import type { LineCursor } from "./LineCursor.ts"

export interface HtmlEnd {
  /** Text or pattern in the last line of the block. */
  readonly mark: string | RegExp | undefined
  /** True if a blank line or a `{% … %}` tag ends the block. */
  readonly untilBlank: boolean
  /** True if the block cannot interrupt a paragraph. */
  readonly isWeak: boolean
}

const rawNames = "pre|script|style|textarea"
const names =
  "address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul"

const untilBlank: HtmlEnd = { mark: undefined, untilBlank: true, isWeak: false }
const complete: HtmlEnd = { mark: undefined, untilBlank: true, isWeak: true }
const figure: HtmlEnd = { mark: /<\/figure>\s*$/i, untilBlank: true, isWeak: false }
const details: HtmlEnd = {
  mark: /(?:<details(?:\s[^<>]*)?>|<\/(?:details|summary)>)\s*$/i,
  untilBlank: true,
  isWeak: false
}
const until = (mark: string | RegExp): HtmlEnd => ({ mark, untilBlank: false, isWeak: false })
const raw = until(new RegExp(`</(?:${rawNames})>`, "i"))
const comment = until("-->")
const instruction = until("?>")
const declaration = until(">")
const cdata = until("]]>")

const rawAt = new RegExp(`<(?:${rawNames})(?=[\\s>]|$)`, "iy")
const basicAt = new RegExp(`<\\/?(?:${names})(?=\\s|\\/?>|$)`, "iy")
const figureAt = /<figure(?=\s|>|$)/iy
const detailsAt = /<(?:\/?details|summary)(?=\s|>|$)/iy
const completeAt =
  /(?:<[a-z][a-z\d-]*(?:[ \t]+[a-z_:][\w.:-]*(?:[ \t]*=[ \t]*(?:[^\s"'=<>`]+|'[^'\n]*'|"[^"\n]*"))?)*[ \t]*\/?>|<\/[a-z][a-z\d-]*[ \t]*>)[ \t]*$/imy

const test = (pattern: RegExp, text: string, at: number): boolean => {
  pattern.lastIndex = at
  return pattern.test(text)
}

/**
 * Returns the end condition of the HTML block that starts at the cursor, a `<`. Returns undefined if no block starts.
 */
export const startAt = ({ text, next }: LineCursor): HtmlEnd | undefined => {
  const code = text.charCodeAt(next + 1)
  if (code === 33) {
    if (text.startsWith("--", next + 2)) return comment
    if (text.startsWith("[CDATA[", next + 2)) return cdata
    return /[a-z]/i.test(text.charAt(next + 2)) ? declaration : undefined
  }
  if (code === 63) return instruction
  if (test(rawAt, text, next)) return raw
  if (test(figureAt, text, next)) return figure
  if (test(detailsAt, text, next)) return details
  if (test(basicAt, text, next)) return untilBlank
  return test(completeAt, text, next) ? complete : undefined
}

/** True if the part of the line after `from` ends the block. */
export const endsIn = ({ mark }: HtmlEnd, { text, end }: LineCursor, from: number): boolean => {
  if (mark === undefined) return false
  const line = text.slice(from, end)
  return typeof mark === "string" ? line.includes(mark) : mark.test(line)
}

const isTag = /^<\/?[a-z]/i
const isStrongTag = new RegExp(`^<(?:\\/?(?:${names})|(?:${rawNames})(?!\\/))(?![a-z\\d-])`, "i")

/** True if HTML is a complete tag, which starts a block if it is the only content of a paragraph's first line. */
export const isTagAlone = (html: string): boolean => test(completeAt, html, 0) && completeAt.lastIndex === html.length

/** True if HTML at the start of a line interrupts a paragraph: all HTML except tags with unlisted names. */
export const startsBlock = (html: string): boolean => !isTag.test(html) || isStrongTag.test(html)
