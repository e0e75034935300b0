/**
 * Parses a formula block: lines between two lines `$$`. If further text follows the opening `$$`, the formula is part
 * of its paragraph, and its lines start no other block.
 */
import { isSpace } from "./Characters.ts"
import type { LineCursor } from "./LineCursor.ts"

const dollar = 36

/** True if the line is `$$`. */
export const isMathFence = ({ text, next, end }: LineCursor): boolean => {
  if (text.charCodeAt(next) !== dollar || text.charCodeAt(next + 1) !== dollar || next + 2 > end) return false
  for (let i = next + 2; i < end; i++) if (!isSpace(text.charCodeAt(i))) return false
  return true
}

const closing = /\$\$[ \t]*[.,;:)]?[ \t]*(?=\n|$)/y
const blankLine = /\n[ \t>]*\n/

/**
 * Returns the offset of the `$$` that ends a formula opened on the current line and closed on a later one. Returns
 * undefined for any other line.
 */
export const formulaEndBelow = ({ end, next, text }: LineCursor): number | undefined => {
  if (text.charCodeAt(next) !== dollar || text.charCodeAt(next + 1) !== dollar) return undefined
  const at = text.indexOf("$$", next + 2)
  if (at <= end) return undefined
  closing.lastIndex = at
  return closing.test(text) && !blankLine.test(text.slice(end, at)) ? at : undefined
}
