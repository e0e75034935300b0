/**
 * Splits a text into segments between which a line may end. Prose follows the Unicode line breaking algorithm; code
 * breaks after white space and punctuation. A segment that is wider than the line may break between any two characters.
 */
import LineBreaker from "linebreak"
import type { StyledText } from "./StyledText.ts"

export interface Segment {
  readonly from: number
  readonly to: number
  readonly width: number
  /** Width without the white space at the end, in points. */
  readonly inkWidth: number
  /** True if a line must end after this segment. */
  readonly ends: boolean
}

/** Length from which words are split before they are measured, in code units. Shaping takes more than linear time. */
const maxWordLength = 120

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" })

const lineEnd = /[\n\v\f\r\u0085\u2028\u2029]/

export function* segments(styled: StyledText, isCode: boolean): Generator<Segment> {
  for (const { from, to, required } of isCode ? codeParts(styled.text) : proseParts(styled.text)) {
    // The break at the end of a text is not a required one.
    const ends = required && lineEnd.test(styled.text[to - 1] ?? "")
    if (to - from > maxWordLength) yield* characters(styled, from, to, ends)
    else {
      const width = styled.widthBetween(from, to)
      const inkEnd = styled.inkEnd(from, to)
      yield { from, to, width, inkWidth: inkEnd === to ? width : styled.widthBetween(from, inkEnd), ends }
    }
  }
}

/** Yields each character as a segment. */
export function* characters(styled: StyledText, from: number, to: number, ends = false): Generator<Segment> {
  for (const { segment, index } of graphemes.segment(styled.text.slice(from, to))) {
    const begin = from + index
    const end = begin + segment.length
    const width = styled.widthBetween(begin, end)
    yield { from: begin, to: end, width, inkWidth: segment.trim() === "" ? 0 : width, ends: ends && end === to }
  }
}

interface Part {
  readonly from: number
  readonly to: number
  readonly required: boolean
}

function* proseParts(text: string): Generator<Part> {
  const breaker = new LineBreaker(text)
  let from = 0
  for (let next = breaker.nextBreak(); next !== null; next = breaker.nextBreak()) {
    yield { from, to: next.position, required: next.required === true }
    from = next.position
  }
  if (from < text.length) yield { from, to: text.length, required: false }
}

function* codeParts(text: string): Generator<Part> {
  let from = 0
  for (const { index, 0: separator } of text.matchAll(/\s+|[,;:/\\(){}[\]|&=?.-]+/g)) {
    yield { from, to: index + separator.length, required: false }
    from = index + separator.length
  }
  if (from < text.length) yield { from, to: text.length, required: false }
}
