/**
 * Widths of pictures and of columns of tables, in the fields that documents have: `width` of an image, and
 * `columnWidths` in the view of a table. A new width is a whole number of pixels, or of percent if the picture already
 * has a percentage. Other widths of a document are displayed and kept.
 */
import { objectOrEmpty, type Properties } from "@lectern/document/table/TableContent"
import { closeHistory } from "prosemirror-history"
import type { Node } from "prosemirror-model"
import { type Command, type EditorState, NodeSelection } from "prosemirror-state"
import { equals } from "../Equality.ts"
import { viewOf, withWidths } from "../table/TableCommands.ts"

export interface Size {
  readonly value: number
  readonly unit: "px" | "%"
}

export interface Limits {
  readonly min: number
  readonly max: number
}

/** Limits of new widths of pictures. */
export const pictureLimits: { readonly [_ in Size["unit"]]: Limits } = {
  px: { min: 32, max: 2_000 },
  "%": { min: 5, max: 100 }
}

/** Limits of new widths of columns (pixels). */
export const columnLimits: Limits = { min: 48, max: 1_000 }

/** Sizes above are not displayed, as on sites. */
const maxDisplayed = 10_000

/** Returns a size of a picture. Undefined for units that sites don't display. */
export const pictureSize = (length: unknown): Size | undefined => {
  const { unit, value } = typeof length === "number" ? { unit: "px", value: length } : objectOrEmpty(length)
  if (typeof value !== "number" || !(value > 0 && value < maxDisplayed)) return undefined
  return unit === "px" || (unit === "%" && value <= 100) ? { value, unit } : undefined
}

/** Returns the width of a column in pixels. */
export const columnWidth = (table: Node, column: string): number | undefined => {
  const width = objectOrEmpty(viewOf(table)["columnWidths"])[column]
  return typeof width === "number" && width > 0 && width < maxDisplayed ? width : undefined
}

/** True if a table has columns with widths, which cards don't have. */
export const isGrid = (table: Node): boolean => viewOf(table)["type"] !== "cards"

/**
 * Sets the width of a picture; undefined for the automatic one. The height of the document is dropped, since the picture
 * keeps its proportions.
 */
export const setPictureWidth =
  (position: number, value: number | undefined): Command =>
  (state, dispatch) => {
    const node = state.doc.nodeAt(position)
    if (node?.type.name !== "image") return false
    const data: Properties = node.attrs["data"] ?? {}
    const { height: _, width, ...others } = data
    const hasUnit = typeof width === "object" && pictureSize(width) !== undefined
    const next = value === undefined ? others : { ...others, width: hasUnit ? { ...width, value } : value }
    if (equals(next, data)) return false
    dispatch?.(closeHistory(state.tr.setNodeAttribute(position, "data", next)))
    return true
  }

/** Sets the width of a column in pixels; undefined for the automatic one. */
export const setColumnWidth =
  (position: number, column: string, value: number | undefined): Command =>
  (state, dispatch) => {
    const table = state.doc.nodeAt(position)
    if (table?.type.name !== "table" || !isGrid(table)) return false
    const before = viewOf(table)
    const others = withWidths(before, (id) => id !== column)
    const view =
      value === undefined
        ? others
        : { ...others, columnWidths: { ...objectOrEmpty(before["columnWidths"]), [column]: value } }
    if (equals(view, before)) return false
    dispatch?.(closeHistory(state.tr.setNodeAttribute(position, "data", { ...table.attrs["data"], view })))
    return true
  }

/** Returns the position of the picture that is selected, or whose caption has the cursor. */
export const pictureAtSelection = ({ selection }: EditorState): number | undefined => {
  const { $from, from } = selection
  if (selection instanceof NodeSelection) {
    const { node } = selection
    if (node.type.name === "image") return from
    if (node.type.name === "images") return node.childCount === 1 ? from + 1 : undefined
  }
  for (let depth = $from.depth; depth > 0; depth--) {
    if ($from.node(depth).type.name === "image") return $from.before(depth)
  }
  return undefined
}

/** Returns the position of the table that is selected, or that has the cursor. */
export const tableAtSelection = ({ selection }: EditorState): number | undefined => {
  const { $from, from } = selection
  if (selection instanceof NodeSelection && selection.node.type.name === "table") return from
  for (let depth = $from.depth; depth > 0; depth--) {
    if ($from.node(depth).type.name === "table") return $from.before(depth)
  }
  return undefined
}
