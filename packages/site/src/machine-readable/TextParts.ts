/**
 * Splits long texts into parts that fit into one response. Markdown is split between blocks, preferably before a
 * heading. A code block is split only if it is too long for one part.
 */

/** Maximum characters of a response to machines. */
export const maxLength = 50_000

/** Characters at the start of a line that identify its kind. */
const maxLinePrefix = 100

/**
 * Yields the parts of a text, of at most `max` characters each; one empty part if the text is empty. Parts are computed
 * lazily, each without reading beyond its end.
 */
export function* split(text: string, max: number): Generator<string> {
  let start = 0
  while (text.length - start > max) {
    const window = text.slice(start, start + max + maxLinePrefix)
    const end = splitPosition(window, max)
    yield window.slice(0, end).trimEnd()
    start += end
    while (text[start] === "\n") start++
  }
  yield text.slice(start)
}

/**
 * Returns the part with a number, starting at 1, and `isLast`: true for the last part. Undefined if there is no such
 * part.
 */
export const partAt = (
  text: string,
  max: number,
  number: number
): { readonly text: string; readonly isLast: boolean } | undefined => {
  let n = 0
  const parts = split(text, max)
  for (const part of parts) if (++n === number) return { text: part, isLast: parts.next().done === true }
  return undefined
}

/**
 * Returns the best position to split at: a heading in the second half, otherwise an empty line, otherwise a line break,
 * otherwise any character.
 */
const splitPosition = (text: string, max: number): number => {
  let fence: string | undefined
  let headingStart = 0
  let emptyLineStart = 0
  let lineStart = 0
  for (let at = 0; at < max;) {
    const next = text.indexOf("\n", at)
    const end = next < 0 ? text.length : next
    const linePrefix = text.slice(at, Math.min(end, at + maxLinePrefix))
    const fenceMark = /^\s*(`{3,}|~{3,})/.exec(linePrefix)?.[1]
    if (fence !== undefined) {
      if (fenceMark !== undefined && fenceMark.startsWith(fence)) fence = undefined
    } else if (at > 0) {
      if (/^#{1,6} /.test(linePrefix)) headingStart = at
      if (linePrefix.trim() === "") emptyLineStart = at
      fence = fenceMark
    } else fence = fenceMark
    lineStart = at
    at = end + 1
  }
  if (headingStart > max / 2) return headingStart
  if (emptyLineStart > max / 2) return emptyLineStart
  const block = Math.max(headingStart, emptyLineStart)
  if (fence !== undefined && block > max / 10) return block
  if (lineStart > 0) return lineStart
  // The text is not cut within a surrogate pair.
  const code = text.charCodeAt(max - 1)
  return code >= 0xd8_00 && code <= 0xdb_ff ? max - 1 : max
}

/** A requested part of a text. */
export interface RequestedPart {
  /** Number of the part, starting at 1. */
  readonly number: number
  /** Maximum characters of each part. */
  readonly maxLength: number
}

/** The whole text as one part, for files, which no program requests by part. */
export const wholeText: RequestedPart = { number: 1, maxLength: Infinity }

/** Returns the part that a URL names. Default: the first. */
export const partOf = (url: URL): RequestedPart => {
  const requestedNumber = Number(url.searchParams.get("part") ?? 1)
  const number = Number.isSafeInteger(requestedNumber) && requestedNumber > 0 ? requestedNumber : 1
  return { number, maxLength }
}
