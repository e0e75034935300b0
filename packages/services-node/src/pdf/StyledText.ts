/** Spans as one text, which is measured, broken and drawn by places in it. */
import type { Ink } from "./Ink.ts"
import { type Span, textOf } from "./Span.ts"

/** White space other than a space has no glyph. */
export const shown = (text: string): string =>
  text.replace(/[\s\u0085]/g, (space) => (space === "\u00a0" ? space : " "))

export class StyledText {
  readonly text: string
  readonly #spans: ReadonlyArray<Span>
  /** Index at which each span begins, and at which the last one ends. */
  readonly #places: ReadonlyArray<number>
  readonly #ink: Ink

  constructor(spans: ReadonlyArray<Span>, ink: Ink) {
    const places = [0]
    for (const span of spans) places.push(places.at(-1)! + textOf(span).length)
    this.text = spans.map(textOf).join("")
    this.#spans = spans
    this.#places = places
    this.#ink = ink
  }

  /** The parts of spans between two places. */
  *between(from: number, to: number) {
    const places = this.#places
    let low = 0
    let high = this.#spans.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (places[middle + 1]! <= from) low = middle + 1
      else high = middle
    }
    for (let i = low; i < this.#spans.length && places[i]! < to; i++) {
      const begin = Math.max(from, places[i]!)
      const end = Math.min(to, places[i + 1]!)
      if (end > begin) yield { span: this.#spans[i]!, begin, end }
    }
  }

  /** How wide what stands between two places is. */
  widthBetween(from: number, to: number): number {
    let width = 0
    for (const { span, begin, end } of this.between(from, to)) {
      width += "inset" in span ? span.inset.width : this.#ink.widthOf(shown(this.text.slice(begin, end)), span.style)
    }
    return width
  }

  /** The place behind the last character before this one that is no white space. */
  inkEnd(from: number, to: number): number {
    let end = to
    while (end > from && this.text[end - 1]!.trim() === "") end--
    return end
  }
}
