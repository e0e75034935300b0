/** Content of the cells of tables and cards: blocks, or a value as text. */
import type { Node } from "@lectern/document/Document"
import * as TableContent from "@lectern/document/table/TableContent"
import { leadingText, isFromRight } from "./Bidi.ts"
import { type Frame, paragraph } from "./Frame.ts"
import { isRef } from "@lectern/document/DocumentRefs"
import { imageNote, inlines, linked } from "./Inlines.ts"
import { narrowest } from "./PageStyle.ts"
import { body, nameOf, type Sheet, targetOf } from "./Sheet.ts"
import { pictureSpan, type Span, type Style, textOf } from "./Span.ts"
import type { Strip } from "./Strip.ts"

/** Characters that stand for checked and unchecked boxes, and for ratings. */
export const cellSymbols = "✓–★"

const maxStars = 20

export const cellStyle: Style = { ...body, size: 9 }

/** Content of a cell: text or blocks. */
export type Cell = { readonly spans: ReadonlyArray<Span> } | { readonly nodes: ReadonlyArray<Node> }

export const cellStrips = (cell: Cell, frame: Frame): ReadonlyArray<Strip> => [
  ...("nodes" in cell ? frame.blocks(cell.nodes, frame) : paragraph(cell.spans, frame))
]

/** True if the first cell with text is read from right to left. */
export const startFromRight = (cells: ReadonlyArray<Cell>): boolean =>
  isFromRight(
    cells.map((cell) => ("nodes" in cell ? leadingText(cell.nodes) : cell.spans.map(textOf).join(""))).join(" ")
  )

export const titleOf = (table: TableContent.Table, column: TableContent.Column, style: Style, sheet: Sheet): Cell => {
  const { title, titleFragment } = TableContent.describeColumn(table, column)
  const nodes = nodesOf(titleFragment)
  const spans = nodes?.flatMap((node) => (node.object === "block" ? inlines(node.nodes ?? [], style, sheet) : []))
  return { spans: spans ?? [{ text: typeof title === "string" ? title : "", style }] }
}

export const cellOf = (
  table: TableContent.Table,
  row: TableContent.Row,
  { id, definition }: TableContent.Column,
  style: Style,
  sheet: Sheet
): Cell => {
  const value = TableContent.cellContent(table, row, id)
  const nodes = nodesOf(value)
  return nodes === undefined ? { spans: valueSpans(value, definition, style, sheet) } : { nodes }
}

const nodesOf = (value: unknown): ReadonlyArray<Node> | undefined =>
  typeof value === "object" && value !== null && "nodes" in value && Array.isArray(value.nodes)
    ? (value.nodes as ReadonlyArray<Node>)
    : undefined

const valueSpans = (
  value: unknown,
  definition: TableContent.Properties,
  style: Style,
  sheet: Sheet
): ReadonlyArray<Span> => {
  if (value === undefined || value === null || value === "") return []
  if (typeof value === "boolean") return [{ text: value ? "✓" : "–", style }]
  if (typeof value === "number" && definition["type"] === "rating") {
    return [{ text: "★".repeat(Math.max(0, Math.min(value, maxStars))), style }]
  }
  if (isRef(value)) return [refSpan(value, style, sheet)]
  if (Array.isArray(value)) {
    return value.flatMap((item, i) => [
      ...(i > 0 ? [{ text: ", ", style }] : []),
      ...valueSpans(item, definition, style, sheet)
    ])
  }
  if (typeof value === "object") return "ref" in value && isRef(value.ref) ? [refSpan(value.ref, style, sheet)] : []
  const name = String(value)
  return isFileType(definition["type"])
    ? [refSpan({ kind: "file", file: name }, style, sheet)]
    : [{ text: TableContent.optionLabel(definition, name), style }]
}

/** True if a column of this type holds file ids. */
export const isFileType = (type: unknown): boolean => type === "files" || type === "image"

const refSpan = (ref: Parameters<typeof targetOf>[0], style: Style, sheet: Sheet): Span => {
  const file = ref.kind === "file" ? sheet.files.get(ref.file) : undefined
  if (file?.image !== undefined) return pictureSpan(file.image, file.name, style, narrowest)
  const text = file?.problem === undefined ? nameOf(ref, sheet) : imageNote("", file.name, sheet, file.problem)
  return { text, style: linked(style, targetOf(ref, sheet)) }
}
