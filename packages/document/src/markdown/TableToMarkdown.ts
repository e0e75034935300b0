/**
 * Converts a table of records to a Markdown table: the columns of its view, the records in order. Values other than
 * text, such as numbers, checkboxes and files, are written as text. A table that Markdown cannot express is written as
 * HTML.
 */
import type { Block, Fragment } from "../Document.ts"
import { isRef } from "../DocumentRefs.ts"
import * as CellParts from "./CellParts.ts"
import * as Inlines from "./InlinesToMarkdown.ts"
import type * as Printed from "./print/Block.ts"
import type { Phrase } from "./print/Phrase.ts"
import * as TableData from "./TableData.ts"
import * as TableToHtml from "./TableToHtml.ts"
import type { Writer } from "./Writer.ts"

const { fieldsOf } = TableData

export const write = (block: Block, blockWriter: Writer): Printed.Block => {
  const table = TableData.tableData(block)
  const isHtml = blockWriter.hasHtmlTables && TableData.isHtmlTable(table)
  if (isHtml || !TableData.isMarkdownTable(block, table))
    return { type: "html", value: TableToHtml.write(block, blockWriter) }
  const writer = { ...blockWriter, isInCell: true }
  const { definition, fragments } = table
  const columns = TableData.viewColumns(definition, table.view)

  const columnIndexes = new Map(columns.map((id, i) => [id, i]))
  const header = columns.map((id) => {
    const { title, titleFragment } = fieldsOf(definition[id])
    const fragment = typeof titleFragment === "string" ? fragments.get(titleFragment) : undefined
    return fragment ? content(fragment, writer) : text(typeof title === "string" ? title : "")
  })
  const rows = table.records.map(([, record]) => {
    const values = fieldsOf(record.values)
    const cellValues = Object.entries(values)
      .flatMap(([id, value]) => (columnIndexes.has(id) ? [[columnIndexes.get(id)!, value] as const] : []))
      .sort(([a], [b]) => a - b)
    const cells: Array<ReadonlyArray<Phrase>> = []
    for (const [columnIndex, value] of cellValues) {
      while (cells.length < columnIndex) cells.push([])
      const fragment = typeof value === "string" ? fragments.get(value) : undefined
      cells.push(fragment ? content(fragment, writer) : convertValue(value, writer))
    }
    return cells
  })
  return {
    type: "table",
    align: columns.map((id) => {
      const { textAlignment } = fieldsOf(definition[id])
      return alignments.find((one) => one === textAlignment)
    }),
    rows: [header, ...rows]
  }
}

const alignments = ["left", "center", "right"] as const

const text = (value: string): ReadonlyArray<Phrase> => (value === "" ? [] : [{ type: "text", value }])

/** Returns the blocks of a cell on one line. */
const content = ({ nodes }: Fragment, writer: Writer): ReadonlyArray<Phrase> =>
  CellParts.cellParts(nodes).flatMap((part): ReadonlyArray<Phrase> =>
    typeof part === "string" ? [{ type: "verbatim", value: part }] : Inlines.write(part, writer)
  )

const convertValue = (value: unknown, writer: Writer): ReadonlyArray<Phrase> => {
  if (isRef(value)) {
    const url = writer.urlOfRef(value)
    return [{ type: "link", url, title: undefined, children: [{ type: "text", value: url }] }]
  }
  if (Array.isArray(value)) return text(value.map(String).join(", "))
  return text(value === null || typeof value === "object" ? "" : String(value))
}
