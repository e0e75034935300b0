/**
 * Converts a table to nodes and back (see `TableSpecs`). Columns are in display order and rows by their `orderIndex`. A
 * table that cannot be read, or whose fragments don't each belong to one cell or title, stays opaque.
 */
import { orderIndexBetween } from "@lectern/document/alignment/OrderIndex"
import type { Block, Fragment } from "@lectern/document/Document"
import { objectOrEmpty, type Properties, readTable, type Row, stringValue } from "@lectern/document/table/TableContent"
import { requiredBlockParts } from "@lectern/document/vocabulary/RequiredParts"
import type { Attrs, Node } from "prosemirror-model"
import { schema } from "../EditorSchema.ts"
import { equals, isVoidOf } from "../Equality.ts"
import { fragmentWith, isPlain } from "../Fragments.ts"

/** Converts the blocks of a cell and back. */
export interface CellBlocks {
  readonly nodes: (blocks: ReadonlyArray<Block>) => ReadonlyArray<Node>
  readonly blocks: (cell: Node) => ReadonlyArray<Block>
}

/** Returns the node of a table. `attrs`: the key and data of the block, as attributes of its node. */
export const tableNode = (block: Block, attrs: Attrs, cells: CellBlocks): Node | undefined => {
  const table = readTable(block)
  if (table === undefined || table.columns.length === 0) return undefined
  const { definition: _, records, ...data } = block.data!
  const fragments = new Map(
    (block.fragments ?? []).map((fragment, position) => [fragment.fragment, { fragment, position }])
  )
  const used = new Set<string>()
  const take = (name: unknown): { readonly attrs: Attrs; readonly blocks: ReadonlyArray<Block> } | undefined => {
    const found = typeof name === "string" && !used.has(name) ? fragments.get(name) : undefined
    if (found === undefined || !isPlain(found.fragment)) return undefined
    used.add(name as string)
    const { key = null, type = null, nodes } = found.fragment
    return { attrs: { fragment: name, key, type, position: found.position }, blocks: nodes }
  }
  const titles = table.columns.map(({ id, definition }) => {
    const titleFragment = take(definition["titleFragment"])
    const nodes = titleFragment === undefined ? plainTitle(definition["title"]) : cells.nodes(titleFragment.blocks)
    return schema.nodes["table_title"]!.create({ ...titleFragment?.attrs, column: id, definition }, nodes)
  })
  const cellOf = (row: Row, column: string): Node => {
    const value = row.values[column]
    const cell = take(value)
    if (cell !== undefined) return schema.node("table_cell", { ...cell.attrs, column }, cells.nodes(cell.blocks))
    return schema.node("table_value", { column, value: value ?? null, isAbsent: value === undefined })
  }
  const rows = table.rows.map((row) => {
    const { values: _, ...record } = objectOrEmpty((records as Properties)[row.id])
    const others = Object.entries(row.values).filter(([column]) => !table.columns.some(({ id }) => id === column))
    return schema.node(
      "table_row",
      { id: row.id, record: { ...record, values: Object.fromEntries(others) } },
      table.columns.map(({ id }) => cellOf(row, id))
    )
  })
  const node = schema.nodes["table"]!.create({ ...attrs, data }, [schema.node("table_head", null, titles), ...rows])
  const isWhole =
    titles.every(({ content, type }) => type.validContent(content)) && used.size === (block.fragments ?? []).length
  return isWhole && equals(tableBlock(node, cells), block) ? node : undefined
}

const plainTitle = (title: unknown): ReadonlyArray<Node> => {
  const text = stringValue(title)
  return [schema.node("paragraph", { filler: true }, text === "" ? [] : [schema.text(text)])]
}

export const tableBlock = (node: Node, cells: CellBlocks): Block => {
  const [head, ...rows] = node.children
  const fragments: Array<{ readonly position: number; readonly fragment: Fragment }> = []
  const addFragment = (cell: Node, name: string) => {
    fragments.push({
      position: cell.attrs["position"] ?? Infinity,
      fragment: fragmentWith(name, cell.attrs, cells.blocks(cell))
    })
    return name
  }
  const definition = Object.fromEntries(
    head!.children.map((title) => [title.attrs["column"], columnOf(title, (name) => addFragment(title, name))])
  )
  let order = ""
  const records = Object.fromEntries(
    rows.map((row, r) => {
      const { id, record } = row.attrs
      const values = row.children.flatMap((cell): ReadonlyArray<readonly [string, unknown]> => {
        const { column, fragment, isAbsent, value } = cell.attrs
        if (cell.type.name === "table_cell") return [[column, addFragment(cell, fragment ?? `${id}-${column}`)]]
        return isAbsent ? [] : [[column, value]]
      })
      order = orderOf(record["orderIndex"], order, rows[r + 1]?.attrs["record"]["orderIndex"])
      const isStored = stringValue(record["orderIndex"]) === order
      return [
        id,
        {
          ...record,
          ...(!isStored && { orderIndex: order }),
          values: { ...record["values"], ...Object.fromEntries(values) }
        }
      ]
    })
  )
  fragments.sort((a, b) => (a.position === b.position ? 0 : a.position - b.position))
  return {
    object: "block",
    type: "table",
    key: node.attrs["key"] ?? "",
    data: { ...node.attrs["data"], definition, records },
    ...isVoidOf(node.attrs["isVoid"], requiredBlockParts("table").isVoid),
    fragments: fragments.map(({ fragment }) => fragment)
  }
}

/** Returns the index of a row: its own if the rows before have no higher one, otherwise one that follows them. */
const orderOf = (own: unknown, before: string, after: unknown): string => {
  const index = stringValue(own)
  if (own !== undefined && index >= before) return index
  const next = stringValue(after)
  return orderIndexBetween(before, next > before ? next : undefined) ?? `${before}V`
}

/** Returns the definition of a column. `addFragment`: adds the title as a fragment of this name and returns the name. */
const columnOf = (title: Node, addFragment: (name: string) => string): Properties => {
  const { column, definition, fragment } = title.attrs
  const isPlainTitle =
    fragment === null &&
    title.childCount === 1 &&
    title.firstChild!.children.every(({ isText, marks }) => isText && marks.length === 0)
  const text = title.textContent
  const hasSameText = text === stringValue(definition["title"])
  const changed = hasSameText ? definition : { ...definition, title: text }
  return isPlainTitle ? changed : { ...changed, titleFragment: addFragment(fragment ?? `header-${column}`) }
}
