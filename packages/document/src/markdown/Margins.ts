/** Gaps between blocks that are written below each other, and the margins of their lines. */

/** The gap before a block that is new, as there is one already. */
export const usualGap = (gaps: ReadonlyArray<string>, prefix: string, isTight: boolean): string =>
  withoutBlanks(gaps.find((gap) => isBlank(gap) !== isTight) ?? "") ||
  (isTight ? `\n${prefix}` : `\n${prefix.trimEnd()}\n${prefix}`)

/** The gap with what stands before a block on its first line in another one. */
export const withMargin = (gap: string, other: string): string => {
  const at = other.lastIndexOf("\n") + 1
  return at === 0 ? gap : gap.slice(0, gap.lastIndexOf("\n") + 1) + other.slice(at)
}

export const blanksAt = (text: string, at: number): string => {
  let end = at
  while (text.charCodeAt(end) === 32 || text.charCodeAt(end) === 9) end++
  return text.slice(at, end)
}

export const withoutBlanks = (gap: string): string => gap.slice(blanksAt(gap, 0).length)

/** Tells whether a line without text stands in a gap. */
export const isBlank = (gap: string): boolean => /\n[>\s]*\n/.test(gap)

/** The beginning of the lines behind one that begins so. */
export const marginOf = (line: string): string => line.replace(/\[\^[^\][]*\]:[ \t]*/, "    ").replace(/[^>\s]/g, " ")

/** Printed text with a prefix before each of its lines but the first. */
export const indented = (text: string, prefix: string): string =>
  text
    .trimEnd()
    .split("\n")
    .map((line, i) => (i === 0 ? line : line === "" ? prefix.trimEnd() : prefix + line))
    .join("\n")

/** The reverse; undefined where a line begins otherwise. */
export const withoutPrefix = (text: string, prefix: string): string | undefined => {
  const lines = text.split("\n")
  for (let i = 1; i < lines.length; i++) {
    const line = lines[i]!
    if (!line.startsWith(prefix) && line !== prefix.trimEnd()) return undefined
    lines[i] = line.slice(prefix.length)
  }
  return lines.join("\n")
}
