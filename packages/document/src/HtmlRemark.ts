/**
 * HTML without visible content: comments, and empty elements that name an anchor, such as `<a id="place"></a>`.
 *
 * Limit: HTML of more than 10,000 characters is not recognized.
 */

const maxHtml = 10_000
/** A comment or an empty element, with the white space before it. */
const remark = /\s*(?:<!--(?:(?!-->)[^])*-->|<(a|div|span)\s[^<>]*>\s*<\/\1>|<a\s[^<>]*\/>)/iy

/** Returns the text after its leading comments and empty elements. */
export const behind = (text: string): string => {
  const head = text.slice(0, maxHtml)
  let end = 0
  for (;;) {
    remark.lastIndex = end
    const match = remark.exec(head)
    if (match === null) return text.slice(end)
    end = remark.lastIndex
  }
}

export const is = (html: string): boolean => html.length <= maxHtml && html.trim() !== "" && behind(html).trim() === ""
