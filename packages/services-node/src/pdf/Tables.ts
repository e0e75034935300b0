/**
 * Tables and cards. A row that is high is cut between lines, and the header comes again on each page.
 * A table with more columns than there is room for becomes several, each with the first column.
 */
import type { Block, Node } from "@lectern/core/content/Document"
import * as TableContent from "@lectern/core/content/document/TableContent"
import { type Frame, paragraph } from "./Frame.ts"
import { imageNote, inlines, isRef, linked } from "./Inlines.ts"
import { colours, narrowest, rowPart, smallSize } from "./Look.ts"
import { body, nameOf, type Sheet, targetOf } from "./Sheet.ts"
import { pictureSpan, type Span, type Style } from "./Span.ts"
import { gap, heightOf, sideBySide, type Strip } from "./Strip.ts"

/** Of boxes that are ticked or not, and of ratings. */
export const cellSigns = "✓–★"

const edge = 5
const alignments = ["left", "center", "right"] as const
const leastColumn = 44
/** So many rows tell how wide the columns are. */
const sampled = 100

const cellStyle: Style = { ...body, size: 9 }

type Columns = ReadonlyArray<TableContent.Column>

export function* table(node: Block, frame: Frame): Generator<Strip> {
  const content = TableContent.read(node)
  if (content === undefined || content.columns.length === 0) return
  const view = node.data?.view as { readonly type?: unknown; readonly hideHeader?: unknown } | undefined
  if (view?.type === "cards") return yield* cards(content, frame)
  const [first, ...rest] = content.columns
  const most = Math.max(1, Math.floor(frame.width / leastColumn) - 1)
  for (let at = 0; at === 0 || at < rest.length; at += most) {
    if (at > 0) yield gap(10)
    yield* grid(content, [first!, ...rest.slice(at, at + most)], view?.hideHeader === true, frame)
  }
}

function* grid(content: TableContent.Table, columns: Columns, hideHeader: boolean, frame: Frame): Generator<Strip> {
  const { sheet, width } = frame
  const widths = widthsOf(content, columns, width, sheet)
  const lefts = widths.map((_, i) => widths.slice(0, i).reduce((sum, one) => sum + one, 0))
  const row = (cells: ReadonlyArray<ReadonlyArray<Strip>>, ground?: string) =>
    sideBySide(
      cells.map((strips, i) => ({ x: lefts[i]! + edge, strips })),
      rowPart,
      (x, y, height, { last }) => {
        if (ground !== undefined) sheet.doc.rect(x, y, width, height).fill(ground)
        if (!last) return
        sheet.doc
          .moveTo(x, y + height)
          .lineTo(x + width, y + height)
          .lineWidth(0.6)
          .stroke(colours.faint)
      }
    )
  const cell = (content: Cell, i: number, style: Style) => {
    const align = alignments.find((one) => one === columns[i]!.definition["textAlignment"])
    const inner = { ...frame, width: widths[i]! - 2 * edge, style, tight: true }
    const strips = cellStrips(content, align === undefined ? inner : { ...inner, align })
    return [{ height: 3.5 }, ...strips, { height: 3.5 }]
  }

  let head: Strip | undefined
  if (!hideHeader) {
    const style = { ...cellStyle, bold: true }
    const parts = [
      ...row(
        columns.map((column, i) => cell(titleOf(content, column, style, sheet), i, style)),
        colours.panel
      )
    ]
    for (const part of parts) yield { ...part, keep: true }
    // A header that is higher than that is not said again.
    if (parts.length === 1 && heightOf(parts) <= 120) head = parts[0]
  }
  for (const record of content.rows) {
    const cells = columns.map(({ id, definition }, i) =>
      cell(cellOf(TableContent.cell(content, record, id), definition, cellStyle, sheet), i, cellStyle)
    )
    for (const part of row(cells)) yield head === undefined ? part : { ...part, head }
  }
}

/** A cell is a text, or blocks. */
type Cell = { readonly spans: ReadonlyArray<Span> } | { readonly nodes: ReadonlyArray<Node> }

const cellStrips = (cell: Cell, frame: Frame): ReadonlyArray<Strip> => [
  ...("nodes" in cell ? frame.blocks(cell.nodes, frame) : paragraph(cell.spans, frame))
]

const titleOf = (content: TableContent.Table, column: TableContent.Column, style: Style, sheet: Sheet): Cell => {
  const { title, titleFragment } = TableContent.describeColumn(content, column)
  const nodes = nodesOf(titleFragment)
  const spans = nodes?.flatMap((node) => (node.object === "block" ? inlines(node.nodes ?? [], style, sheet) : []))
  return { spans: spans ?? [{ text: typeof title === "string" ? title : "", style }] }
}

const nodesOf = (value: unknown): ReadonlyArray<Node> | undefined =>
  typeof value === "object" && value !== null && "nodes" in value && Array.isArray(value.nodes)
    ? (value.nodes as ReadonlyArray<Node>)
    : undefined

const cellOf = (value: unknown, definition: TableContent.Properties, style: Style, sheet: Sheet): Cell => {
  const nodes = nodesOf(value)
  return nodes === undefined ? { spans: valueSpans(value, definition, style, sheet) } : { nodes }
}

const valueSpans = (
  value: unknown,
  definition: TableContent.Properties,
  style: Style,
  sheet: Sheet
): ReadonlyArray<Span> => {
  if (value === undefined || value === null || value === "") return []
  if (typeof value === "boolean") return [{ text: value ? "✓" : "–", style }]
  if (typeof value === "number" && definition["type"] === "rating")
    return [{ text: "★".repeat(Math.min(value, 20)), style }]
  if (isRef(value)) return [refSpan(value, style, sheet)]
  if (Array.isArray(value)) {
    return value.flatMap((item, i) => [
      ...(i > 0 ? [{ text: ", ", style }] : []),
      ...valueSpans(item, definition, style, sheet)
    ])
  }
  if (typeof value === "object") return "ref" in value && isRef(value.ref) ? [refSpan(value.ref, style, sheet)] : []
  const name = String(value)
  if (definition["type"] === "files") {
    return [refSpan({ kind: "file", file: name }, style, sheet)]
  }
  return [{ text: optionLabel(definition, name), style }]
}

/** What an option of a column is called, where the value names one. */
const optionLabel = ({ options }: TableContent.Properties, value: string): string => {
  if (!Array.isArray(options)) return value
  const option = options.find((one: { readonly value?: unknown } | null) => one?.value === value) as
    | { readonly label?: unknown }
    | undefined
  return typeof option?.label === "string" ? option.label : value
}

const refSpan = (ref: Parameters<typeof targetOf>[0], style: Style, sheet: Sheet): Span => {
  const file = ref.kind === "file" ? sheet.files.get(ref.file) : undefined
  if (file?.image !== undefined) return pictureSpan(file.image, style, narrowest)
  const text = file?.problem === undefined ? nameOf(ref, sheet) : imageNote("", file.name, file.problem)
  return { text, style: linked(style, targetOf(ref, sheet)) }
}

/** As wide as their content wants to be, or as there is room for; none less than its longest word if that can be. */
const widthsOf = (
  content: TableContent.Table,
  columns: Columns,
  width: number,
  sheet: Sheet
): ReadonlyArray<number> => {
  const wants = columns.map((column) => {
    const cells = [
      titleOf(content, column, { ...cellStyle, bold: true }, sheet),
      ...content.rows
        .slice(0, sampled)
        .map((row) => cellOf(TableContent.cell(content, row, column.id), column.definition, cellStyle, sheet))
    ]
    let least = leastColumn
    let most = leastColumn
    for (const cell of cells) {
      const extent = extentOf(cell, sheet)
      least = Math.max(least, Math.min(extent.least + 2 * edge + 1, width / 3))
      most = Math.max(most, extent.most + 2 * edge + 1)
    }
    return { least, most: Math.max(least, Math.min(most, width)) }
  })
  const least = wants.reduce((sum, want) => sum + want.least, 0)
  const spare = wants.reduce((sum, want) => sum + want.most - want.least, 0)
  if (least >= width) return wants.map((want) => (want.least / least) * width)
  const share = spare === 0 ? 0 : (width - least) / spare
  // Where all fit with room to spare, each gets a share of it.
  return spare === 0
    ? wants.map((want) => want.least + (width - least) / wants.length)
    : wants.map((want) => want.least + (want.most - want.least) * share)
}

const extentOf = (cell: Cell, sheet: Sheet) => {
  if ("spans" in cell) return sheet.typesetter.extent(cell.spans)
  let least = 0
  let most = 0
  for (const node of cell.nodes) {
    if (node.object !== "block") continue
    const extent = sheet.typesetter.extent(inlines(node.nodes ?? [], cellStyle, sheet))
    least = Math.max(least, extent.least)
    most = Math.max(most, extent.most)
  }
  return { least, most }
}

/** Two in a row, each with its values below one another. */
function* cards(content: TableContent.Table, frame: Frame): Generator<Strip> {
  const { sheet, width } = frame
  const space = 12
  const perRow = width >= 2 * narrowest + space ? 2 : 1
  const cardWidth = (width - space * (perRow - 1)) / perRow
  const card = (row: TableContent.Row): ReadonlyArray<Strip> => {
    const strips: Array<Strip> = [{ height: 6 }]
    for (const { id, definition } of content.columns) {
      if (definition["hidden"] === true) continue
      const value = TableContent.cell(content, row, id)
      const style = strips.length === 1 ? { ...cellStyle, bold: true } : { ...cellStyle, size: smallSize }
      const cell = cellOf(value, definition, style, sheet)
      if ("spans" in cell && cell.spans.length === 0) continue
      strips.push(...cellStrips(cell, { ...frame, width: cardWidth - 16, style }))
    }
    return [...strips, { height: 6 }]
  }
  for (let at = 0; at < content.rows.length; at += perRow) {
    if (at > 0) yield gap(space)
    const rows = content.rows.slice(at, at + perRow)
    const columns = rows.map((row, i) => ({ x: i * (cardWidth + space) + 8, strips: card(row) }))
    yield* sideBySide(columns, rowPart, (x, y, height, { first, last }) => {
      for (const i of rows.keys()) {
        const left = x + i * (cardWidth + space)
        sheet.doc.lineWidth(0.7)
        if (first && last) sheet.doc.roundedRect(left, y, cardWidth, height, 4).stroke(colours.faint)
        else sheet.doc.rect(left, y, cardWidth, height).stroke(colours.faint)
      }
    })
  }
}
