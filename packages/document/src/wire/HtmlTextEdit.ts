/**
 * Applies an edit of the text of HTML to the HTML, so that elements and links around the edited words stay. The edit is
 * the part between the common start and the common end of both texts, in whole words.
 */
import * as HtmlText from "../HtmlText.ts"

/**
 * Returns the HTML with the words of `previousText` that differ from `nextText` replaced. Undefined if the HTML does
 * not contain the previous words as literal text. The caller must compare the text of the result with `nextText`, since
 * an occurrence may be found at a wrong position.
 */
export const applyTextEdit = (html: string, previousText: string, nextText: string): string | undefined => {
  const shorter = Math.min(previousText.length, nextText.length)
  let start = 0
  while (start < shorter && previousText[start] === nextText[start]) start++
  let end = 0
  while (end < shorter - start && previousText.at(-1 - end) === nextText.at(-1 - end)) end++
  while (start > 0 && /\S/.test(previousText[start - 1]!)) start--
  while (end > 0 && /\S/.test(previousText.at(-end)!)) end--
  const replaced = previousText.slice(start, previousText.length - end)
  if (replaced.trim() === "") return undefined
  let occurrencesBefore = 0
  forEachOccurrence(replaced, previousText, (offset) => void (occurrencesBefore += offset < start ? 1 : 0))
  let position: number | undefined
  HtmlText.visitTexts(html, (from, to) => {
    if (position !== undefined) return
    forEachOccurrence(replaced, html.slice(from, to).replace(/\n/g, " "), (offset) => {
      if (occurrencesBefore-- === 0) position = from + offset
    })
  })
  if (position === undefined) return undefined
  return (
    html.slice(0, position) +
    escapeHtml(nextText.slice(start, nextText.length - end)) +
    html.slice(position + replaced.length)
  )
}

const forEachOccurrence = (word: string, text: string, visit: (offset: number) => void): void => {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) visit(at)
}

const escapeHtml = (text: string): string =>
  text.replace(/[&<>]/g, (character) => ({ "&": "&amp;", "<": "&lt;" })[character] ?? "&gt;")
