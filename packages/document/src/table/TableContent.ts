/**
 * Content of a table, independent of the ids of its columns, records and fragments of cells. The Markdown parser
 * creates new ids each time.
 */
import type { Block, Fragment } from "../Document.ts"

export type Properties = { readonly [name: string]: unknown }

export interface Column {
  readonly id: string
  readonly definition: Properties
}
export interface Row {
  readonly id: string
  readonly orderIndex: string
  readonly values: Properties
}
export interface Table {
  readonly columns: ReadonlyArray<Column>
  readonly rows: ReadonlyArray<Row>
  readonly fragments: ReadonlyMap<string, Fragment>
}

const isProperties = (value: unknown): value is Properties =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Returns the value if it is an object. Otherwise returns an empty object. */
export const objectOrEmpty = (value: unknown): Properties => (isProperties(value) ? value : {})

/**
 * Returns a value from a client as a string. Uses JSON, because a client's object may have properties that break the
 * conversion to a string.
 */
export const stringValue = (value: unknown): string => {
  if (typeof value === "string") return value
  return value === undefined || value === null ? "" : JSON.stringify(value)
}

const maxCells = 10_000

const inheritedNames = Object.getOwnPropertyNames(Object.prototype)

const hasInheritedName = (value: object): boolean => inheritedNames.some((name) => Object.hasOwn(value, name))

/**
 * Returns the columns and rows of a table in display order. Undefined in these cases:
 *
 * - The value is not a table.
 * - A column has the name of an inherited property (`constructor`), or a column or row has a property with such a name.
 *   Objects without that property would seem to have it.
 * - The table is large and sparse: over 10,000 cells, of which fewer than about one in 64 have a value. Visiting each
 *   cell would take too long.
 */
export const readTable = (value: object): Table | undefined => {
  const block = value as Partial<Block>
  if (block.object !== "block" || block.type !== "table" || !isProperties(block.data)) return undefined
  const { definition, records, view } = block.data
  if (!isProperties(definition) || !isProperties(records)) return undefined
  const order = isProperties(view) && Array.isArray(view["columns"]) ? (view["columns"] as Array<unknown>) : []
  const displayOrder = new Map(order.map((id, position) => [id, position]))
  const columns: Array<Column> = []
  for (const [id, column] of Object.entries(definition)) {
    if (!isProperties(column) || id in Object.prototype || hasInheritedName(column)) return undefined
    columns.push({ id, definition: column })
  }
  columns.sort((a, b) => (displayOrder.get(a.id) ?? order.length) - (displayOrder.get(b.id) ?? order.length))
  const rows: Array<Row> = []
  let values = 0
  for (const [id, record] of Object.entries(records)) {
    if (!isProperties(record) || !isProperties(record["values"]) || hasInheritedName(record["values"])) return undefined
    values += Object.keys(record["values"]).length
    rows.push({ id, orderIndex: stringValue(record["orderIndex"]), values: record["values"] })
  }
  const cellCount = columns.length * rows.length
  if (cellCount > maxCells && cellCount > 64 * (columns.length + rows.length + values)) return undefined
  rows.sort((a, b) => (a.orderIndex < b.orderIndex ? -1 : a.orderIndex > b.orderIndex ? 1 : 0))
  const fragments = new Map<string, Fragment>()
  for (const fragment of block.fragments ?? []) {
    if (fragment.fragment !== undefined) fragments.set(fragment.fragment, fragment)
  }
  return { columns, rows, fragments }
}

/** Returns the visible columns in display order. */
export const visibleColumns = ({ columns }: Table, view: Properties): ReadonlyArray<Column> => {
  const listedIds = view["columns"]
  if (!Array.isArray(listedIds) || listedIds.length === 0) return columns
  const visibleIds = new Set<unknown>(listedIds)
  return columns.filter(({ id, definition }) => visibleIds.has(id) && definition["hidden"] !== true)
}

/** Maximum characters of an option's label in each cell that refers to the option. */
const maxLabel = 1_000

const labelsCache = new WeakMap<ReadonlyArray<unknown>, ReadonlyMap<unknown, string | undefined>>()

/**
 * Returns the labels of a column's options by their values. If options share a value, the first label counts. The
 * result is cached for the lifetime of `options`. Limit: 1,000 characters of a label.
 */
export const optionLabels = ({ options }: Properties): ReadonlyMap<unknown, string | undefined> => {
  if (!Array.isArray(options)) return new Map()
  let labelByValue = labelsCache.get(options)
  if (labelByValue === undefined) {
    const newLabels = new Map<unknown, string | undefined>()
    for (const option of options) {
      const { value, label } = objectOrEmpty(option)
      if (!newLabels.has(value)) newLabels.set(value, typeof label === "string" ? truncateLabel(label) : undefined)
    }
    labelsCache.set(options, (labelByValue = newLabels))
  }
  return labelByValue
}

const truncateLabel = (label: string): string =>
  label.length <= maxLabel ? label : `${label.slice(0, maxLabel).toWellFormed()}…`

/** Returns the label of the option with a value. Returns the value itself if no such option exists. */
export const optionLabel = (definition: Properties, value: string): string =>
  optionLabels(definition).get(value) ?? value

/** Returns the value, or the content of the fragment that the value names. */
const resolveContent = (table: Table, value: unknown): unknown => {
  const fragment = typeof value === "string" ? table.fragments.get(value) : undefined
  return fragment === undefined ? value : { nodes: fragment.nodes }
}

export const cellContent = (table: Table, row: Row, column: string): unknown =>
  resolveContent(table, row.values[column])

/** Returns the fields of a column without its id. A title with marks is the content of its fragment. */
export const describeColumn = (table: Table, { definition }: Column): Properties =>
  Object.fromEntries(
    Object.entries(definition).flatMap(([name, value]) => (name === "id" ? [] : [[name, resolveContent(table, value)]]))
  )

/** Returns the table with positions instead of ids. Undefined for any other value. */
export const canonicalTable = (value: object): object | undefined => {
  const table = readTable(value)
  if (table === undefined) return undefined
  const block = value as Block
  const columns = new Map(table.columns.map(({ id }, position) => [id, `column ${position}`]))
  const fragmentNames = new Set(table.rows.flatMap((row) => table.columns.map(({ id }) => row.values[id])))
  for (const { definition } of table.columns) for (const value of Object.values(definition)) fragmentNames.add(value)
  return {
    ...block,
    data: {
      ...block.data,
      view: replaceIds(block.data?.["view"], columns, 0),
      definition: table.columns.map((column) => describeColumn(table, column)),
      records: table.rows.map((row) => table.columns.map(({ id }) => cellContent(table, row, id)))
    },
    fragments: (block.fragments ?? []).filter(({ fragment }) => fragment === undefined || !fragmentNames.has(fragment))
  }
}

const maxRenameDepth = 8

/** Returns a value with ids replaced in strings and property names. Limit: 8 levels. */
export const replaceIds = (value: unknown, ids: ReadonlyMap<string, string>, depth: number): unknown => {
  if (typeof value === "string") return ids.get(value) ?? value
  if (depth === maxRenameDepth || typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map((item) => replaceIds(item, ids, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [ids.get(name) ?? name, replaceIds(item, ids, depth + 1)])
  )
}

/**
 * Restores records, columns and fragments that the cells of a merged table need but the merge removed. `sides`: the
 * versions that were merged.
 */
export const restoreCellParts = (block: Block, sides: ReadonlyArray<Block>): Block => {
  const table = readTable(block)
  if (table === undefined) return block
  const usedNames = new Set<unknown>(table.rows.flatMap((row) => Object.values(row.values)))
  const data = block.data!
  const definition = new Map(Object.entries(data["definition"] as Record<string, unknown>))
  const records = new Map(Object.entries(data["records"] as Record<string, Properties>))
  const fragments = [...(block.fragments ?? [])]
  const presentNames = new Set<unknown>(table.fragments.keys())
  const missingNames: Array<string> = []
  let isChanged = false
  for (const side of sides.map(readTable)) {
    if (side === undefined) continue
    for (const row of side.rows) {
      for (const [column, name] of Object.entries(row.values)) {
        if (typeof name !== "string" || !side.fragments.has(name)) continue
        if (usedNames.has(name) && !presentNames.has(name)) {
          presentNames.add(name)
          fragments.push(side.fragments.get(name)!)
          isChanged = true
        } else if (!usedNames.has(name) && (table.fragments.get(name)?.nodes.length ?? 0) > 0) {
          usedNames.add(name)
          isChanged = true
          const record: Properties = records.get(row.id) ?? { orderIndex: row.orderIndex }
          const values = objectOrEmpty(record["values"])
          const currentIndex = fragments.findIndex(({ fragment }) => fragment === values[column])
          if (currentIndex >= 0) {
            // Another fragment took the cell, so the nodes of this fragment are appended to it.
            const detachedIndex = fragments.findIndex(({ fragment }) => fragment === name)
            const nodes = [...fragments[currentIndex]!.nodes, ...fragments[detachedIndex]!.nodes]
            fragments[currentIndex] = { ...fragments[currentIndex]!, nodes }
            fragments.splice(detachedIndex, 1)
            continue
          }
          records.set(row.id, { ...record, values: { ...values, [column]: name } })
          const sourceColumn = side.columns.find(({ id }) => id === column)
          if (sourceColumn !== undefined && !definition.has(column)) {
            definition.set(column, sourceColumn.definition)
            missingNames.push(column)
          }
        }
      }
    }
  }
  if (!isChanged) return block
  const view = data["view"]
  const columns =
    isProperties(view) && Array.isArray(view["columns"]) ? { columns: [...view["columns"], ...missingNames] } : {}
  return {
    ...block,
    data: {
      ...data,
      ...(isProperties(view) ? { view: { ...view, ...columns } } : {}),
      definition: Object.fromEntries(definition),
      records: Object.fromEntries(records)
    },
    fragments
  }
}
