/** Parses rows and delimiters of GFM tables. */
import { isSpace } from "./Characters.ts"
import type { Alignment } from "./SyntaxTree.ts"

const bar = 124

/** Returns the offsets of the start and end of each cell, without surrounding white space. */
export const cellRanges = (text: string, from: number, end: number): Array<readonly [from: number, to: number]> => {
  const cells: Array<readonly [number, number]> = []
  let at = from
  while (at < end && isSpace(text.charCodeAt(at))) at++
  if (text.charCodeAt(at) === bar) at++
  while (at < end) {
    while (at < end && isSpace(text.charCodeAt(at))) at++
    const start = at
    let last = at
    for (; at < end; at++) {
      const code = text.charCodeAt(at)
      if (code === bar) break
      if (code === 92 && at + 1 < end && (text.charCodeAt(at + 1) === bar || text.charCodeAt(at + 1) === 92)) at++
      if (!isSpace(code)) last = at + 1
    }
    // White space after the last `|` is not a cell.
    if (at < end || last > start) cells.push([start, last])
    at++
  }
  return cells
}

const delimiterLine = /^[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*(?:\|[ \t]*)?$/

/** Returns the alignment of each column from a line of delimiters; undefined for other lines. */
export const parseAlignments = (line: string): ReadonlyArray<Alignment> | undefined => {
  if (!/[|:]/.test(line) || !delimiterLine.test(line)) return undefined
  return cellRanges(line, 0, line.length).map(([from, to]) => {
    const isLeft = line.charCodeAt(from) === 58
    const isRight = line.charCodeAt(to - 1) === 58
    return isLeft ? (isRight ? "center" : "left") : isRight ? "right" : undefined
  })
}

/**
 * True if a line could consist of delimiters. Reads from the end, until a character that is not a delimiter or until a
 * dash and another delimiter are found.
 */
export const endsLikeDelimiters = (text: string, start: number, end: number): boolean => {
  let hasDash = false
  let hasOther = false
  for (let i = end - 1; i >= start && !(hasDash && hasOther); i--) {
    const code = text.charCodeAt(i)
    if (code === 45) hasDash = true
    else if (code === bar || code === 58) hasOther = true
    else if (!isSpace(code)) return false
  }
  return hasDash && hasOther
}
