/** The rows of a table of GFM and the cells in them. */
import { isSpace } from "./Characters.ts"
import type { Alignment } from "./SyntaxTree.ts"

const bar = 124

/** Offsets at which each cell begins and ends, without the white space around it. */
export const cellsOf = (text: string, from: number, end: number): Array<readonly [from: number, to: number]> => {
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
    // White space behind the last bar is no cell.
    if (at < end || last > start) cells.push([start, last])
    at++
  }
  return cells
}

const delimiters = /^[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*(?:\|[ \t]*)?$/

/** Alignment of each column, as a line of delimiters says it; undefined for any other line. */
export const alignments = (line: string): ReadonlyArray<Alignment> | undefined => {
  if (!/[|:]/.test(line) || !delimiters.test(line)) return undefined
  return cellsOf(line, 0, line.length).map(([from, to]) => {
    const isLeft = line.charCodeAt(from) === 58
    const isRight = line.charCodeAt(to - 1) === 58
    return isLeft ? (isRight ? "center" : "left") : isRight ? "right" : undefined
  })
}

/** Tells whether a line could be one of delimiters: it ends with nothing but their characters, a dash among them. */
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
