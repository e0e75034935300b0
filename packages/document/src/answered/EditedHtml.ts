/**
 * Applies an edit of the text of HTML to the HTML, so that elements and links around the edited words stay. The edit is
 * the part between the common start and the common end of both texts, in whole words.
 */
import * as HtmlText from "../HtmlText.ts"

/**
 * Returns the HTML with the words of `was` that differ from `is` replaced. Undefined if the HTML does not contain the
 * old words as literal text. The caller must compare the text of the result, since the words may be spread over several
 * elements.
 */
export const of = (html: string, was: string, is: string): string | undefined => {
  const shorter = Math.min(was.length, is.length)
  let start = 0
  while (start < shorter && was[start] === is[start]) start++
  let end = 0
  while (end < shorter - start && was.at(-1 - end) === is.at(-1 - end)) end++
  while (start > 0 && /\S/.test(was[start - 1]!)) start--
  while (end > 0 && /\S/.test(was.at(-end)!)) end--
  const word = was.slice(start, was.length - end)
  if (word.trim() === "") return undefined
  let left = 0
  eachOffset(word, was, (offset) => void (left += offset < start ? 1 : 0))
  let at: number | undefined
  HtmlText.visitTexts(html, (from, to) => {
    if (at !== undefined) return
    eachOffset(word, html.slice(from, to).replace(/\n/g, " "), (offset) => {
      if (left-- === 0) at = from + offset
    })
  })
  if (at === undefined) return undefined
  return html.slice(0, at) + escaped(is.slice(start, is.length - end)) + html.slice(at + word.length)
}

const eachOffset = (word: string, text: string, visit: (offset: number) => void): void => {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) visit(at)
}

const escaped = (text: string): string =>
  text.replace(/[&<>]/g, (sign) => ({ "&": "&amp;", "<": "&lt;" })[sign] ?? "&gt;")
