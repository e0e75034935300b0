/**
 * Converts an HTML table to records and columns: cards, typed columns, hidden columns, widths, cells of several blocks.
 * A table with other content stays HTML.
 */
import type { Block, Data, Fragment, Inline, Text } from "../Document.ts"
import * as DocumentText from "../DocumentText.ts"
import type { Reader } from "./BlocksFromMarkdown.ts"
import * as CellContent from "./CellContent.ts"
import * as CellFromHtml from "./CellFromHtml.ts"
import * as CellMerges from "./CellMerges.ts"
import * as HtmlTree from "./HtmlTree.ts"
import * as InlinesFromHtml from "./InlinesFromHtml.ts"
import * as TableColumn from "./TableColumn.ts"

export const read = (table: HtmlTree.Element, reader: Reader): Block | undefined => {
  const [head, body, ...rest] = HtmlTree.elementsOnly(table.children) ?? []
  const appearance = TableColumn.tableAppearance(table)
  if (appearance === undefined || head?.name !== "thead" || rest.length > 0) return undefined
  if (body !== undefined && body.name !== "tbody") return undefined
  if (head.attributes.size > 0 || (body?.attributes.size ?? 0) > 0) return undefined
  const [header, ...others] = tableRows(head) ?? []
  if (header === undefined || others.length > 0) return undefined
  const columns: Array<TableColumn.Column> = []
  const titles: Array<ReadonlyArray<Inline | Text>> = []
  for (const [i, cell] of header.entries()) {
    const column = TableColumn.read(cell, `c${i + 1}`)
    const title = column && InlinesFromHtml.read(column.title, reader.references)
    if (column === undefined || title === undefined) return undefined
    columns.push(column)
    titles.push(CellContent.trim(title))
  }
  const view = TableColumn.tableView(appearance, columns)
  const rows = body === undefined ? [] : tableRows(body)
  if (view === undefined || rows === undefined) return undefined
  const layout = CellMerges.read(rows, columns.length)
  if (layout === undefined) return undefined
  const cells = layout.rows.map((row) =>
    row.map((cell, i) => (cell === undefined ? null : CellFromHtml.read(cell, columns[i]!, reader)))
  )
  if (!cells.every((row) => row.every((cell) => cell !== undefined))) return undefined

  const key = reader.nextKey()
  const fragments: Array<Fragment> = []
  const definition: Record<string, unknown> = {}
  for (const [i, column] of columns.entries()) {
    const title = titles[i]!
    definition[column.id] = {
      id: column.id,
      title: DocumentText.inlinesText(title),
      ...column.definition,
      ...(DocumentText.isPlain(title)
        ? {}
        : { titleFragment: fragment(fragments, `header-${column.id}`, [title], reader) })
    }
  }
  const records: Record<string, unknown> = {}
  for (const [i, row] of cells.entries()) {
    const id = `r${i + 1}`
    const values: Record<string, unknown> = {}
    for (const [j, cell] of row.entries()) {
      if (cell === null || cell === undefined) continue
      const column = columns[j]!.id
      if ("value" in cell) values[column] = cell.value
      else {
        const name = `${id}-${column}`
        fragments.push({ object: "fragment", fragment: name, nodes: cell.blocks(reader) })
        values[column] = name
      }
    }
    records[id] = { orderIndex: String(i + 1).padStart(6, "0"), values }
  }
  const data: Data = {
    view,
    records,
    definition,
    ...(layout.merges.length === 0 ? {} : { cellMerges: layout.merges }),
    ...appearance.data
  }
  return { object: "block", type: "table", key, data, isVoid: true, fragments }
}

const fragment = (
  fragments: Array<Fragment>,
  name: string,
  paragraphs: ReadonlyArray<ReadonlyArray<Inline | Text>>,
  { nextKey }: Reader
): string => {
  const nodes = paragraphs.map((one): Block => ({ object: "block", type: "paragraph", key: nextKey(), nodes: one }))
  fragments.push({ object: "fragment", fragment: name, nodes })
  return name
}

const tableRows = (part: HtmlTree.Element): ReadonlyArray<ReadonlyArray<HtmlTree.Element>> | undefined => {
  const rows = HtmlTree.elementsOnly(part.children)
  const cells = rows?.map((row) =>
    row.name === "tr" && row.attributes.size === 0 ? HtmlTree.elementsOnly(row.children) : undefined
  )
  return cells?.every((row) => row !== undefined) ? cells : undefined
}
