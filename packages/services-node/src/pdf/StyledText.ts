/** Joins spans into one text, which is measured, broken and drawn by index. */
import type { TextRenderer } from "./TextRenderer.ts"
import { type Span, textOf } from "./Span.ts"

/** Replaces white space by spaces, except for no-break spaces, since other white space has no glyph. */
export const visibleText = (text: string): string =>
  text.replace(/[\s\u0085]/g, (space) => (space === "\u00a0" ? space : " "))

export class StyledText {
  readonly text: string
  readonly #spans: ReadonlyArray<Span>
  /** Start index of each span in the text, and the end index of the last span. */
  readonly #offsets: ReadonlyArray<number>
  readonly #ink: TextRenderer

  constructor(spans: ReadonlyArray<Span>, ink: TextRenderer) {
    const offsets = [0]
    for (const span of spans) offsets.push(offsets.at(-1)! + textOf(span).length)
    this.text = spans.map(textOf).join("")
    this.#spans = spans
    this.#offsets = offsets
    this.#ink = ink
  }

  /** Yields the parts of spans between two indexes. */
  *between(from: number, to: number) {
    const offsets = this.#offsets
    let low = 0
    let high = this.#spans.length
    while (low < high) {
      const middleIndex = (low + high) >> 1
      if (offsets[middleIndex + 1]! <= from) low = middleIndex + 1
      else high = middleIndex
    }
    for (let i = low; i < this.#spans.length && offsets[i]! < to; i++) {
      const begin = Math.max(from, offsets[i]!)
      const end = Math.min(to, offsets[i + 1]!)
      if (end > begin) yield { span: this.#spans[i]!, begin, end }
    }
  }

  /** Returns the width of the text between two indexes, in points. */
  widthBetween(from: number, to: number): number {
    let width = 0
    for (const { span, begin, end } of this.between(from, to)) {
      width +=
        "inset" in span ? span.inset.width : this.#ink.widthOf(visibleText(this.text.slice(begin, end)), span.style)
    }
    return width
  }

  /** Returns the index after the last character before `to` that is not white space. */
  inkEnd(from: number, to: number): number {
    let end = to
    while (end > from && this.text[end - 1]!.trim() === "") end--
    return end
  }
}
