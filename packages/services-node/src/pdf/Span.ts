/** Text as it is set: pieces of one look each, and insets among them. */
import type PDFDocument from "pdfkit"
import type { Face } from "./Fonts.ts"
import { smallImage } from "./Look.ts"

/** A picture, and how large it is shown, in pixels. */
export interface Image {
  readonly width: number
  readonly height: number
  /** As `pdfkit` has opened it, which its types do not know of. */
  readonly opened: never
}

/** The target of a link: a URL outside, or a destination in the PDF by its name. */
export type Target = { readonly url: string } | { readonly destination: string }

export interface Style extends Face {
  readonly size: number
  readonly colour: string
  readonly link?: Target
  readonly strike?: true
  readonly underline?: true
  /** How far above the line it stands, in sizes of the text; below where it is negative. */
  readonly rise?: number
  /** The colour behind it. */
  readonly behind?: string
}

/** An inset: a picture or formula that stands in a line and is no text. Sizes are in points. */
export interface Inset {
  readonly width: number
  readonly height: number
  /** How far of it is below the line that letters stand on. */
  readonly depth: number
  /** Read to whoever doesn't see it, with `alt` as its text. */
  readonly type: "Figure" | "Formula"
  readonly alt: string
  /** Draws it with its top left corner there. */
  readonly draw: (doc: InstanceType<typeof PDFDocument>, x: number, y: number) => void
}

export type Span = { readonly text: string; readonly style: Style } | { readonly inset: Inset; readonly style: Style }

/** The character that stands for an inset in the text around it. */
export const insetCharacter = "\ufffc"

export const textOf = (span: Span): string => ("text" in span ? span.text : insetCharacter)

/** The span with an inset that is no wider than that. */
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

/** Of a pixel, in points: at 96 to the inch. */
export const pixel = 0.75

/** A picture among text: no larger than it is, nor than the text around it bears, or as high as its line. */
export const pictureSpan = (image: Image, alt: string, style: Style, widest: number, isLineHigh = false): Span => {
  const highest = isLineHigh ? style.size * 1.25 : smallImage
  const scale = Math.min(isLineHigh ? Infinity : pixel, highest / image.height, widest / image.width)
  const size = { width: image.width * scale, height: image.height * scale }
  const draw: Inset["draw"] = (doc, x, y) => void doc.image(image.opened, x, y, size)
  return { inset: { ...size, depth: style.size * 0.25, type: "Figure", alt, draw }, style }
}
