/**
 * A line that is a `{% … %}` tag. It ends a paragraph and HTML, and lists and quotes may hold it. A value in
 * double quotes goes on over the ends of lines, unless the tag would end a paragraph, or a list or
 * quote begins there.
 */
import { behindValue, isIntegration, maxLength } from "../TagLine.ts"
import { isSpace } from "./Characters.ts"
import type { LineCursor } from "./LineCursor.ts"

const percent = 37
const braceClose = 125
const backslash = 92
const quoteDouble = 34

export class TagScan {
  #length = 0
  #isIntegration = false
  #quote = 0
  #isValue = false

  /** Reads a line from behind the `{%`, or one that goes on with a value. */
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
    behindValue.lastIndex = at + 1
    return behindValue.test(text)
  }
}

/** Tells whether a line is a tag as a whole. */
export const isTagLine = ({ text, next, end, indent }: LineCursor): boolean =>
  indent < 4 && text.startsWith("{%", next) && new TagScan().read(text, next + 2, end) === "complete"
