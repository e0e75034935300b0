/**
 * Nodes of a table: a head with the titles of the columns, and rows with cells. The roles are those of
 * `prosemirror-tables`.
 *
 * - `table_title`: `column` is the id of the column, `definition` its other fields. `fragment`: name of the fragment of a
 *   title with marks, or null for a plain title.
 * - `table_row`: `id` and `record`, which is the record without its values. `order` is the position in the stored list.
 * - `table_cell`: a cell with blocks in a fragment of the name `fragment`.
 * - `table_value`: a cell with any other value, such as a number or a list of options. Undefined is an absent value.
 */
import type { AttributeSpec, DOMOutputSpec, NodeSpec } from "prosemirror-model"

const absent: AttributeSpec = { default: null }
const spans = { colspan: { default: 1 }, rowspan: { default: 1 }, colwidth: absent }
/** Properties of the fragment of a cell: its name, key, type, and position among the fragments of the table. */
const fragment = { fragment: absent, key: absent, type: absent, position: absent }

const element = (name: string, role: string) => (): DOMOutputSpec => [name, { "data-table": role }, 0]

export const tableSpecs: { readonly [name: string]: NodeSpec } = {
  table_head: {
    content: "table_title+",
    tableRole: "row",
    toDOM: element("div", "head"),
    parseDOM: [{ tag: '[data-table="head"]' }]
  },
  table_title: {
    content: "paragraph+",
    attrs: { ...spans, ...fragment, column: absent, definition: { default: {} } },
    tableRole: "header_cell",
    isolating: true,
    toDOM: element("div", "title"),
    parseDOM: []
  },
  table_row: {
    content: "(table_cell | table_value)+",
    attrs: { id: absent, record: { default: {} } },
    tableRole: "row",
    toDOM: element("div", "row"),
    parseDOM: []
  },
  table_cell: {
    content: "flow+",
    attrs: { ...spans, ...fragment, column: absent },
    tableRole: "cell",
    isolating: true,
    toDOM: element("div", "cell"),
    parseDOM: []
  },
  table_value: {
    attrs: { ...spans, column: absent, value: absent, isAbsent: { default: false } },
    tableRole: "cell",
    atom: true,
    toDOM: (): DOMOutputSpec => ["div", { "data-table": "value" }],
    parseDOM: []
  }
}
