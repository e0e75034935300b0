/** Renders a table as cards. A card has a cover and values, and its whole area is a link. */
import * as TableCells from "@lectern/document/table/TableCells"
import * as TableContent from "@lectern/document/table/TableContent"
import { each, type Html, html } from "../html/Html.ts"
import * as SafeUrls from "../html/SafeUrls.ts"
import { cellOf } from "./Cells.ts"
import { pictureOf } from "./ImageElements.ts"
import type { Rendering } from "./BlockRenderer.ts"

export const cards = (
  content: TableContent.Table,
  columns: ReadonlyArray<TableContent.Column>,
  view: TableContent.Properties,
  rendering: Rendering
): Html => {
  const columnOf = (role: string) => content.columns.find(({ id }) => id === view[role])
  const cover = columnOf("coverDefinition")
  const target = columnOf("targetDefinition")
  const dark = columnOf("coverDefinitionDark")
  const told = columns.filter((column) => column !== cover && column !== dark && column !== target)

  const coverOf = (row: TableContent.Row): Html | undefined => {
    const ref = cover && fileIn(TableContent.cell(content, row, cover.id))
    if (ref === undefined) return undefined
    const refDark = dark && fileIn(TableContent.cell(content, row, dark.id))
    return pictureOf(refDark === undefined ? { ref } : { ref, refDark }, rendering, { alt: "" })
  }
  const card = (row: TableContent.Row): Html => {
    const ref = target && TableCells.labelled(TableContent.cell(content, row, target.id))?.ref
    const leads = ref && rendering.targetOf(ref)
    const href = leads?.url === undefined ? undefined : SafeUrls.link(leads.url)
    const picture = coverOf(row)
    const values = each(told, (column) => {
      const value = cellOf(content, row, column, rendering)
      return !value.isEmpty && html`<div>${value}</div>`
    })
    const link =
      href === undefined ? undefined : html`<a class="card-link" href="${href}" aria-label="${leads!.title}"></a>`
    return html`<li class="card">${picture && html`<div class="card-cover">${picture}</div>`}<div class="card-text">${values}</div>${link}</li>`
  }
  const size = view["cardSize"] === "large" ? "cards large" : "cards"
  return html`<ul class="${size}">${each(content.rows, card)}</ul>`
}

const fileIn = (value: unknown): unknown => {
  const first: unknown = Array.isArray(value) ? value[0] : value
  return typeof first === "string" ? { kind: "file", file: first } : TableCells.labelled(first)?.ref
}
