/** Lays out text: measures its width, and converts its lines to strips (see `Strip`). */
import { type Directions, directionsOf } from "./Bidi.ts"
import { TextRenderer } from "./TextRenderer.ts"
import type { Element } from "./Element.ts"
import { drawLine, TextElements } from "./LineRenderer.ts"
import { type Line, lines, type Measure } from "./Lines.ts"
import { leading as usualLeading } from "./PageStyle.ts"
import { segments } from "./Segments.ts"
import { fitted, type Span, type Style } from "./Span.ts"
import type { Strip } from "./Strip.ts"
import { StyledText } from "./StyledText.ts"

export interface Setting extends Measure {
  /** Minimum line height, in points. Higher insets increase it. */
  readonly lineHeight: number
  readonly align?: "left" | "center" | "right"
  /** Structure element of the text. Undefined for artifacts. */
  readonly element: Element | undefined
}

/** Distance of the baseline below the middle of a line, as a multiple of the font size. */
const descent = 0.35

/** Space between an inset and adjacent lines, in points. */
const insetSpace = 2

export const lineHeightOf = ({ size }: Style): number => size * usualLeading

/** Returns the distance of the baseline from the top of a line, for a line height and a font size. */
export const baselineOf = (lineHeight: number, size: number): number => lineHeight / 2 + size * descent

export class Typesetter extends TextRenderer {
  /** Returns the width of the longest word, and of the longest line without wrapping, in points. */
  extent(spans: ReadonlyArray<Span>): { readonly min: number; readonly max: number } {
    let min = 0
    let max = 0
    let line = 0
    for (const { width, inkWidth, ends } of segments(new StyledText(spans, this), false)) {
      min = Math.max(min, inkWidth)
      line += width
      max = Math.max(max, line)
      if (ends) line = 0
    }
    return { min: min, max: max }
  }

  /** Yields the lines of a text as strips. An empty text has one empty line. */
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
      // The first two lines stay together, and so do the last two.
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
    let ascent = baselineOf(setting.lineHeight, size)
    let depth = setting.lineHeight - ascent
    for (const { span } of line.pieces) {
      if (!("inset" in span)) continue
      ascent = Math.max(ascent, span.inset.height - span.inset.depth + insetSpace)
      depth = Math.max(depth, span.inset.depth + insetSpace)
    }
    const align = setting.align ?? (directions?.fromRight === true ? "right" : "left")
    const slack = setting.width - indent - line.width
    const start = indent + (align === "left" ? 0 : Math.max(0, align === "right" ? slack : slack / 2))
    const height = ascent + depth
    return { height, draw: (x, y) => drawLine(this, elements, line, x + start, y, height, y + ascent) }
  }
}

/** Returns the largest font size of the spans, which is that of most text. Superscripts and code are smaller. */
const sizeOf = (spans: ReadonlyArray<Span>): number => {
  let size = 0
  for (const { style } of spans) size = Math.max(size, style.size)
  return size
}
