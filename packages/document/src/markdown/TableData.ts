/** Data of a table for serialization: its columns, its records in order, its fragments by name. */
import type { Block, Fragment, Node } from "../Document.ts"
import * as CellParts from "./CellParts.ts"

export type Fields = { readonly [name: string]: unknown }

export interface Table {
  readonly definition: Fields
  readonly view: Fields
  readonly records: ReadonlyArray<readonly [id: string, record: Fields]>
  readonly fragments: ReadonlyMap<string | undefined, Fragment>
}

export const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null ? (value as Fields) : {}

export const tableData = (block: Block): Table => ({
  definition: fieldsOf(block.data?.definition),
  view: fieldsOf(block.data?.view),
  records: Object.entries(fieldsOf(block.data?.records))
    .map(([id, record]) => [id, fieldsOf(record)] as const)
    .sort(([, a], [, b]) => compare(String(a.orderIndex), String(b.orderIndex))),
  fragments: new Map((block.fragments ?? []).map((fragment) => [fragment.fragment ?? fragment.key, fragment]))
})

/** Returns the columns of the view. Default: all columns. */
export const viewColumns = (definition: Fields, view: Fields): ReadonlyArray<string> =>
  (Array.isArray(view.columns) ? view.columns : Object.keys(definition)).map(String)

/**
 * True if Markdown syntax can express a table: only cells of text, paragraphs, headings and lists, without further
 * settings.
 */
export const isMarkdownTable = (block: Block, { definition, view, records, fragments }: Table): boolean => {
  const { cellMerges, fullWidth, search } = block.data ?? {}
  if (view.type === "cards" || view.hideHeader === true || view.stickyHeader === true) return false
  if (view.stickyFirstColumn === true || Object.keys(fieldsOf(view.columnWidths)).length > 0) return false
  if (fullWidth !== undefined || search !== undefined || (Array.isArray(cellMerges) && cellMerges.length > 0))
    return false
  const viewed = new Set(viewColumns(definition, view))
  const all = Object.keys(definition)
  if (all.some((id) => !viewed.has(id))) return false
  for (const id of all) {
    const { type, verticalAlignment } = fieldsOf(definition[id])
    if ((type !== undefined && type !== "text") || verticalAlignment !== undefined) return false
  }
  for (const [, record] of records) {
    for (const value of Object.values(fieldsOf(record.values))) {
      const fragment = typeof value === "string" ? fragments.get(value) : undefined
      if (fragment !== undefined && !isMarkdownCell(fragment)) return false
    }
  }
  return true
}

/**
 * True if HTML can express the content of all cells. Tables for which `isMarkdownTable` is false are always written as
 * HTML.
 */
export const isHtmlTable = ({ fragments }: Table): boolean =>
  Array.from(fragments.values()).every(({ nodes }) =>
    CellParts.cellParts(nodes).every((part) => typeof part === "string" || part.every(isHtmlNode))
  )

// A link with a reference cannot be HTML, since HTML would lose the label of the reference.
const isHtmlNode = (node: Node): boolean =>
  node.object !== "inline" ||
  (node.type !== "html" && node.data?.reference === undefined && (node.nodes ?? []).every(isHtmlNode))

const isMarkdownCell = ({ nodes }: Fragment): boolean =>
  CellParts.fitsMarkdownCell(nodes) &&
  CellParts.cellParts(nodes).every((part) => typeof part === "string" || part.every(isMarkdownCellNode))

const isMarkdownCellNode = (node: Node): boolean => node.object !== "inline" || isMarkdownCellInline(node)

// A `|` would end the cell. In links and code it can be escaped; in a formula the escape would change the meaning.
const typesWithoutBar = new Set(["expression", "button", "icon", "inline-image"])
const isMarkdownCellInline = ({ type, data = {} }: { readonly type: string; readonly data?: Fields }): boolean =>
  type === "inline-math"
    ? !/(?<!\\)(?:\\\\)*\|/.test(String(data.formula))
    : !typesWithoutBar.has(type) || !JSON.stringify(data).includes("|")

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
