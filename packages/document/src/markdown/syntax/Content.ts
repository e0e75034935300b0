/**
 * Text of a paragraph, heading or cell for the inline parser. The markers of enclosing containers are removed from its
 * lines. Maps offsets in this text to offsets in the whole text.
 */
import { isSpace } from "./Characters.ts"

export class InlineSource {
  text: string
  /**
   * For each line after the first: `#lineStarts` holds the offset of the line in this text, `#shifts` the distance to
   * the offset in the whole text.
   */
  readonly #lineStarts: Array<number> = []
  readonly #shifts: Array<number> = []
  readonly #from: number
  /** Line of the last lookup. Most lookups are in ascending order. */
  #line = 0

  constructor(text: string, from: number) {
    this.text = text
    this.#from = from
  }

  addLine(line: string, from: number): void {
    const start = this.text.length + 1
    this.#lineStarts.push(start)
    this.#shifts.push(from - start)
    this.text += `\n${line}`
  }

  /** Removes white space at the end of the text, which has no meaning. */
  trimEnd(): void {
    let end = this.text.length
    while (end > 0 && (isSpace(this.text.charCodeAt(end - 1)) || this.text.charCodeAt(end - 1) === 10)) end--
    if (end < this.text.length) this.text = this.text.slice(0, end)
  }

  /** Returns the offset in the whole text. */
  toSourceOffset(offset: number): number {
    const starts = this.#lineStarts
    if (starts.length === 0) return offset + this.#from
    let line = this.#line
    if ((line > 0 && starts[line - 1]! > offset) || (line < starts.length && starts[line]! <= offset)) {
      let high = starts.length
      line = 0
      while (line < high) {
        const middle = (line + high) >> 1
        if (starts[middle]! <= offset) line = middle + 1
        else high = middle
      }
      this.#line = line
    }
    return offset + (line === 0 ? this.#from : this.#shifts[line - 1]!)
  }
}
