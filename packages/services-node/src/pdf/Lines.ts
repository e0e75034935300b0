/** Breaks a text into lines, and lines into pieces. */
import { type Directions, reversed, visualOrder } from "./Bidi.ts"
import type { TextRenderer } from "./TextRenderer.ts"
import { characters, type Segment, segments } from "./Segments.ts"
import type { Span } from "./Span.ts"
import { visibleText, type StyledText } from "./StyledText.ts"

/** Piece of text of one style, on one line, in one direction. */
export interface Piece {
  readonly span: Span
  readonly text: string
  /** The text in reading order. */
  readonly extractedText: string
  readonly width: number
  readonly level: number
  /** Index among the pieces of the line in reading order. */
  readonly order: number
}

export interface Line {
  /** Pieces in visual order, from left to right. White space at the end is included with width 0. */
  readonly pieces: ReadonlyArray<Piece>
  /** Width of all pieces without white space at the end, in points. */
  readonly width: number
}

export interface Measure {
  readonly width: number
  /** Indentation of continued lines, in points. If set, lines break by the rules for code. */
  readonly code?: number
}

export function* lines(
  styled: StyledText,
  { width: lineWidth, code }: Measure,
  directions: Directions | undefined,
  ink: TextRenderer
): Generator<Line> {
  let from = 0
  let to = 0
  let width = 0
  let inkWidth = 0
  let available = lineWidth
  const end = (): Line => {
    const line = { pieces: pieces(styled, from, to, directions, ink), width: inkWidth }
    available = lineWidth - (code ?? 0)
    from = to
    width = inkWidth = 0
    return line
  }
  const fits = (segment: Segment) => width + segment.inkWidth <= available + 0.01
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
      available = lineWidth
    }
  }
  if (to > from) yield end()
}

const blank = { text: " ", extractedText: " ", width: 0 }

/** Splits a line by style and direction, and right-to-left text also by word. */
const pieces = (
  styled: StyledText,
  from: number,
  to: number,
  directions: Directions | undefined,
  ink: TextRenderer
): ReadonlyArray<Piece> => {
  const { text } = styled
  const linePieces: Array<Piece> = []
  const inkEnd = styled.inkEnd(from, to)
  for (const { span, begin, end } of styled.between(from, inkEnd)) {
    const { style } = span
    if ("inset" in span) {
      const level = directions?.levels[begin] ?? 0
      linePieces.push({ span, text: "", extractedText: "", width: span.inset.width, level, order: linePieces.length })
      continue
    }
    for (let start = begin; start < end;) {
      const level = directions?.levels[start] ?? 0
      let stop = start + 1
      if (directions === undefined) stop = end
      else {
        const isSpace = text[start] === " "
        while (stop < end && directions.levels[stop] === level && (text[stop] === " ") === isSpace) stop++
      }
      const piece = visibleText(text.slice(start, stop))
      // A font reverses its own run of a right-to-left word. The runs are sorted here.
      const parts = (level & 1) === 1 ? ink.runsOf(piece, style).map((run) => run.text) : [piece]
      for (const text of parts) {
        const part = (level & 1) === 1 ? reversed(text) : text
        linePieces.push({
          span,
          text: part,
          extractedText: text,
          width: ink.widthOf(part, style),
          level,
          order: linePieces.length
        })
      }
      start = stop
    }
  }
  const lastPiece = linePieces.at(-1)
  // Adds the space at the end of the line as text without ink. Otherwise readers join the words before and after the
  // line end.
  if (lastPiece !== undefined && inkEnd < to) linePieces.push({ ...lastPiece, ...blank, order: linePieces.length })
  return directions === undefined ? linePieces : visualOrder(linePieces)
}
