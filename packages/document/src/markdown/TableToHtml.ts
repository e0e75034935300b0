/** Serializes a table as HTML, for tables that Markdown syntax cannot express. */
import type { Block, Fragment } from "../Document.ts"
import { isRef } from "../DocumentRefs.ts"
import * as CellMerges from "./CellMerges.ts"
import * as CellParts from "./CellParts.ts"
import * as HtmlTree from "./HtmlTree.ts"
import * as InlinesToHtml from "./InlinesToHtml.ts"
import * as TableCells from "../table/TableCells.ts"
import * as TableContent from "../table/TableContent.ts"
import * as TableRows from "./TableRows.ts"
import type { Writer } from "./Writer.ts"

type Fields = TableRows.Fields
const { fields } = TableRows

export const write = (block: Block, writer: Writer): string => {
  const { definition, view, records, fragments } = TableRows.of(block)
  const columns = order(definition, view)
  const shown = new Set(TableRows.shownColumns(definition, view))
  const head = columns.map((id) => header(id, fields(definition[id]), view, shown.has(id), fragments, writer)).join("")
  const { spans, covered } = CellMerges.places(
    block.data?.cellMerges,
    records.map(([id]) => id),
    columns
  )
  const rows = records.map(([, record], row) => {
    const said = fields(record.values)
    const valueOf = (id: string) => (Object.hasOwn(said, id) ? said[id] : undefined)
    let end = columns.length
    // Omits missing values of text columns at the end of a row, since an empty cell there would be parsed as a value.
    // In other columns an empty cell is a missing value.
    while (end > 0 && valueOf(columns[end - 1]!) === undefined && isText(fields(definition[columns[end - 1]!]))) end--
    const cells = columns.slice(0, end).map((id, column) => {
      const place = CellMerges.place(row, column)
      return covered.has(place)
        ? ""
        : cell(valueOf(id), fields(definition[id]), spans.get(place), { fragments, writer })
    })
    return `<tr>${cells.join("")}</tr>`
  })
  return `${opening(block, view)}<thead><tr>${head}</tr></thead><tbody>${rows.join("")}</tbody></table>`
}

/**
 * Returns the columns in the order of the definition if the view only omits some. Otherwise returns the columns of the
 * view, then the others.
 */
const order = (definition: Fields, view: Fields): ReadonlyArray<string> => {
  const all = Object.keys(definition)
  const shown = TableRows.shownColumns(definition, view)
  const inView = new Set(shown)
  const same = all.filter((id) => inView.has(id))
  return same.length === shown.length && same.every((id, i) => id === shown[i])
    ? all
    : [...shown, ...all.filter((id) => !inView.has(id))]
}

const flag = (value: unknown): true | undefined => (value === true ? true : undefined)
const truth = (value: unknown): string | undefined => (typeof value === "boolean" ? String(value) : undefined)
const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)
const number = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined)
const isText = ({ type }: Fields): boolean => type === undefined || type === "text"

const opening = ({ data = {} }: Block, view: Fields): string => {
  const isCards = view.type === "cards"
  return HtmlTree.tag("table", {
    "data-header-hidden": isCards ? undefined : flag(view.hideHeader),
    "data-sticky-header": isCards ? undefined : flag(view.stickyHeader),
    "data-sticky-first-column": isCards ? undefined : flag(view.stickyFirstColumn),
    "data-card-size": isCards && view.cardSize === "large" ? "large" : undefined,
    "data-column-title-hidden": isCards ? flag(view.hideColumnTitle) : undefined,
    "data-card-wrap": isCards ? truth(view.wrap) : undefined,
    "data-view": isCards ? "cards" : undefined,
    "data-full-width": truth(data.fullWidth),
    "data-search": truth(data.search)
  })
}

type Fragments = ReadonlyMap<string | undefined, Fragment>

const header = (
  id: string,
  definition: Fields,
  view: Fields,
  isShown: boolean,
  fragments: Fragments,
  writer: Writer
): string => {
  const isCards = view.type === "cards"
  const isTyped = !isText(definition) && definition.type !== "select"
  const open = HtmlTree.tag("th", {
    width: isCards ? undefined : number(fields(view.columnWidths)[id]),
    align: isText(definition) ? text(definition.textAlignment) : undefined,
    valign: isText(definition) ? text(definition.verticalAlignment) : undefined,
    "data-hidden": isShown ? undefined : true,
    "data-card-target": isCards && view.targetDefinition === id ? true : undefined,
    "data-card-cover": isCards && view.coverDefinition === id ? true : undefined,
    "data-card-cover-dark": isCards && view.coverDefinitionDark === id ? true : undefined,
    "data-type": isTyped ? text(definition.type) : undefined,
    "data-max": definition.type === "rating" ? number(definition.max) : undefined,
    "data-multiple": definition.type === "users" ? flag(definition.multiple) : undefined
  })
  const fragment = fragments.get(text(definition.titleFragment))
  const title = fragment === undefined ? HtmlTree.text(text(definition.title) ?? "") : inlinesOf(fragment, writer)
  return `${open}${title}${definition.type === "select" ? select(definition) : ""}</th>`
}

const optionsOf = ({ options }: Fields): ReadonlyArray<Fields> => (Array.isArray(options) ? options.map(fields) : [])

const select = (definition: Fields): string => {
  const options = optionsOf(definition).map(
    ({ value, label, color }) =>
      `${HtmlTree.tag("option", { value: text(value) ?? "", label: text(label) ?? "", color: text(color) ?? "" })}</option>`
  )
  return `${HtmlTree.tag("select", { multiple: flag(definition.multiple) })}${options.join("")}</select>`
}

const cell = (
  value: unknown,
  definition: Fields,
  merge: CellMerges.Merge | undefined,
  context: { readonly fragments: Fragments; readonly writer: Writer }
): string => {
  const image = definition.type === "image" && !isRef(value) ? fields(value) : {}
  const open = HtmlTree.tag("td", {
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
  const labelled = TableCells.labeledRef(value)
  if (labelled !== undefined) return link(writer.href(labelled.ref), labelled.label)
  if (!Array.isArray(value)) return HtmlTree.text(typeof value === "object" ? "" : String(value))
  if (definition.type === "select") {
    const labels = TableContent.optionLabels(definition)
    const spans = value.map((one, i) => {
      const label = `${labels.get(one) ?? ""}${i < value.length - 1 ? ", " : ""}`
      return `${HtmlTree.tag("span", { "data-option": String(one) })}${HtmlTree.text(label)}</span>`
    })
    return spans.join("")
  }
  return value
    .map((one) => {
      const labelled = TableCells.labeledRef(one)
      if (labelled !== undefined) return link(writer.href(labelled.ref), labelled.label)
      if (definition.type === "files") return link(writer.href({ kind: "file", file: String(one) }))
      return definition.type === "users"
        ? link(writer.href({ kind: "user", user: String(one) }))
        : HtmlTree.text(String(one))
    })
    .join(", ")
}

const link = (url: string, label = url): string =>
  `${HtmlTree.tag("a", { href: url })}${HtmlTree.text(label.replace(/\s+/g, " "))}</a>`

const inlinesOf = (fragment: Fragment, writer: Writer): string =>
  fragment.nodes.map((node) => InlinesToHtml.write(node.nodes ?? [], writer)).join("<br>")

const blocks = (nodes: ReadonlyArray<Block>, writer: Writer): string =>
  CellParts.of(nodes)
    .map((part) => (typeof part === "string" ? part : InlinesToHtml.write(part, writer)))
    .join("")
