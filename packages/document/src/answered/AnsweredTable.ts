/**
 * Converts tables to and from the form in responses. In responses, a text column has an alignment (default: `left`) and
 * no `titleFragment`, and references in cells have no label. The omitted values are in `written`.
 */
import { properties } from "../table/TableContent.ts"
import { isData, listOf, type Data } from "./Written.ts"

/** Parts of a table that are in `written`. */
export interface Beside {
  /** Fields of columns, by column id. */
  readonly columns?: { readonly [id: string]: Data }
  /** Labels of references, by record and column: one label, or a list if the cell holds a list. */
  readonly labels?: { readonly [record: string]: Data }
}

/** Fields of columns that the hosted service's vocabulary lacks. */
const beside = new Set(["titleFragment"])

const isText = (column: Data): boolean => column.type === "text"

interface Written {
  readonly data: Data
  readonly beside: Beside
}

/** Returns the data in the form of responses. Undefined if the table needs no change. */
export const write = (data: Data | undefined): Written | undefined => {
  if (data === undefined || !isData(data.definition)) return undefined
  const columns: Array<readonly [string, Data]> = []
  let changed = false
  const definition = Object.entries(data.definition).map(([id, column]) => {
    if (!isData(column)) return [id, column] as const
    const isSaid = column.textAlignment !== undefined
    const said = Object.entries(column).filter(
      ([name]) => beside.has(name) || (name === "textAlignment" && isText(column) && column.textAlignment === "left")
    )
    if (said.length > 0) columns.push([id, Object.fromEntries(said)])
    if ((isSaid || !isText(column)) && said.every(([name]) => !beside.has(name))) return [id, column] as const
    changed = true
    const own = Object.fromEntries(Object.entries(column).filter(([name]) => !beside.has(name)))
    return [id, isText(column) && !isSaid ? { ...own, textAlignment: "left" } : own] as const
  })
  const { labels, records } = withoutLabels(data)
  if (!changed && columns.length === 0 && labels === undefined) return undefined
  return {
    data: {
      ...data,
      ...(changed ? { definition: Object.fromEntries(definition) } : {}),
      ...(labels !== undefined && { records })
    },
    beside: {
      ...(columns.length > 0 && { columns: Object.fromEntries(columns) }),
      ...(labels !== undefined && { labels })
    }
  }
}

/** Returns the original data. `beside` is the table's `written` as the client sent it. */
export const read = (
  data: unknown,
  beside: { readonly columns?: unknown; readonly labels?: unknown }
): Data | undefined => {
  if (!isData(data)) return undefined
  if (!isData(data.definition)) return data
  const definition = definitionOf(data.definition, properties(beside.columns))
  const records = recordsOf(data, properties(beside.labels))
  if (definition === undefined && records === undefined) return data
  return { ...data, ...(definition && { definition }), ...(records && { records }) }
}

/** Returns the original columns. Undefined if no column changes. */
const definitionOf = (given: Data, columns: Data): Data | undefined => {
  let changed = false
  const definition = Object.entries(given).map(([id, column]) => {
    if (!isData(column)) return [id, column] as const
    const said = properties(Object.hasOwn(columns, id) ? columns[id] : undefined)
    const isFilled = isText(column) && column.textAlignment === "left" && said.textAlignment !== "left"
    const others = Object.entries(said).filter(([name]) => beside.has(name))
    if (!isFilled && others.length === 0) return [id, column] as const
    changed = true
    const own = Object.entries(column).filter(([name]) => !isFilled || name !== "textAlignment")
    return [id, Object.fromEntries([...own, ...others])] as const
  })
  return changed ? Object.fromEntries(definition) : undefined
}

/** Types of columns whose cells are references. */
const linking = new Set<unknown>(["content-ref", "files", "image"])

const linkingOf = (definition: unknown): ReadonlyArray<string> =>
  Object.entries(properties(definition)).flatMap(([id, column]) => (linking.has(properties(column).type) ? [id] : []))

/** Returns the records with mapped values in cells that hold references. Undefined if no value changes. */
const mapCells = (
  { definition, records }: Data,
  f: (cell: unknown, record: string, column: string) => unknown
): Data | undefined => {
  const columns = linkingOf(definition)
  if (columns.length === 0 || !isData(records)) return undefined
  let changed = false
  const mapped = Object.entries(records).map(([id, record]) => {
    const values = isData(record) && isData(record.values) ? record.values : {}
    const others = columns.flatMap((column) => {
      const cell = Object.hasOwn(values, column) ? values[column] : undefined
      const after = cell === undefined ? cell : f(cell, id, column)
      return after === cell ? [] : [[column, after] as const]
    })
    if (others.length === 0) return [id, record] as const
    changed = true
    return [id, { ...(record as Data), values: { ...values, ...Object.fromEntries(others) } }] as const
  })
  return changed ? Object.fromEntries(mapped) : undefined
}

const labelOf = (value: unknown): string | undefined =>
  isData(value) && isData(value.ref) && typeof value.label === "string" ? value.label : undefined

/**
 * Returns a reference without its label. An object with nothing but `ref` becomes the reference itself. In a list of
 * values, a reference to a file of the space becomes the file's id.
 */
const withoutLabel = (value: unknown, isListed: boolean): unknown => {
  if (labelOf(value) === undefined) return value
  const { label: _, ...rest } = value as Data
  if (Object.keys(rest).length > 1) return rest
  const ref = rest.ref as Data
  return isListed && ref.kind === "file" && Object.keys(ref).length === 2 ? ref.file : ref
}

const withoutLabels = (data: Data): { readonly records?: Data | undefined; readonly labels?: Beside["labels"] } => {
  const labels = new Map<string, Array<readonly [string, unknown]>>()
  const records = mapCells(data, (cell, record, column) => {
    const found = Array.isArray(cell) ? cell.map((one) => labelOf(one) ?? null) : labelOf(cell)
    if (found === undefined || (Array.isArray(found) && found.every((one) => one === null))) return cell
    const known = labels.get(record)
    if (known === undefined) labels.set(record, [[column, found]])
    else known.push([column, found])
    return Array.isArray(cell) ? cell.map((one) => withoutLabel(one, true)) : withoutLabel(cell, false)
  })
  if (records === undefined) return {}
  return { records, labels: Object.fromEntries([...labels].map(([id, all]) => [id, Object.fromEntries(all)])) }
}

const withLabel = (value: unknown, label: unknown): unknown => {
  if (typeof label !== "string") return value
  if (typeof value === "string") return { ref: { kind: "file", file: value }, label }
  if (!isData(value)) return value
  return isData(value.ref) ? { ...value, label } : { ref: value, label }
}

const recordsOf = (data: Data, labels: Data): Data | undefined =>
  mapCells(data, (cell, record, column) => {
    const own = properties(Object.hasOwn(labels, record) ? labels[record] : undefined)
    const label = Object.hasOwn(own, column) ? own[column] : undefined
    if (label === undefined) return cell
    return Array.isArray(cell) ? cell.map((one, i) => withLabel(one, listOf(label)[i])) : withLabel(cell, label)
  })
