/**
 * The columns of a table as they are answered: a column of text says how it is aligned, which is `left` where
 * nobody said it, and names no fragment for its title.
 */
import { isData, type Data } from "./Written.ts"

interface Columns {
  readonly data: Data
  readonly columns: { readonly [id: string]: Data } | undefined
}

/** Fields of columns that the hosted service's vocabulary lacks. */
const beside = new Set(["titleFragment"])

const isText = (column: Data): boolean => column.type === "text"

/** Undefined where the table stays as it is. */
export const write = (data: Data | undefined): Columns | undefined => {
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
  if (!changed && columns.length === 0) return undefined
  return {
    data: changed ? { ...data, definition: Object.fromEntries(definition) } : { ...data },
    columns: columns.length === 0 ? undefined : Object.fromEntries(columns)
  }
}

/** The other way: `columns` is what stands beside the table, as somebody sent it. */
export const read = (data: unknown, columns: unknown): Data | undefined => {
  if (!isData(data)) return undefined
  if (!isData(data.definition)) return data
  let changed = false
  const definition = Object.entries(data.definition).map(([id, column]) => {
    if (!isData(column)) return [id, column] as const
    const given = isData(columns) && Object.hasOwn(columns, id) ? columns[id] : undefined
    const said = isData(given) ? given : {}
    const isFilled = isText(column) && column.textAlignment === "left" && said.textAlignment !== "left"
    const others = Object.entries(said).filter(([name]) => beside.has(name))
    if (!isFilled && others.length === 0) return [id, column] as const
    changed = true
    const own = Object.entries(column).filter(([name]) => !isFilled || name !== "textAlignment")
    return [id, Object.fromEntries([...own, ...others])] as const
  })
  return changed ? { ...data, definition: Object.fromEntries(definition) } : data
}
