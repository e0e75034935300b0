/** Finds the line of a link in the text of a file. */

/** Characters before the destination of a link: `](url)`, `[name]: url`, `<url>`, `href="url"`. */
const openings = ["(", ": ", "<", '"', "'", "=", "(<"]

/** Returns the line from 1. Undefined if the URL does not occur literally, for example because of escapes. */
export const find = (text: string, url: string): number | undefined => {
  const at = openings
    .map((opening) => text.indexOf(opening + url))
    .filter((found) => found !== -1)
    .sort((a, b) => a - b)[0]
  return at === undefined ? undefined : text.slice(0, at).split("\n").length
}
