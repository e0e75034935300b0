/**
 * Scans a line that is a `{% … %}` tag. A tag line ends paragraphs and HTML, and may be within lists and blockquotes.
 * A value in double quotes continues on the next lines, unless the tag would interrupt a paragraph or a list or
 * blockquote starts there.
 */
import { afterValue, isIntegration, maxLength } from "../TagLine.ts"
import type { LineScanner } from "../dialect/Dialect.ts"
import { isSpace } from "./Characters.ts"

const percent = 37
const braceClose = 125
const backslash = 92
const quoteDouble = 34

export class TagScanner implements LineScanner {
  #length = 0
  #isIntegration = false
  #quote = 0
  #isValue = false

  read(text: string, from: number, end: number): "complete" | "open" | "none" {
    if (this.#length === 0) this.#isIntegration = isIntegration(text, from)
    const max = maxLength(this.#isIntegration)
    for (let i = from; i < end; i++) {
      if (++this.#length > max) return "none"
      const code = text.charCodeAt(i)
      if (this.#quote !== 0) {
        if (code === backslash) {
          i++
          this.#length++
        } else if (code === this.#quote && this.#isEnd(text, i)) this.#quote = 0
        continue
      }
      if (code === percent && text.charCodeAt(i + 1) === braceClose && i + 1 < end) {
        for (let after = i + 2; after < end; after++) if (!isSpace(text.charCodeAt(after))) return "none"
        return "complete"
      }
      if (code === quoteDouble || code === 39) this.#quote = code
      else if (!isSpace(code)) this.#isValue = code === 61
    }
    this.#length++
    return this.#quote === quoteDouble && this.#isValue ? "open" : "none"
  }

  #isEnd(text: string, at: number): boolean {
    if (!this.#isIntegration || this.#quote !== quoteDouble || !this.#isValue) return true
    afterValue.lastIndex = at + 1
    return afterValue.test(text)
  }
}

/** Sticky pattern for text that could be a tag. Does not match if text follows the closing `%}` on its line. */
export const opening =
  /\{%(?:[^\n\\"'%]|%(?!\})|"[^"\n\\]*"|'[^'\n\\]*')*(?:%\}(?![ \t]*\S)|[\n\\]|"(?![^"\n\\]*")|'(?![^'\n\\]*')|$)/y
