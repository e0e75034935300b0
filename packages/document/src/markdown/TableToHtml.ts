/** Serializes a table as HTML, for tables that Markdown syntax cannot express. */
import type { Block, Fragment } from "../Document.ts"
import { isRef } from "../DocumentRefs.ts"
import * as CellMerges from "./CellMerges.ts"
import * as CellParts from "./CellParts.ts"
import * as HtmlTree from "./HtmlTree.ts"
import * as InlinesToHtml from "./InlinesToHtml.ts"
import * as TableCells from "../table/TableCells.ts"
import * as TableContent from "../table/TableContent.ts"
import * as TableData from "./TableData.ts"
import type { Writer } from "./Writer.ts"

type Fields = TableData.Fields
const { fieldsOf } = TableData

export const write = (block: Block, writer: Writer): string => {
  const { definition, view, records, fragments } = TableData.tableData(block)
  const columns = columnOrder(definition, view)
  const viewColumns = new Set(TableData.viewColumns(definition, view))
  const head = columns
    .map((id) => header(id, fieldsOf(definition[id]), view, viewColumns.has(id), fragments, writer))
    .join("")
  const { spans, covered } = CellMerges.spansByCell(
    block.data?.cellMerges,
    records.map(([id]) => id),
    columns
  )
  const rows = records.map(([, record], row) => {
    const values = fieldsOf(record.values)
    const valueOf = (id: string) => (Object.hasOwn(values, id) ? values[id] : undefined)
    let end = columns.length
    // Omits missing values of text columns at the end of a row, since an empty cell there would be parsed as a value.
    // In other columns an empty cell is a missing value.
    while (end > 0 && valueOf(columns[end - 1]!) === undefined && isText(fieldsOf(definition[columns[end - 1]!]))) end--
    const cells = columns.slice(0, end).map((id, column) => {
      const cellKey = CellMerges.cellKey(row, column)
      return covered.has(cellKey)
        ? ""
        : cell(valueOf(id), fieldsOf(definition[id]), spans.get(cellKey), { fragments, writer })
    })
    return `<tr>${cells.join("")}</tr>`
  })
  return `${openTag(block, view)}<thead><tr>${head}</tr></thead><tbody>${rows.join("")}</tbody></table>`
}

/**
 * Returns the columns in the order of the definition if the view only omits some. Otherwise returns the columns of the
 * view, then the others.
 */
const columnOrder = (definition: Fields, view: Fields): ReadonlyArray<string> => {
  const allIds = Object.keys(definition)
  const viewed = TableData.viewColumns(definition, view)
  const viewIds = new Set(viewed)
  const definedOrder = allIds.filter((id) => viewIds.has(id))
  return definedOrder.length === viewed.length && definedOrder.every((id, i) => id === viewed[i])
    ? allIds
    : [...viewed, ...allIds.filter((id) => !viewIds.has(id))]
}

const flag = (value: unknown): true | undefined => (value === true ? true : undefined)
const booleanText = (value: unknown): string | undefined => (typeof value === "boolean" ? String(value) : undefined)
const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)
const number = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined)
const isText = ({ type }: Fields): boolean => type === undefined || type === "text"

const openTag = ({ data = {} }: Block, view: Fields): string => {
  const isCards = view.type === "cards"
  return HtmlTree.openTag("table", {
    "data-header-hidden": isCards ? undefined : flag(view.hideHeader),
    "data-sticky-header": isCards ? undefined : flag(view.stickyHeader),
    "data-sticky-first-column": isCards ? undefined : flag(view.stickyFirstColumn),
    "data-card-size": isCards && view.cardSize === "large" ? "large" : undefined,
    "data-column-title-hidden": isCards ? flag(view.hideColumnTitle) : undefined,
    "data-card-wrap": isCards ? booleanText(view.wrap) : undefined,
    "data-view": isCards ? "cards" : undefined,
    "data-full-width": booleanText(data.fullWidth),
    "data-search": booleanText(data.search)
  })
}

type Fragments = ReadonlyMap<string | undefined, Fragment>

const header = (
  id: string,
  definition: Fields,
  view: Fields,
  isInView: boolean,
  fragments: Fragments,
  writer: Writer
): string => {
  const isCards = view.type === "cards"
  const isTyped = !isText(definition) && definition.type !== "select"
  const open = HtmlTree.openTag("th", {
    width: isCards ? undefined : number(fieldsOf(view.columnWidths)[id]),
    align: isText(definition) ? text(definition.textAlignment) : undefined,
    valign: isText(definition) ? text(definition.verticalAlignment) : undefined,
    "data-hidden": isInView ? undefined : true,
    "data-card-target": isCards && view.targetDefinition === id ? true : undefined,
    "data-card-cover": isCards && view.coverDefinition === id ? true : undefined,
    "data-card-cover-dark": isCards && view.coverDefinitionDark === id ? true : undefined,
    "data-type": isTyped ? text(definition.type) : undefined,
    "data-max": definition.type === "rating" ? number(definition.max) : undefined,
    "data-multiple": definition.type === "users" ? flag(definition.multiple) : undefined
  })
  const fragment = fragments.get(text(definition.titleFragment))
  const title =
    fragment === undefined ? HtmlTree.escapeText(text(definition.title) ?? "") : writeInlines(fragment, writer)
  return `${open}${title}${definition.type === "select" ? select(definition) : ""}</th>`
}

const optionsOf = ({ options }: Fields): ReadonlyArray<Fields> => (Array.isArray(options) ? options.map(fieldsOf) : [])

const select = (definition: Fields): string => {
  const options = optionsOf(definition).map(
    ({ value, label, color }) =>
      `${HtmlTree.openTag("option", { value: text(value) ?? "", label: text(label) ?? "", color: text(color) ?? "" })}</option>`
  )
  return `${HtmlTree.openTag("select", { multiple: flag(definition.multiple) })}${options.join("")}</select>`
}

const cell = (
  value: unknown,
  definition: Fields,
  merge: CellMerges.Merge | undefined,
  context: { readonly fragments: Fragments; readonly writer: Writer }
): string => {
  const image = definition.type === "image" && !isRef(value) ? fieldsOf(value) : {}
  const open = HtmlTree.openTag("td", {
    align: isText(definition) ? text(definition.textAlignment) : undefined,
    valign: isText(definition) ? text(definition.verticalAlignment) : undefined,
    rowspan: merge !== undefined && merge.rowSpan > 1 ? merge.rowSpan : undefined,
    colspan: merge !== undefined && merge.colSpan > 1 ? merge.colSpan : undefined,
    "data-object-fit": text(image.objectFit),
    "data-alt": text(image.alt)
  })
  return `${open}${content(value, definition, context)}</td>`
}

const content = (
  value: unknown,
  definition: Fields,
  { fragments, writer }: { readonly fragments: Fragments; readonly writer: Writer }
): string => {
  const fragment = isText(definition) && typeof value === "string" ? fragments.get(value) : undefined
  if (fragment !== undefined) return blocks(fragment.nodes, writer)
  if (value === undefined) return ""
  if (value === null) return definition.type === "number" ? "null" : ""
  const labeledRef = TableCells.labeledRef(value)
  if (labeledRef !== undefined) return link(writer.urlOfRef(labeledRef.ref), labeledRef.label)
  if (!Array.isArray(value)) return HtmlTree.escapeText(typeof value === "object" ? "" : String(value))
  if (definition.type === "select") {
    const labels = TableContent.optionLabels(definition)
    const spans = value.map((one, i) => {
      const label = `${labels.get(one) ?? ""}${i < value.length - 1 ? ", " : ""}`
      return `${HtmlTree.openTag("span", { "data-option": String(one) })}${HtmlTree.escapeText(label)}</span>`
    })
    return spans.join("")
  }
  return value
    .map((one) => {
      const labeledRef = TableCells.labeledRef(one)
      if (labeledRef !== undefined) return link(writer.urlOfRef(labeledRef.ref), labeledRef.label)
      if (definition.type === "files") return link(writer.urlOfRef({ kind: "file", file: String(one) }))
      return definition.type === "users"
        ? link(writer.urlOfRef({ kind: "user", user: String(one) }))
        : HtmlTree.escapeText(String(one))
    })
    .join(", ")
}

const link = (url: string, label = url): string =>
  `${HtmlTree.openTag("a", { href: url })}${HtmlTree.escapeText(label.replace(/\s+/g, " "))}</a>`

const writeInlines = (fragment: Fragment, writer: Writer): string =>
  fragment.nodes.map((node) => InlinesToHtml.write(node.nodes ?? [], writer)).join("<br>")

const blocks = (nodes: ReadonlyArray<Block>, writer: Writer): string =>
  CellParts.cellParts(nodes)
    .map((part) => (typeof part === "string" ? part : InlinesToHtml.write(part, writer)))
    .join("")
