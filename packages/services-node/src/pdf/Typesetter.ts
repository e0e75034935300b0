/** Sets text: tells how much room it wants, and makes strips of its lines. */
import { type Directions, directionsOf } from "./Bidi.ts"
import { Ink } from "./Ink.ts"
import type { Element } from "./Element.ts"
import { drawLine, TextElements } from "./LineInk.ts"
import { type Line, lines, type Measure } from "./Lines.ts"
import { leading as usualLeading } from "./Look.ts"
import { segments } from "./Segments.ts"
import { fitted, type Span, type Style } from "./Span.ts"
import type { Strip } from "./Strip.ts"
import { StyledText } from "./StyledText.ts"

export interface Setting extends Measure {
  /** Of a line, in points, where nothing in it is higher. */
  readonly lineHeight: number
  readonly align?: "left" | "center" | "right"
  /** Of the structure, which the text is. */
  readonly element: Element | undefined
}

/** How far below the middle of a line its letters stand, in sizes of the text. */
const descent = 0.35

/** Between an inset and the lines above and below. */
const insetSpace = 2

export const lineHeightOf = ({ size }: Style): number => size * usualLeading

/** Distance of the baseline from the top of a line, for a line height and a size of letters. */
export const baselineOf = (lineHeight: number, size: number): number => lineHeight / 2 + size * descent

export class Typesetter extends Ink {
  /** How wide the longest word is, and how wide all of it on one line. */
  extent(spans: ReadonlyArray<Span>): { readonly least: number; readonly most: number } {
    let least = 0
    let most = 0
    let line = 0
    for (const { width, inkWidth, ends } of segments(new StyledText(spans, this), false)) {
      least = Math.max(least, inkWidth)
      line += width
      most = Math.max(most, line)
      if (ends) line = 0
    }
    return { least, most }
  }

  /** The lines of a text as strips; an empty one is one line. */
  *set(spans: ReadonlyArray<Span>, setting: Setting): Generator<Strip> {
    const fitting = spans.map((span) => fitted(span, setting.width))
    const styled = new StyledText(fitting, this)
    const directions = directionsOf(styled.text)
    const size = sizeOf(spans)
    const elements = new TextElements(setting.element)
    const strips: Array<Strip> = []
    for (const line of lines(styled, setting, directions, this)) {
      strips.push(this.#strip(line, setting, elements, directions, size, strips.length > 0))
    }
    if (strips.length === 0) yield { height: setting.lineHeight }
    for (const [i, strip] of strips.entries()) {
      // The first two lines stay together, and the last two.
      const keep = strips.length > 1 && (i === 0 || i === strips.length - 2)
      yield keep ? { ...strip, keep } : strip
    }
  }

  #strip(
    line: Line,
    setting: Setting,
    elements: TextElements,
    directions: Directions | undefined,
    size: number,
    isContinued: boolean
  ): Strip {
    const indent = isContinued ? (setting.code ?? 0) : 0
    let above = baselineOf(setting.lineHeight, size)
    let below = setting.lineHeight - above
    for (const { span } of line.pieces) {
      if (!("inset" in span)) continue
      above = Math.max(above, span.inset.height - span.inset.depth + insetSpace)
      below = Math.max(below, span.inset.depth + insetSpace)
    }
    const align = setting.align ?? (directions?.fromRight === true ? "right" : "left")
    const slack = setting.width - indent - line.width
    const start = indent + (align === "left" ? 0 : Math.max(0, align === "right" ? slack : slack / 2))
    const height = above + below
    return { height, draw: (x, y) => drawLine(this, elements, line, x + start, y, height, y + above) }
  }
}

/** Of most of the text: what is raised is smaller, and code among it too. */
const sizeOf = (spans: ReadonlyArray<Span>): number => {
  let size = 0
  for (const { style } of spans) size = Math.max(size, style.size)
  return size
}
