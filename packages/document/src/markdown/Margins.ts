/**
 * Text between adjacent blocks of a source. A gap is the text from the end of one block to the start of the next. A
 * margin is the text at the start of a line: indentation and the markers of enclosing blockquotes.
 */

/**
 * Returns the gap before a new block: the first of the existing `gaps` that has a blank line, or none if `isTight`.
 * Default: one line feed if tight, two otherwise, with `prefix`.
 */
export const defaultGap = (gaps: ReadonlyArray<string>, prefix: string, isTight: boolean): string =>
  withoutBlanks(gaps.find((gap) => hasBlankLine(gap) !== isTight) ?? "") ||
  (isTight ? `\n${prefix}` : `\n${prefix.trimEnd()}\n${prefix}`)

/**
 * Returns `gap` with the margin of its last line replaced by that of `other`. Returns `gap` unchanged if `other` is
 * within a line.
 */
export const withMarginOf = (gap: string, other: string): string => {
  const at = other.lastIndexOf("\n") + 1
  return at === 0 ? gap : gap.slice(0, gap.lastIndexOf("\n") + 1) + other.slice(at)
}

export const blanksAfter = (text: string, at: number): string => {
  let end = at
  while (text.charCodeAt(end) === 32 || text.charCodeAt(end) === 9) end++
  return text.slice(at, end)
}

export const withoutBlanks = (gap: string): string => gap.slice(blanksAfter(gap, 0).length)

/** True if a gap contains a blank line. */
export const hasBlankLine = (gap: string): boolean => /\n[>\s]*\n/.test(gap)

/** Returns the margin of the lines that follow a first line with this prefix. */
export const lineMargin = (line: string): string => line.replace(/\[\^[^\][]*\]:[ \t]*/, "    ").replace(/[^>\s]/g, " ")

/** Adds a prefix to all lines of a printed text except the first. */
export const indentLines = (text: string, prefix: string): string =>
  text
    .trimEnd()
    .split("\n")
    .map((line, i) => (i === 0 ? line : line === "" ? prefix.trimEnd() : prefix + line))
    .join("\n")

/** Removes the prefix from all lines except the first; undefined if a line has another prefix. */
export const withoutPrefix = (text: string, prefix: string): string | undefined => {
  const lines = text.split("\n")
  for (let i = 1; i < lines.length; i++) {
    const line = lines[i]!
    if (!line.startsWith(prefix) && line !== prefix.trimEnd()) return undefined
    lines[i] = line.slice(prefix.length)
  }
  return lines.join("\n")
}
