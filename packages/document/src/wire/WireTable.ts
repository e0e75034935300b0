/**
 * Converts tables to and from the form in responses. In responses, a text column has an alignment (default: `left`) and
 * no `titleFragment`, and references in cells have no label. The omitted values are in `written`.
 */
import { objectOrEmpty } from "../table/TableContent.ts"
import { isData, arrayOrEmpty, type Data } from "./WrittenField.ts"

/** Parts of a table that responses omit. The field `written` holds them. */
export interface OmittedTableParts {
  /** Fields of columns, by column id. */
  readonly columns?: { readonly [id: string]: Data }
  /** Labels of references, by record and column: one label, or a list if the cell holds a list. */
  readonly labels?: { readonly [record: string]: Data }
}

/** Fields of columns that the hosted service's vocabulary lacks. */
const omittedColumnFields = new Set(["titleFragment"])

const isText = (column: Data): boolean => column.type === "text"

interface WireTable {
  readonly data: Data
  readonly omitted: OmittedTableParts
}

/** Returns the data in the form of responses. Undefined if the table needs no change. */
export const encodeTable = (data: Data | undefined): WireTable | undefined => {
  if (data === undefined || !isData(data.definition)) return undefined
  const columns: Array<readonly [string, Data]> = []
  let hasChanges = false
  const definition = Object.entries(data.definition).map(([id, column]) => {
    if (!isData(column)) return [id, column] as const
    const hasAlignment = column.textAlignment !== undefined
    const omittedFields = Object.entries(column).filter(
      ([name]) =>
        omittedColumnFields.has(name) || (name === "textAlignment" && isText(column) && column.textAlignment === "left")
    )
    if (omittedFields.length > 0) columns.push([id, Object.fromEntries(omittedFields)])
    if ((hasAlignment || !isText(column)) && omittedFields.every(([name]) => !omittedColumnFields.has(name)))
      return [id, column] as const
    hasChanges = true
    const supportedFields = Object.fromEntries(
      Object.entries(column).filter(([name]) => !omittedColumnFields.has(name))
    )
    return [
      id,
      isText(column) && !hasAlignment ? { ...supportedFields, textAlignment: "left" } : supportedFields
    ] as const
  })
  const { labels, records } = withoutLabels(data)
  if (!hasChanges && columns.length === 0 && labels === undefined) return undefined
  return {
    data: {
      ...data,
      ...(hasChanges ? { definition: Object.fromEntries(definition) } : {}),
      ...(labels !== undefined && { records })
    },
    omitted: {
      ...(columns.length > 0 && { columns: Object.fromEntries(columns) }),
      ...(labels !== undefined && { labels })
    }
  }
}

/** Returns the original data. `written` is the field of the table as the client sent it. */
export const decodeTable = (
  data: unknown,
  written: { readonly columns?: unknown; readonly labels?: unknown }
): Data | undefined => {
  if (!isData(data)) return undefined
  if (!isData(data.definition)) return data
  const definition = decodeDefinition(data.definition, objectOrEmpty(written.columns))
  const records = decodeRecords(data, objectOrEmpty(written.labels))
  if (definition === undefined && records === undefined) return data
  return { ...data, ...(definition && { definition }), ...(records && { records }) }
}

/** Returns the original columns. Undefined if no column changes. */
const decodeDefinition = (encoded: Data, columns: Data): Data | undefined => {
  let changed = false
  const definition = Object.entries(encoded).map(([id, column]) => {
    if (!isData(column)) return [id, column] as const
    const omittedFields = objectOrEmpty(Object.hasOwn(columns, id) ? columns[id] : undefined)
    const isDefaultAlignment =
      isText(column) && column.textAlignment === "left" && omittedFields.textAlignment !== "left"
    const restoredFields = Object.entries(omittedFields).filter(([name]) => omittedColumnFields.has(name))
    if (!isDefaultAlignment && restoredFields.length === 0) return [id, column] as const
    changed = true
    const ownFields = Object.entries(column).filter(([name]) => !isDefaultAlignment || name !== "textAlignment")
    return [id, Object.fromEntries([...ownFields, ...restoredFields])] as const
  })
  return changed ? Object.fromEntries(definition) : undefined
}

/** Types of columns whose cells are references. */
const referenceColumnTypes = new Set<unknown>(["content-ref", "files", "image"])

const referenceColumns = (definition: unknown): ReadonlyArray<string> =>
  Object.entries(objectOrEmpty(definition)).flatMap(([id, column]) =>
    referenceColumnTypes.has(objectOrEmpty(column).type) ? [id] : []
  )

/** Returns the records with mapped values in cells that hold references. Undefined if no value changes. */
const mapCells = (
  { definition, records }: Data,
  mapCell: (cell: unknown, record: string, column: string) => unknown
): Data | undefined => {
  const columns = referenceColumns(definition)
  if (columns.length === 0 || !isData(records)) return undefined
  let changed = false
  const mapped = Object.entries(records).map(([id, record]) => {
    const values = isData(record) && isData(record.values) ? record.values : {}
    const changes = columns.flatMap((column) => {
      const cell = Object.hasOwn(values, column) ? values[column] : undefined
      const mappedCell = cell === undefined ? cell : mapCell(cell, id, column)
      return mappedCell === cell ? [] : [[column, mappedCell] as const]
    })
    if (changes.length === 0) return [id, record] as const
    changed = true
    return [id, { ...(record as Data), values: { ...values, ...Object.fromEntries(changes) } }] as const
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

const withoutLabels = (
  data: Data
): { readonly records?: Data | undefined; readonly labels?: OmittedTableParts["labels"] } => {
  const labels = new Map<string, Array<readonly [string, unknown]>>()
  const records = mapCells(data, (cell, record, column) => {
    const cellLabels = Array.isArray(cell) ? cell.map((one) => labelOf(one) ?? null) : labelOf(cell)
    if (cellLabels === undefined || (Array.isArray(cellLabels) && cellLabels.every((one) => one === null))) return cell
    const recordLabels = labels.get(record)
    if (recordLabels === undefined) labels.set(record, [[column, cellLabels]])
    else recordLabels.push([column, cellLabels])
    return Array.isArray(cell) ? cell.map((one) => withoutLabel(one, true)) : withoutLabel(cell, false)
  })
  if (records === undefined) return {}
  return {
    records,
    labels: Object.fromEntries([...labels].map(([id, labelsByColumn]) => [id, Object.fromEntries(labelsByColumn)]))
  }
}

const withLabel = (value: unknown, label: unknown): unknown => {
  if (typeof label !== "string") return value
  if (typeof value === "string") return { ref: { kind: "file", file: value }, label }
  if (!isData(value)) return value
  return isData(value.ref) ? { ...value, label } : { ref: value, label }
}

const decodeRecords = (data: Data, labels: Data): Data | undefined =>
  mapCells(data, (cell, record, column) => {
    const recordLabels = objectOrEmpty(Object.hasOwn(labels, record) ? labels[record] : undefined)
    const label = Object.hasOwn(recordLabels, column) ? recordLabels[column] : undefined
    if (label === undefined) return cell
    return Array.isArray(cell) ? cell.map((one, i) => withLabel(one, arrayOrEmpty(label)[i])) : withLabel(cell, label)
  })
