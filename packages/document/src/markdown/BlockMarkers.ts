/**
 * Chooses markers of lists and indented code so that adjacent blocks stay separate. Two lists, or two pieces of
 * indented code, with the same marker are parsed as one.
 */

/** Returns the marker at the start of a text: a bullet, the `.` or `)` after a number, or a space for indented code. */
const markerOf = (text: string): string | undefined => {
  const [, bullet, delimiter, code] = /^(?:([*+-])(?=[ \t\n]|$)|\d{1,9}([.)])(?=[ \t\n]|$)|( {4}|\t))/.exec(text) ?? []
  return bullet ?? delimiter ?? (code === undefined ? undefined : " ")
}

/** True if a text starts with indented code. */
export const isIndentedCode = (text: string): boolean => markerOf(text) === " "

/** True if the second text would be parsed as part of the first. */
export const wouldMerge = (above: string, below: string): boolean => {
  const marker = markerOf(above)
  return marker !== undefined && marker === markerOf(below)
}

const alternatives: Readonly<Record<string, string>> = { "*": "+-", "-": "+*", "+": "-*", ".": ")", ")": "." }

/**
 * Replaces the markers of a list. The new marker differs from the one above, and if possible also from the one below.
 * Returns undefined for other text. `margin`: prefix of all lines except the first.
 */
export const withOtherMarkers = (text: string, margin: string, above: string, below: string): string | undefined => {
  const marker = markerOf(text)
  const candidates = [...(alternatives[marker ?? ""] ?? "")].filter((other) => other !== markerOf(above))
  const replacement = candidates.find((each) => each !== markerOf(below)) ?? candidates[0]
  if (marker === undefined || replacement === undefined) return undefined
  return text
    .split("\n")
    .map((line, i) => {
      const start = i === 0 ? "" : margin
      const content = line.slice(start.length)
      if (!line.startsWith(start) || markerOf(content) !== marker) return line
      return start + content.replace(marker, replacement)
    })
    .join("\n")
}
