/** Finds the position of a link in the text of a file. */

/** Line and column of the destination, from 1. */
export interface LinkPosition {
  readonly line: number
  readonly column: number
}

/** Characters before the destination of a link: `](url)`, `[name]: url`, `<url>`, `href="url"`. */
const openings = ["(", ": ", "<", '"', "'", "=", "(<"]
const closing = /[\s)>"']|$/y

/** Returns undefined if the URL does not occur literally, for example because of escapes. */
export const find = (text: string, url: string): LinkPosition | undefined => {
  const at = openings
    .map((opening) => positionIn(text, opening, url))
    .filter((found) => found !== -1)
    .sort((a, b) => a - b)[0]
  if (at === undefined) return undefined
  return { line: text.slice(0, at).split("\n").length, column: at - text.lastIndexOf("\n", at - 1) }
}

const positionIn = (text: string, opening: string, url: string): number => {
  const target = opening + url
  for (let at = text.indexOf(target); at !== -1; at = text.indexOf(target, at + 1)) {
    closing.lastIndex = at + target.length
    if (closing.test(text)) return at + opening.length
  }
  return -1
}
