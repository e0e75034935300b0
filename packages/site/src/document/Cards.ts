/** Renders a table as cards. A card has a cover and values, and its whole area is a link. */
import * as TableCells from "@lectern/document/table/TableCells"
import * as TableContent from "@lectern/document/table/TableContent"
import { each, type Html, html } from "../html/Html.ts"
import * as SafeUrls from "../html/SafeUrls.ts"
import { renderCell } from "./Cells.ts"
import { renderImage } from "./ImageElements.ts"
import type { BlockRenderer } from "./BlockRenderer.ts"

export const renderCards = (
  content: TableContent.Table,
  columns: ReadonlyArray<TableContent.Column>,
  view: TableContent.Properties,
  renderer: BlockRenderer
): Html => {
  const columnOf = (role: string) => content.columns.find(({ id }) => id === view[role])
  const coverColumn = columnOf("coverDefinition")
  const targetColumn = columnOf("targetDefinition")
  const darkColumn = columnOf("coverDefinitionDark")
  const textColumns = columns.filter(
    (column) => column !== coverColumn && column !== darkColumn && column !== targetColumn
  )

  const coverOf = (row: TableContent.Row): Html | undefined => {
    const ref = coverColumn && fileRefIn(TableContent.cellContent(content, row, coverColumn.id))
    if (ref === undefined) return undefined
    const refDark = darkColumn && fileRefIn(TableContent.cellContent(content, row, darkColumn.id))
    return renderImage(refDark === undefined ? { ref } : { ref, refDark }, renderer, { alt: "" })
  }
  const renderCard = (row: TableContent.Row): Html => {
    const ref = targetColumn && TableCells.labeledRef(TableContent.cellContent(content, row, targetColumn.id))?.ref
    const linkTarget = ref && renderer.targetOf(ref)
    const href = linkTarget?.url === undefined ? undefined : SafeUrls.linkUrl(linkTarget.url)
    const coverImage = coverOf(row)
    const values = each(textColumns, (column) => {
      const value = renderCell(content, row, column, renderer)
      return !value.isEmpty && html`<div>${value}</div>`
    })
    const link =
      href === undefined ? undefined : html`<a class="card-link" href="${href}" aria-label="${linkTarget!.title}"></a>`
    return html`<li class="card">${coverImage && html`<div class="card-cover">${coverImage}</div>`}<div class="card-text">${values}</div>${link}</li>`
  }
  const size = view["cardSize"] === "large" ? "cards large" : "cards"
  return html`<ul class="${size}">${each(content.rows, renderCard)}</ul>`
}

const fileRefIn = (value: unknown): unknown => {
  const firstItem: unknown = Array.isArray(value) ? value[0] : value
  return typeof firstItem === "string" ? { kind: "file", file: firstItem } : TableCells.labeledRef(firstItem)?.ref
}
