/** The fence of a hint: at least 3 equal characters. They open the hint, and close it on a line of their own. */
import { isSpace } from "./Characters.ts"
import type { LineCursor } from "./LineCursor.ts"

const minLength = 3

/** Returns the length of the closing fence at the cursor; 0 if the line closes no hint. */
export const closingLength = ({ text, next, end, indent }: LineCursor, code: number): number => {
  if (indent > 3) return 0
  let after = next
  while (text.charCodeAt(after) === code) after++
  const length = after - next
  while (after < end && isSpace(text.charCodeAt(after))) after++
  return length < minLength || after < end ? 0 : length
}

/** Returns the offset of the last line of a text that could close a hint; -1 if no line could. */
export const lastClosingLine = (text: string, code: number): number => {
  const fence = String.fromCharCode(code).repeat(minLength)
  for (let at = text.lastIndexOf(fence); at !== -1; at = at === 0 ? -1 : text.lastIndexOf(fence, at - 1)) {
    let end = at + minLength
    while (isSpace(text.charCodeAt(end))) end++
    if (end >= text.length || text.charCodeAt(end) === 10) return text.lastIndexOf("\n", at) + 1
  }
  return -1
}
