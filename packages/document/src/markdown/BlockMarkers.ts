/**
 * Markers that tell where one block ends and the next begins: of two lists below each other, or two pieces of indented
 * code, the second is read as a part of the first where both are marked alike.
 */

/** The marker that a text begins with: a bullet, the sign behind a number, or the indentation of code. */
const markerOf = (text: string): string | undefined => {
  const [, bullet, sign, code] = /^(?:([*+-])(?=[ \t\n]|$)|\d{1,9}([.)])(?=[ \t\n]|$)|( {4}|\t))/.exec(text) ?? []
  return bullet ?? sign ?? (code === undefined ? undefined : " ")
}

/** Tells whether a text is code that is set in. */
export const isSetIn = (text: string): boolean => markerOf(text) === " "

/** Tells whether the second text would be read as a part of the first. */
export const flows = (above: string, below: string): boolean => {
  const marker = markerOf(above)
  return marker !== undefined && marker === markerOf(below)
}

const others: Readonly<Record<string, string>> = { "*": "+-", "-": "+*", "+": "-*", ".": ")", ")": "." }

/**
 * The text of a list with other markers, not those of the list below it either where there is a third; undefined for
 * what has none. `margin`: what its lines begin with.
 */
export const exchanged = (text: string, margin: string, above: string, below: string): string | undefined => {
  const marker = markerOf(text)
  const free = [...(others[marker ?? ""] ?? "")].filter((other) => other !== markerOf(above))
  const other = free.find((each) => each !== markerOf(below)) ?? free[0]
  if (marker === undefined || other === undefined) return undefined
  return text
    .split("\n")
    .map((line, i) => {
      const start = i === 0 ? "" : margin
      const own = line.slice(start.length)
      if (!line.startsWith(start) || markerOf(own) !== marker) return line
      return start + own.replace(marker, other)
    })
    .join("\n")
}
