/** Text as it is set: pieces of one look each, and pictures among them. */
import type { Face } from "./Fonts.ts"
import { smallImage } from "./Look.ts"

/** A picture as `pdfkit` has opened it, in pixels. */
export interface Image {
  readonly width: number
  readonly height: number
}

/** Where a link leads: out, or to a place in the PDF by its name. */
export type Target = { readonly url: string } | { readonly place: string }

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

export type Span =
  | { readonly text: string; readonly style: Style }
  | { readonly image: Image; readonly width: number; readonly height: number; readonly style: Style }

/** What a picture among text is in its text. */
export const pictureCharacter = "\ufffc"

export const textOf = (span: Span): string => ("text" in span ? span.text : pictureCharacter)

/** A picture no larger than the text around it bears. */
export const pictureSpan = (image: Image, style: Style, widest: number): Span => {
  const scale = Math.min(0.75, smallImage / image.height, widest / image.width)
  return { image, width: image.width * scale, height: image.height * scale, style }
}
