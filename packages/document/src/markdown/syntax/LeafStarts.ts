/** Detects the start of a leaf block on the line at a cursor. */
import { tagLinesByCode } from "../dialect/Dialects.ts"
import { isSpace } from "./Characters.ts"
import * as HtmlBlock from "./HtmlBlock.ts"
import type { LineCursor } from "./LineCursor.ts"
import * as MathBlock from "./MathBlock.ts"
import * as TableSyntax from "./TableSyntax.ts"

export type LeafStart =
  | { readonly kind: "heading"; readonly depth: 1 | 2 | 3 | 4 | 5 | 6 }
  | { readonly kind: "thematicBreak" }
  | { readonly kind: "fence"; readonly length: number }
  | { readonly kind: "html"; readonly ending: HtmlBlock.HtmlEnd }
  | { readonly kind: "math" }

const thematicBreak: LeafStart = { kind: "thematicBreak" }
const math: LeafStart = { kind: "math" }

export const leafStartAt = (cursor: LineCursor, isInParagraph: boolean, isPlain: boolean): LeafStart | undefined => {
  switch (cursor.nextCode) {
    case 35: {
      const depth = headingAt(cursor)
      return depth === undefined ? undefined : { kind: "heading", depth }
    }
    case 42:
    case 45:
    case 95:
      return isThematicBreak(cursor) ? thematicBreak : undefined
    case 96:
    case 126: {
      const length = fenceAt(cursor)
      return length === 0 ? undefined : { kind: "fence", length }
    }
    case 60: {
      const ending = HtmlBlock.htmlEndAt(cursor)
      return ending === undefined || (isInParagraph && ending.cannotInterrupt) ? undefined : { kind: "html", ending }
    }
    case 36:
      return !isInParagraph && !isPlain && MathBlock.isMathFence(cursor) ? math : undefined
    default:
      return undefined
  }
}

const headingAt = ({ text, next, end }: LineCursor): 1 | 2 | 3 | 4 | 5 | 6 | undefined => {
  let after = next + 1
  while (text.charCodeAt(after) === 35) after++
  const depth = after - next
  return depth < 7 && (after === end || isSpace(text.charCodeAt(after))) ? (depth as 1) : undefined
}

export const isThematicBreak = ({ text, next, end }: LineCursor): boolean => {
  const marker = text.charCodeAt(next)
  if (marker !== 42 && marker !== 45 && marker !== 95) return false
  let count = 0
  for (let i = next; i < end; i++) {
    const code = text.charCodeAt(i)
    if (code === marker) count++
    else if (!isSpace(code)) return false
  }
  return count > 2
}

/**
 * Returns the number of backticks or tildes that open fenced code. Returns 0 if fewer than 3, or if a backtick follows
 * backticks on the line.
 */
const fenceAt = ({ text, next, end }: LineCursor): number => {
  const marker = text.charCodeAt(next)
  let after = next + 1
  while (text.charCodeAt(after) === marker) after++
  if (after - next < 3) return 0
  const secondBacktick = marker === 96 ? text.indexOf("`", after) : -1
  return secondBacktick === -1 || secondBacktick >= end ? after - next : 0
}

export const isClosingFence = ({ text, next, end, indent }: LineCursor, marker: number, length: number): boolean => {
  if (indent > 3 || text.charCodeAt(next) !== marker) return false
  let after = next
  while (text.charCodeAt(after) === marker) after++
  if (after - next < length) return false
  while (after < end && isSpace(text.charCodeAt(after))) after++
  return after === end
}

/** Returns the offset of the last line of a text that ends in a closing fence; -1 if no line does. */
export const lastLineWithEnd = (text: string, fence: string): number => {
  for (let at = text.lastIndexOf(fence); at !== -1; at = at === 0 ? -1 : text.lastIndexOf(fence, at - 1)) {
    let end = at + fence.length
    while (isSpace(text.charCodeAt(end))) end++
    if (end >= text.length || text.charCodeAt(end) === 10) return text.lastIndexOf("\n", at) + 1
  }
  return -1
}

/** Returns the depth of a setext heading whose underline of `=` or `-` is at the cursor. */
export const underlineAt = ({ text, next, end }: LineCursor): 1 | 2 | undefined => {
  const marker = text.charCodeAt(next)
  let after = next
  while (text.charCodeAt(after) === marker) after++
  while (after < end && isSpace(text.charCodeAt(after))) after++
  return after < end ? undefined : marker === 61 ? 1 : 2
}

const footnotePattern = /\[\^((?:[^\s[\]\\]|\\[[\\\]]|\\(?![[\\\]])){1,999})\]:/y

/** Returns the label of the footnote definition at an offset. */
export const footnoteLabelAt = (text: string, at: number): string | undefined => {
  if (text.charCodeAt(at + 1) !== 94) return undefined
  footnotePattern.lastIndex = at
  return footnotePattern.exec(text)?.[1]
}

/** True if the whole line is a tag. */
export const isTagLine = ({ text, next, end, indent, nextCode }: LineCursor): boolean =>
  indent < 4 &&
  tagLinesByCode[nextCode]?.some(
    ({ prefix, createScanner }) =>
      text.startsWith(prefix, next) && createScanner().read(text, next + prefix.length, end) === "complete"
  ) === true

/** True if the next line could hold the delimiters of a table. */
export const couldBeTable = ({ text, end }: LineCursor): boolean => {
  if (end >= text.length) return false
  const next = text.indexOf("\n", end + 1)
  return TableSyntax.endsLikeDelimiters(text, end + 1, next === -1 ? text.length : next)
}
