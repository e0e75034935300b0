/**
 * HTML that nobody reads: comments, and elements without a text that name a place, `<a id="place"></a>`.
 *
 * Limit: HTML of more than 10,000 characters is none.
 */

const maxHtml = 10_000
/** One remark, with the white space before it. */
const remark = /\s*(?:<!--(?:(?!-->)[^])*-->|<(a|div|span)\s[^<>]*>\s*<\/\1>|<a\s[^<>]*\/>)/iy

/** The text behind the remarks that it starts with. */
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
