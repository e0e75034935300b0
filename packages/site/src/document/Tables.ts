/** Renders tables, as a grid or as cards. */
import type { Block } from "@lectern/document/Document"
import * as CellMerges from "@lectern/document/markdown/CellMerges"
import * as TableContent from "@lectern/document/table/TableContent"
import { attributes, each, empty, type Html, html } from "../html/Html.ts"
import { renderCards } from "./Cards.ts"
import { renderCell, renderColumnTitle } from "./Cells.ts"
import type { RenderBlock, BlockRenderer } from "./BlockRenderer.ts"

export const table: RenderBlock = (node, renderer) => {
  const content = TableContent.readTable(node)
  if (content === undefined) return empty
  const view = TableContent.objectOrEmpty(node.data?.["view"])
  const columns = TableContent.visibleColumns(content, view)
  if (columns.length === 0) return empty
  return view["type"] === "cards"
    ? renderCards(content, columns, view, renderer)
    : renderGrid(node, content, columns, view, renderer)
}

const renderGrid = (
  node: Block,
  content: TableContent.Table,
  columns: ReadonlyArray<TableContent.Column>,
  view: TableContent.Properties,
  renderer: BlockRenderer
): Html => {
  const ids = content.columns.map(({ id }) => id)
  const columnIndexes = new Map(ids.map((id, i) => [id, i]))
  const mergedCells = CellMerges.spansByCell(
    node.data?.["cellMerges"],
    content.rows.map(({ id }) => id),
    ids
  )
  const alignOf = ({ definition }: TableContent.Column) => {
    const align = definition["textAlignment"]
    return align === "center" || align === "right" ? `align-${align}` : undefined
  }
  const hasTitle = (column: TableContent.Column) => hasContent(renderColumnTitle(content, column, renderer))
  const head =
    view["hideHeader"] !== true &&
    columns.some(hasTitle) &&
    html`<thead><tr>${each(columns, (column) => {
      const title = renderColumnTitle(content, column, renderer)
      const cellAttributes = attributes({ class: alignOf(column) })
      // A header without text is a `td`, since screen readers would announce an empty `th` as a header.
      return hasContent(title)
        ? html`<th scope="col"${cellAttributes}>${title}</th>`
        : html`<td${cellAttributes}>${title}</td>`
    })}</tr></thead>`
  const widths = TableContent.objectOrEmpty(view["columnWidths"])
  // Pages have no inline styles, so the widths are attributes.
  const columnGroup =
    columns.some(({ id }) => widthOf(widths[id]) !== undefined) &&
    html`<colgroup>${each(columns, ({ id }) => html`<col${attributes({ width: widthOf(widths[id]) })}>`)}</colgroup>`
  const rows = each(content.rows, (row, i) => {
    const cells = each(columns, (column) => {
      const position = CellMerges.cellKey(i, columnIndexes.get(column.id)!)
      if (mergedCells.covered.has(position)) return undefined
      const span = mergedCells.spans.get(position)
      const cellAttributes = attributes({
        class: alignOf(column),
        rowspan: span === undefined || span.rowSpan === 1 ? undefined : span.rowSpan,
        colspan: span === undefined || span.colSpan === 1 ? undefined : span.colSpan
      })
      return html`<td${cellAttributes}>${renderCell(content, row, column, renderer)}</td>`
    })
    return html`<tr>${cells}</tr>`
  })
  const className = node.data?.["fullWidth"] === true ? "table wide" : "table"
  return html`<div class="${className}" tabindex="0" role="group" aria-label="${renderer.messages.table}"><table>${columnGroup}${head}<tbody>${rows}</tbody></table></div>`
}

/** Returns the width of a column in whole pixels. */
const widthOf = (width: unknown): number | undefined =>
  typeof width === "number" && width > 0 && width < maxWidth ? Math.round(width) : undefined

/** Columns of this width or more have the automatic width. */
const maxWidth = 10_000

/** Returns true if the title contains visible text or an image. */
const hasContent = (title: Html): boolean => {
  const text = title.prefix(maxTitle)
  return (
    text.length >= maxTitle || /<(?:img|svg|picture|math)\b/.test(text) || text.replace(/<[^>]*>/g, "").trim() !== ""
  )
}

/** Characters of HTML that are checked for text. A longer title counts as non-empty. */
const maxTitle = 4096
