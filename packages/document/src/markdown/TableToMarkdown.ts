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
import * as TableRows from "./TableRows.ts"
import * as TableToHtml from "./TableToHtml.ts"
import type { Writer } from "./Writer.ts"

const { fields } = TableRows

export const write = (block: Block, blockWriter: Writer): Printed.Block => {
  const table = TableRows.of(block)
  const isHtml = blockWriter.hasHtmlTables && TableRows.isHtml(table)
  if (isHtml || !TableRows.isPlain(block, table)) return { type: "html", value: TableToHtml.write(block, blockWriter) }
  const writer = { ...blockWriter, inCell: true }
  const { definition, fragments } = table
  const columns = TableRows.shownColumns(definition, table.view)

  const places = new Map(columns.map((id, i) => [id, i]))
  const header = columns.map((id) => {
    const { title, titleFragment } = fields(definition[id])
    const fragment = typeof titleFragment === "string" ? fragments.get(titleFragment) : undefined
    return fragment ? content(fragment, writer) : text(typeof title === "string" ? title : "")
  })
  const rows = table.records.map(([, record]) => {
    const values = fields(record.values)
    const given = Object.entries(values)
      .flatMap(([id, value]) => (places.has(id) ? [[places.get(id)!, value] as const] : []))
      .sort(([a], [b]) => a - b)
    const cells: Array<ReadonlyArray<Phrase>> = []
    for (const [place, value] of given) {
      while (cells.length < place) cells.push([])
      const fragment = typeof value === "string" ? fragments.get(value) : undefined
      cells.push(fragment ? content(fragment, writer) : written(value, writer))
    }
    return cells
  })
  return {
    type: "table",
    align: columns.map((id) => {
      const { textAlignment } = fields(definition[id])
      return alignments.find((one) => one === textAlignment)
    }),
    rows: [header, ...rows]
  }
}

const alignments = ["left", "center", "right"] as const

const text = (value: string): ReadonlyArray<Phrase> => (value === "" ? [] : [{ type: "text", value }])

/** Returns the blocks of a cell on one line. */
const content = ({ nodes }: Fragment, writer: Writer): ReadonlyArray<Phrase> =>
  CellParts.of(nodes).flatMap((part): ReadonlyArray<Phrase> =>
    typeof part === "string" ? [{ type: "verbatim", value: part }] : Inlines.write(part, writer)
  )

const written = (value: unknown, writer: Writer): ReadonlyArray<Phrase> => {
  if (isRef(value)) {
    const url = writer.href(value)
    return [{ type: "link", url, title: undefined, children: [{ type: "text", value: url }] }]
  }
  if (Array.isArray(value)) return text(value.map(String).join(", "))
  return text(value === null || typeof value === "object" ? "" : String(value))
}
