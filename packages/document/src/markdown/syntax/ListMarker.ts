/** Parses the marker of a list item. */
import { isDigit, isSpace } from "./Characters.ts"
import type { LineCursor } from "./LineCursor.ts"

export interface ListMarker {
  readonly ordered: boolean
  /** Code of `-`, `+` or `*`, or of the `.` or `)` after a number. */
  readonly delimiter: number
  readonly start: number | undefined
  /** Number of characters of the marker. */
  readonly length: number
  readonly isEmpty: boolean
}

const maxDigits = 9

/** Returns the marker at the cursor. `endsParagraph`: true to accept only markers that may interrupt a paragraph. */
export const listMarkerAt = ({ text, next, end }: LineCursor, endsParagraph: boolean): ListMarker | undefined => {
  const first = text.charCodeAt(next)
  const ordered = isDigit(first)
  let length = 0
  if (ordered) {
    while (length <= maxDigits && isDigit(text.charCodeAt(next + length))) length++
    if (length > maxDigits) return undefined
  } else if (first !== 42 && first !== 43 && first !== 45) return undefined
  const delimiter = text.charCodeAt(next + length)
  if (ordered && delimiter !== 41 && delimiter !== 46) return undefined
  let after = next + length + 1
  if (after < end && !isSpace(text.charCodeAt(after))) return undefined
  const start = ordered ? Number(text.slice(next, next + length)) : undefined
  while (after < end && isSpace(text.charCodeAt(after))) after++
  if (endsParagraph && (after === end || (ordered && start !== 1))) return undefined
  return { ordered, delimiter, start, length: length + 1, isEmpty: after === end }
}

/** Moves past the marker and its white space. Returns their number of columns. */
export const skipListMarker = (cursor: LineCursor, { length, isEmpty }: ListMarker): number => {
  cursor.skipTo(length)
  // After more than four columns of white space, one belongs to the marker, and the rest indents code.
  const spaces = isEmpty ? 0 : cursor.indent > 4 ? 1 : cursor.indent
  if (isEmpty) cursor.skipSpaces()
  else cursor.skipColumns(spaces)
  return length + (isEmpty ? 1 : spaces)
}
