/** The frame that a block is set in, and the pieces that all kinds of blocks are made of. */
import type { Node } from "@lectern/document/Document"
import type { Element, ElementType } from "./Element.ts"
import { inset, narrowest } from "./Look.ts"
import type { Sheet } from "./Sheet.ts"
import type { Span, Style } from "./Span.ts"
import type { Strips } from "./Strip.ts"
import { lineHeightOf } from "./Typesetter.ts"

export interface Frame {
  readonly sheet: Sheet
  readonly width: number
  readonly style: Style
  /** The element of the structure that the blocks are in. */
  readonly element: Element
  readonly align?: "left" | "center" | "right"
  /** In a list whose items stand close together. */
  readonly tight?: boolean
  /** Sets the blocks in a block. */
  readonly blocks: (nodes: ReadonlyArray<Node>, frame: Frame) => Strips
}

/** The same, further in, unless that is too narrow already. */
export const narrower = (frame: Frame, by = inset): { readonly frame: Frame; readonly by: number } =>
  frame.width - by < narrowest ? { frame, by: 0 } : { frame: { ...frame, width: frame.width - by }, by }

/** The same, with its blocks in an element of their own. */
export const inElement = (frame: Frame, type: ElementType): Frame => ({ ...frame, element: frame.element.add(type) })

export const paragraph = (spans: ReadonlyArray<Span>, { sheet, width, style, align, element }: Frame): Strips =>
  sheet.typesetter.set(spans, {
    width,
    lineHeight: lineHeightOf(style),
    ...(align && { align }),
    element: element.add("P")
  })
