/**
 * Parses the HTML of a page or document into a tree, with the tokenizer and limits of the reader of documents (see
 * `HtmlStream`). Time is linear in the length of the HTML.
 *
 * Limits: 100 nested elements. Real pages have up to 50.
 */
import { HtmlStream } from "@lectern/document/html/HtmlStream"
import type { Root } from "hast"

/** Depth from which elements are left out. */
export const maxDepth = 100

/** Elements whose text is retained: page titles, and scripts with formulas. */
const keepsText = new Set(["title", "script"])

export const parse = (html: string): Root => {
  const stream = new HtmlStream({ maxDepth, textElements: keepsText })
  stream.write(html)
  return stream.end()
}
