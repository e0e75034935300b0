/** Lays out cards: boxes side by side, each with its cover and its values from top to bottom. */
import * as TableCells from "@lectern/document/table/TableCells"
import * as TableContent from "@lectern/document/table/TableContent"
import { cellOf, cellStrips, cellStyle } from "./Cells.ts"
import { combineColumns } from "./Columns.ts"
import type { Frame } from "./Frame.ts"
import { linked } from "./Inlines.ts"
import { colors, narrowest, smallSize } from "./PageStyle.ts"
import { nameOf, targetOf } from "./Sheet.ts"
import type { Image } from "./Span.ts"
import { gap, type Strip } from "./Strip.ts"

const cardGap = 12
const edge = 8
const coverHeight = 96

export function* cards(
  content: TableContent.Table,
  columns: ReadonlyArray<TableContent.Column>,
  view: TableContent.Properties,
  frame: Frame
): Generator<Strip> {
  const { sheet, width } = frame
  const maxPerRow = view["cardSize"] === "large" ? 2 : 3
  const perRow = Math.max(1, Math.min(maxPerRow, Math.floor((width + cardGap) / (1.3 * narrowest + cardGap))))
  const cardWidth = (width - cardGap * (perRow - 1)) / perRow
  const columnOf = (role: string) => content.columns.find(({ id }) => id === view[role])
  const cover = columnOf("coverDefinition")
  const target = columnOf("targetDefinition")

  // A cover that cannot be displayed is listed with the values.
  const shownColumns = cover === undefined || columns.includes(cover) ? columns : [...columns, cover]

  const coverOf = (row: TableContent.Row): Image | undefined => {
    if (cover === undefined) return undefined
    const value = TableContent.cellContent(content, row, cover.id)
    const first: unknown = Array.isArray(value) ? value[0] : value
    const ref = TableCells.labeledRef(first)?.ref
    const file = ref?.kind === "file" ? ref.file : typeof first === "string" ? first : undefined
    return file === undefined ? undefined : sheet.files.get(file)?.image
  }
  const list = frame.element.add("L")
  const card = (row: TableContent.Row): ReadonlyArray<Strip> => {
    const element = list.add("LI").add("LBody")
    const image = coverOf(row)
    const strips: Array<Strip> = image === undefined ? [] : [coverStrip(image)]
    strips.push({ height: edge - 2 })
    let isFirst = true
    for (const column of shownColumns) {
      if (column === target || (column === cover && image !== undefined)) continue
      const style = isFirst ? { ...cellStyle, bold: true } : { ...cellStyle, size: smallSize }
      const cell = cellOf(content, row, column, style, sheet)
      if ("spans" in cell && cell.spans.length === 0) continue
      isFirst = false
      strips.push(...cellStrips(cell, { ...frame, width: cardWidth - 2 * edge, style, element, tight: true }))
    }
    const linkRef = target && TableCells.labeledRef(TableContent.cellContent(content, row, target.id))?.ref
    if (linkRef !== undefined) {
      const style = linked({ ...cellStyle, size: smallSize }, targetOf(linkRef, sheet))
      const spans = [{ text: nameOf(linkRef, sheet), style }]
      strips.push(...cellStrips({ spans }, { ...frame, width: cardWidth - 2 * edge, style, element }))
    }
    return [...strips, { height: edge - 2 }]
  }
  /** Returns a strip with the cover image, cropped to the width of the card and to `coverHeight`. */
  const coverStrip = (image: Image): Strip => {
    const scale = Math.max(cardWidth / image.width, coverHeight / image.height)
    const size = { width: image.width * scale, height: image.height * scale }
    return {
      height: coverHeight,
      draw: (x, y) => {
        const cardX = x - edge
        sheet.doc.save().rect(cardX, y, cardWidth, coverHeight).clip()
        const imageX = cardX + (cardWidth - size.width) / 2
        sheet.doc.image(image.opened, imageX, y + (coverHeight - size.height) / 2, size).restore()
      }
    }
  }

  const { rows } = content
  for (let rowStart = 0; rowStart < rows.length; rowStart += perRow) {
    if (rowStart > 0) yield gap(cardGap)
    const row = rows.slice(rowStart, rowStart + perRow)
    yield combineColumns(
      row.map((cardRow, i) => ({ x: i * (cardWidth + cardGap) + edge, strips: card(cardRow) })),
      (x, y, height) => {
        for (const i of row.keys()) {
          sheet.doc
            .lineWidth(0.7)
            .rect(x + i * (cardWidth + cardGap), y, cardWidth, height)
            .stroke(colors.faint)
        }
      }
    )
  }
}
