/**
 * Sets text: measures it, breaks it into lines, and draws lines as strips. Lines break where
 * Unicode's rules let them; a word that is wider than its line breaks anywhere.
 */
import LineBreaker from "linebreak"
import { directionsOf, type Directions, turned, visualOrder } from "./Bidi.ts"
import { Ink } from "./Ink.ts"
import { leading as usualLeading } from "./Look.ts"
import { type Span, type Style, type Target, textOf } from "./Span.ts"
import type { Strip } from "./Strip.ts"

export interface Setting {
  readonly width: number
  /** Of a line, in points, where nothing in it is higher. */
  readonly lineHeight: number
  readonly align?: "left" | "center" | "right"
  /** Lines break anywhere, and what goes on on another one is moved in (points). */
  readonly code?: number
}

/** A piece of one look, on one line, in one direction. */
interface Piece {
  readonly span: Span
  readonly text: string
  readonly width: number
  readonly level: number
}

interface Line {
  readonly pieces: ReadonlyArray<Piece>
  readonly width: number
}

/** A part of a text between two places where a line may end. */
interface Segment {
  readonly from: number
  readonly to: number
  readonly width: number
  /** Without the white space at its end. */
  readonly inkWidth: number
  readonly ends: boolean
}

/** Words from here on are broken before they are measured: to shape one takes more than its length. */
const longWord = 120

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" })

const descent = 0.35

export const lineHeightOf = ({ size }: Style): number => size * usualLeading

export class Typesetter extends Ink {
  /** How wide the longest word is, and how wide all of it on one line. */
  extent(spans: ReadonlyArray<Span>): { readonly least: number; readonly most: number } {
    const text = spans.map(textOf).join("")
    const places = placesOf(spans)
    let least = 0
    let most = 0
    let line = 0
    for (const { width, inkWidth, ends } of this.#segments(text, spans, places, false)) {
      least = Math.max(least, inkWidth)
      line += width
      most = Math.max(most, line)
      if (ends) line = 0
    }
    return { least, most }
  }

  /** The lines of a text as strips; an empty one is one line. */
  *set(spans: ReadonlyArray<Span>, setting: Setting): Generator<Strip> {
    const text = spans.map(textOf).join("")
    const directions = directionsOf(text)
    const places = placesOf(spans)
    const lines = this.#lines(text, spans, places, directions, setting)
    const strips: Array<Strip> = []
    for (const line of lines) strips.push(this.#strip(line, setting, directions, strips.length > 0))
    if (strips.length === 0) yield { height: setting.lineHeight }
    for (const [i, strip] of strips.entries()) {
      // The first two lines stay together, and the last two.
      const keep = strips.length > 1 && (i === 0 || i === strips.length - 2)
      yield keep ? { ...strip, keep } : strip
    }
  }

  #strip(line: Line, setting: Setting, directions: Directions | undefined, continued: boolean): Strip {
    const indent = continued ? (setting.code ?? 0) : 0
    const height = Math.max(
      setting.lineHeight,
      ...line.pieces.map(({ span }) => ("image" in span ? span.height + 4 : 0))
    )
    const align = setting.align ?? (directions?.fromRight === true ? "right" : "left")
    const slack = setting.width - indent - line.width
    const start = indent + (align === "left" ? 0 : Math.max(0, align === "right" ? slack : slack / 2))
    return { height, draw: (x, y) => this.#draw(line, x + start, y, height, setting.lineHeight) }
  }

  *#lines(
    text: string,
    spans: ReadonlyArray<Span>,
    places: ReadonlyArray<number>,
    directions: Directions | undefined,
    setting: Setting
  ): Generator<Line> {
    const isCode = setting.code !== undefined
    let from = 0
    let to = 0
    let width = 0
    let ink = 0
    let room = setting.width
    const end = (until: number): Line => {
      const line = { pieces: this.#pieces(text, from, until, spans, places, directions), width: ink }
      room = setting.width - (setting.code ?? 0)
      return line
    }
    const fits = (segment: Segment) => width + segment.inkWidth <= room + 0.01
    const take = (segment: Segment) => {
      to = segment.to
      ink = width + segment.inkWidth
      width += segment.width
    }
    for (const segment of this.#segments(text, spans, places, isCode)) {
      if (!fits(segment) && to > from && !(isCode && segment.inkWidth > room)) {
        yield end(to)
        from = to
        width = ink = 0
      }
      if (fits(segment)) take(segment)
      else {
        for (const part of this.#graphemes(text, segment, spans, places)) {
          if (!fits(part) && to > from) {
            yield end(to)
            from = to
            width = ink = 0
          }
          take(part)
        }
      }
      if (segment.ends) {
        yield end(to)
        from = to
        width = ink = 0
        room = setting.width
      }
    }
    if (to > from) yield end(to)
  }

  *#segments(
    text: string,
    spans: ReadonlyArray<Span>,
    places: ReadonlyArray<number>,
    isCode: boolean
  ): Generator<Segment> {
    if (isCode) {
      if (text !== "") yield* this.#measured(text, 0, text.length, spans, places, false)
      return
    }
    const breaker = new LineBreaker(text)
    let from = 0
    for (let next = breaker.nextBreak(); next !== null; next = breaker.nextBreak()) {
      yield* this.#measured(text, from, next.position, spans, places, next.required === true)
      from = next.position
    }
    if (from < text.length) yield* this.#measured(text, from, text.length, spans, places, false)
  }

  *#measured(
    text: string,
    from: number,
    to: number,
    spans: ReadonlyArray<Span>,
    places: ReadonlyArray<number>,
    required: boolean
  ): Generator<Segment> {
    // The break that ends a text is none that was asked for.
    const ends = required && /[\n\v\f\r\u0085\u2028\u2029]/.test(text[to - 1] ?? "")
    const segment = { from, to, width: 0, inkWidth: 0, ends }
    if (to - from > longWord) {
      const parts = [...this.#graphemes(text, segment, spans, places)]
      for (const [i, part] of parts.entries()) yield i === parts.length - 1 ? { ...part, ends } : part
      return
    }
    const width = this.#extentOf(text, from, to, spans, places)
    const inkEnd = from + text.slice(from, to).trimEnd().length
    yield { ...segment, width, inkWidth: inkEnd === to ? width : this.#extentOf(text, from, inkEnd, spans, places) }
  }

  *#graphemes(
    text: string,
    { from, to }: Segment,
    spans: ReadonlyArray<Span>,
    places: ReadonlyArray<number>
  ): Generator<Segment> {
    for (const { segment, index } of graphemes.segment(text.slice(from, to))) {
      const begin = from + index
      const width = this.#extentOf(text, begin, begin + segment.length, spans, places)
      const inkWidth = segment.trim() === "" ? 0 : width
      yield { from: begin, to: begin + segment.length, width, inkWidth, ends: false }
    }
  }

  #extentOf(text: string, from: number, to: number, spans: ReadonlyArray<Span>, places: ReadonlyArray<number>): number {
    let width = 0
    for (const { span, begin, end } of spansIn(spans, places, from, to)) {
      width += "image" in span ? span.width : this.widthOf(shown(text.slice(begin, end)), span.style)
    }
    return width
  }

  /** A line cut into pieces: by look, by direction, and where it runs to the left by word. */
  #pieces(
    text: string,
    from: number,
    to: number,
    spans: ReadonlyArray<Span>,
    places: ReadonlyArray<number>,
    directions: Directions | undefined
  ): ReadonlyArray<Piece> {
    const until = from + text.slice(from, to).trimEnd().length
    const pieces: Array<Piece> = []
    for (const { span, begin, end } of spansIn(spans, places, from, until)) {
      if ("image" in span) {
        pieces.push({ span, text: "", width: span.width, level: directions?.levels[begin] ?? 0 })
        continue
      }
      for (let at = begin; at < end;) {
        const level = directions?.levels[at] ?? 0
        let stop = at + 1
        if (directions === undefined) stop = end
        else {
          const isSpace = text[at] === " "
          while (stop < end && directions.levels[stop] === level && (text[stop] === " ") === isSpace) stop++
        }
        const piece = shown(text.slice(at, stop))
        // A font draws its own piece of a word from the right; the pieces are put in order here.
        const parts = (level & 1) === 1 ? this.runsOf(piece, span.style).map((run) => turned(run.text)) : [piece]
        for (const part of parts) pieces.push({ span, text: part, width: this.widthOf(part, span.style), level })
        at = stop
      }
    }
    return directions === undefined ? pieces : visualOrder(pieces)
  }

  #draw(line: Line, left: number, y: number, height: number, lineHeight: number): void {
    const doc = this.doc
    let x = left
    for (const { span, text, width } of line.pieces) {
      const { style } = span
      if ("image" in span) {
        doc.image(span.image as never, x, y + (height - span.height) / 2, { width: span.width, height: span.height })
        x += width
        continue
      }
      const baseline = y + height - lineHeight / 2 + style.size * descent - (style.rise ?? 0) * style.size
      if (style.behind !== undefined && text.trim() !== "") {
        const top = baseline - style.size * 1.02
        doc.roundedRect(x - 1, top, width + 2, style.size * 1.36, 2).fill(style.behind)
      }
      if (text !== " ") this.drawText(text, x, baseline, style)
      if (style.strike === true || style.underline === true) {
        const at = baseline + style.size * (style.strike === true ? -0.28 : 0.14)
        doc
          .moveTo(x, at)
          .lineTo(x + width, at)
          .lineWidth(0.6)
          .stroke(style.colour)
      }
      x += width
    }
    this.#links(line, left, y, height)
  }

  /** Text from its line is one link, however many pieces it has. */
  #links(line: Line, left: number, y: number, height: number): void {
    let x = left
    let from = left
    let target: Target | undefined
    const end = () => {
      if (target !== undefined && x > from) this.link(target, from, y, x - from, height)
    }
    for (const { span, width } of line.pieces) {
      if (span.style.link !== target) {
        end()
        target = span.style.link
        from = x
      }
      x += width
    }
    end()
  }
}

/** White space other than a space has no glyph. */
const shown = (text: string): string => text.replace(/[\s\u0085]/g, (space) => (space === "\u00a0" ? space : " "))

/** Where each span begins in the text of all of them, and where the last one ends. */
const placesOf = (spans: ReadonlyArray<Span>): ReadonlyArray<number> => {
  const places = [0]
  for (const span of spans) places.push(places.at(-1)! + textOf(span).length)
  return places
}

/** The parts of spans between two places of the text. */
function* spansIn(spans: ReadonlyArray<Span>, places: ReadonlyArray<number>, from: number, to: number) {
  let low = 0
  let high = spans.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (places[middle + 1]! <= from) low = middle + 1
    else high = middle
  }
  for (let i = low; i < spans.length && places[i]! < to; i++) {
    const begin = Math.max(from, places[i]!)
    const end = Math.min(to, places[i + 1]!)
    if (end > begin) yield { span: spans[i]!, begin, end }
  }
}
