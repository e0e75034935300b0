/** Renders tables, as a grid or as cards. */
import type { Block } from "@lectern/document/Document"
import * as CellMerges from "@lectern/document/markdown/CellMerges"
import * as TableContent from "@lectern/document/table/TableContent"
import { attributes, each, empty, type Html, html } from "../html/Html.ts"
import { cards } from "./Cards.ts"
import { cellOf, titleOf } from "./Cells.ts"
import type { RenderBlock, Rendering } from "./BlockRenderer.ts"

export const table: RenderBlock = (node, rendering) => {
  const content = TableContent.read(node)
  if (content === undefined) return empty
  const view = TableContent.properties(node.data?.["view"])
  const columns = TableContent.shownColumns(content, view)
  if (columns.length === 0) return empty
  return view["type"] === "cards"
    ? cards(content, columns, view, rendering)
    : grid(node, content, columns, view, rendering)
}

const grid = (
  node: Block,
  content: TableContent.Table,
  columns: ReadonlyArray<TableContent.Column>,
  view: TableContent.Properties,
  rendering: Rendering
): Html => {
  const ids = content.columns.map(({ id }) => id)
  const places = new Map(ids.map((id, i) => [id, i]))
  const merges = CellMerges.places(
    node.data?.["cellMerges"],
    content.rows.map(({ id }) => id),
    ids
  )
  const alignOf = ({ definition }: TableContent.Column) => {
    const align = definition["textAlignment"]
    return align === "center" || align === "right" ? `align-${align}` : undefined
  }
  const isTitled = (column: TableContent.Column) => saysSomething(titleOf(content, column, rendering))
  const head =
    view["hideHeader"] !== true &&
    columns.some(isTitled) &&
    html`<thead><tr>${each(columns, (column) => {
      const title = titleOf(content, column, rendering)
      const all = attributes({ class: alignOf(column) })
      // A header without text is a `td`, since screen readers would announce an empty `th` as a header.
      return saysSomething(title) ? html`<th scope="col"${all}>${title}</th>` : html`<td${all}>${title}</td>`
    })}</tr></thead>`
  const rows = each(content.rows, (row, i) => {
    const cells = each(columns, (column) => {
      const place = CellMerges.place(i, places.get(column.id)!)
      if (merges.covered.has(place)) return undefined
      const span = merges.spans.get(place)
      const all = attributes({
        class: alignOf(column),
        rowspan: span === undefined || span.rowSpan === 1 ? undefined : span.rowSpan,
        colspan: span === undefined || span.colSpan === 1 ? undefined : span.colSpan
      })
      return html`<td${all}>${cellOf(content, row, column, rendering)}</td>`
    })
    return html`<tr>${cells}</tr>`
  })
  const look = node.data?.["fullWidth"] === true ? "table wide" : "table"
  return html`<div class="${look}" tabindex="0" role="group" aria-label="${rendering.words.table}"><table>${head}<tbody>${rows}</tbody></table></div>`
}

/** Returns true if the title contains visible text or an image. */
const saysSomething = (title: Html): boolean => {
  const text = title.beginning(mostOfTitle)
  return (
    text.length >= mostOfTitle || /<(?:img|svg|picture|math)\b/.test(text) || text.replace(/<[^>]*>/g, "").trim() !== ""
  )
}

/** Characters of HTML that are checked for text. A longer title counts as non-empty. */
const mostOfTitle = 4096
