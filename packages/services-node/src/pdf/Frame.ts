/**
 * The frame of a block: the area of the page in which the block is laid out. Also contains layout parts that all block
 * types share.
 */
import type { Node } from "@lectern/document/Document"
import type { Element, ElementType } from "./Element.ts"
import { inset, narrowest } from "./PageStyle.ts"
import type { Sheet } from "./Sheet.ts"
import type { Span, Style } from "./Span.ts"
import type { Strips } from "./Strip.ts"
import { lineHeightOf } from "./Typesetter.ts"

export interface Frame {
  readonly sheet: Sheet
  readonly width: number
  readonly style: Style
  /** Structure element that contains the blocks. */
  readonly element: Element
  readonly align?: "left" | "center" | "right"
  /** True in a list whose items stand close together. */
  readonly tight?: boolean
  /** Lays out child blocks. */
  readonly blocks: (nodes: ReadonlyArray<Node>, frame: Frame) => Strips
}

/**
 * Returns a frame that is narrower by `indent` points, or the same frame if the result would be too narrow. The result's
 * `by` is the difference.
 */
export const narrowerFrame = (frame: Frame, indent = inset): { readonly frame: Frame; readonly by: number } =>
  frame.width - indent < narrowest ? { frame, by: 0 } : { frame: { ...frame, width: frame.width - indent }, by: indent }

/** Returns the frame with a new structure element for its blocks. */
export const inElement = (frame: Frame, type: ElementType): Frame => ({ ...frame, element: frame.element.add(type) })

export const paragraph = (spans: ReadonlyArray<Span>, { sheet, width, style, align, element }: Frame): Strips =>
  sheet.typesetter.set(spans, {
    width,
    lineHeight: lineHeightOf(style),
    ...(align && { align }),
    element: element.add("P")
  })
