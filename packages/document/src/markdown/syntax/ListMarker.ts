/** The marker that an item of a list begins with. */
import { isDigit, isSpace } from "./Characters.ts"
import type { LineCursor } from "./LineCursor.ts"

export interface ListMarker {
  readonly ordered: boolean
  /** `-`, `+` or `*`, or what stands behind the number. */
  readonly delimiter: number
  readonly start: number | undefined
  /** Of its characters. */
  readonly length: number
  readonly isEmpty: boolean
}

const maxDigits = 9

/** Marker at the cursor; undefined where there is none, or none that may end a paragraph. */
export const at = ({ text, next, end }: LineCursor, endsParagraph: boolean): ListMarker | undefined => {
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

/** Goes behind the marker and the white space that belongs to it; gives the columns of both. */
export const skip = (cursor: LineCursor, { length, isEmpty }: ListMarker): number => {
  cursor.skipTo(length)
  // Five columns are one, and code that is indented.
  const spaces = isEmpty ? 0 : cursor.indent > 4 ? 1 : cursor.indent
  if (isEmpty) cursor.skipSpaces()
  else cursor.skipColumns(spaces)
  return length + (isEmpty ? 1 : spaces)
}
