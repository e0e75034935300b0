/**
 * HTML without visible content: comments, and empty elements that name an anchor, such as `<a id="place"></a>`.
 *
 * Limit: HTML of more than 10,000 characters is not recognized.
 */

const maxHtml = 10_000
/** A comment or an empty element, with the white space before it. */
const invisibleElement = /\s*(?:<!--(?:(?!-->)[^])*-->|<(a|div|span)\s[^<>]*>\s*<\/\1>|<a\s[^<>]*\/>)/iy

/** Returns the text after its leading comments and empty elements. */
export const skipInvisible = (text: string): string => {
  const head = text.slice(0, maxHtml)
  let end = 0
  for (;;) {
    invisibleElement.lastIndex = end
    const match = invisibleElement.exec(head)
    if (match === null) return text.slice(end)
    end = invisibleElement.lastIndex
  }
}

export const isInvisible = (html: string): boolean =>
  html.length <= maxHtml && html.trim() !== "" && skipInvisible(html).trim() === ""
