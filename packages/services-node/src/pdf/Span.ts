/** Spans: pieces of text of one style each, and insets. */
import type PDFDocument from "pdfkit"
import type { Face } from "./Fonts.ts"
import { smallImage } from "./PageStyle.ts"

/** An image with its display size in pixels. */
export interface Image {
  readonly width: number
  readonly height: number
  /** The image as opened by `pdfkit`, which its types leave out. */
  readonly opened: never
}

/** Target of a link: an external URL, or the name of a destination in the PDF. */
export type Target = { readonly url: string } | { readonly destination: string }

export interface Style extends Face {
  readonly size: number
  readonly color: string
  readonly link?: Target
  readonly strike?: true
  readonly underline?: true
  /** Distance above the baseline as a multiple of the font size. Negative below the baseline. */
  readonly baselineShift?: number
  /** Background color. */
  readonly background?: string
}

/** An image or formula within a line of text. Sizes are in points. */
export interface Inset {
  readonly width: number
  readonly height: number
  /** Depth below the baseline. */
  readonly depth: number
  /** Structure type, for assistive technology. `alt` is its text. */
  readonly type: "Figure" | "Formula"
  readonly alt: string
  /** Draws the inset with its top left corner at this position. */
  readonly draw: (doc: InstanceType<typeof PDFDocument>, x: number, y: number) => void
}

export type Span = { readonly text: string; readonly style: Style } | { readonly inset: Inset; readonly style: Style }

/** Character that stands for an inset in the text. */
export const insetCharacter = "\ufffc"

export const textOf = (span: Span): string => ("text" in span ? span.text : insetCharacter)

/** Scales the inset of a span down to a width in points. Other spans are unchanged. */
export const fitted = (span: Span, widest: number): Span => {
  if (!("inset" in span) || span.inset.width <= widest) return span
  const { width, height, depth, draw } = span.inset
  const scale = widest / width
  const scaled: Inset = {
    ...span.inset,
    width: widest,
    height: height * scale,
    depth: depth * scale,
    draw: (doc, x, y) => {
      doc.save().translate(x, y).scale(scale)
      draw(doc, 0, 0)
      doc.restore()
    }
  }
  return { ...span, inset: scaled }
}

/** Size of a pixel in points, at 96 pixels per inch. */
export const pixel = 0.75

/**
 * Returns the span of an inline image. The image is scaled down to `widest` and `smallImage`, or scaled to the line
 * height if `isLineHigh`.
 */
export const pictureSpan = (image: Image, alt: string, style: Style, widest: number, isLineHigh = false): Span => {
  const maxImageHeight = isLineHigh ? style.size * 1.25 : smallImage
  const scale = Math.min(isLineHigh ? Infinity : pixel, maxImageHeight / image.height, widest / image.width)
  const size = { width: image.width * scale, height: image.height * scale }
  const draw: Inset["draw"] = (doc, x, y) => void doc.image(image.opened, x, y, size)
  return { inset: { ...size, depth: style.size * 0.25, type: "Figure", alt, draw }, style }
}
