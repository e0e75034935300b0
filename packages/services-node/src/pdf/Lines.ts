/** Breaks a text into lines, and lines into the pieces that they are drawn in. */
import { type Directions, turned, visualOrder } from "./Bidi.ts"
import type { Ink } from "./Ink.ts"
import { characters, type Segment, segments } from "./Segments.ts"
import type { Span } from "./Span.ts"
import { shown, type StyledText } from "./StyledText.ts"

/** A piece of one look, on one line, in one direction. */
export interface Piece {
  readonly span: Span
  readonly text: string
  readonly width: number
  readonly level: number
}

export interface Line {
  /** In the order they stand on paper, from the left. */
  readonly pieces: ReadonlyArray<Piece>
  /** Of all of them, without the white space at the end. */
  readonly width: number
}

export interface Measure {
  readonly width: number
  /** Code breaks where prose does not, and what goes on on another line is moved in by so many points. */
  readonly code?: number
}

export function* lines(
  styled: StyledText,
  { width: whole, code }: Measure,
  directions: Directions | undefined,
  ink: Ink
): Generator<Line> {
  let from = 0
  let to = 0
  let width = 0
  let inkWidth = 0
  let room = whole
  const end = (): Line => {
    const line = { pieces: pieces(styled, from, to, directions, ink), width: inkWidth }
    room = whole - (code ?? 0)
    from = to
    width = inkWidth = 0
    return line
  }
  const fits = (segment: Segment) => width + segment.inkWidth <= room + 0.01
  const take = (segment: Segment) => {
    to = segment.to
    inkWidth = width + segment.inkWidth
    width += segment.width
  }
  for (const segment of segments(styled, code !== undefined)) {
    if (!fits(segment) && to > from) yield end()
    if (fits(segment)) take(segment)
    else {
      for (const part of characters(styled, segment.from, segment.to)) {
        if (!fits(part) && to > from) yield end()
        take(part)
      }
    }
    if (segment.ends) {
      yield end()
      room = whole
    }
  }
  if (to > from) yield end()
}

/** A line cut by look, by direction, and where it runs to the left by word. */
const pieces = (
  styled: StyledText,
  from: number,
  to: number,
  directions: Directions | undefined,
  ink: Ink
): ReadonlyArray<Piece> => {
  const { text } = styled
  const found: Array<Piece> = []
  for (const { span, begin, end } of styled.between(from, styled.inkEnd(from, to))) {
    const { style } = span
    if ("inset" in span) {
      found.push({ span, text: "", width: span.inset.width, level: directions?.levels[begin] ?? 0 })
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
      const parts = (level & 1) === 1 ? ink.runsOf(piece, style).map((run) => turned(run.text)) : [piece]
      for (const part of parts) found.push({ span, text: part, width: ink.widthOf(part, style), level })
      at = stop
    }
  }
  return directions === undefined ? found : visualOrder(found)
}
