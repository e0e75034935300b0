/**
 * Assigns to a new version of a table the ids of the previous version, for columns, rows and cells that correspond. The
 * Markdown parser creates new ids each time, so equal ids are no evidence.
 */
import type { Block } from "../Document.ts"
import { candidate, matchEdited } from "./EditMatch.ts"
import type { Fingerprints } from "./Fingerprints.ts"
import * as OrderIndex from "./OrderIndex.ts"
import { longestIncreasingSubsequence, matchEqual, type Pair } from "./SequenceMatch.ts"
import {
  cellContent,
  type Column,
  describeColumn,
  type Properties,
  readTable,
  replaceIds,
  type Row,
  type Table,
  stringValue
} from "../table/TableContent.ts"

/**
 * Returns a function that assigns to the next table the ids of corresponding parts of the previous table. Undefined if
 * one of the blocks can't be read as a table.
 */
export const tableRename = (
  previousBlock: Block,
  nextBlock: Block,
  fingerprints: Fingerprints
): ((next: Block) => Block) | undefined => {
  const previous = readTable(previousBlock)
  const next = readTable(nextBlock)
  if (previous === undefined || next === undefined) return undefined
  const columnPairs = matchColumns(previous, next, fingerprints)
  const rowPairs = matchRows(previous, next, columnPairs, fingerprints)
  const fragments = new Map<string, string>()
  const pairFragments = (from: unknown, to: unknown) => {
    if (typeof from !== "string" || typeof to !== "string") return
    if (previous.fragments.has(from) && next.fragments.has(to)) fragments.set(to, from)
  }
  for (const [a, b] of columnPairs) {
    const [from, to] = [previous.columns[a]!, next.columns[b]!]
    for (const name of Object.keys(to.definition)) pairFragments(from.definition[name], to.definition[name])
    for (const [i, j] of rowPairs) pairFragments(previous.rows[i]!.values[from.id], next.rows[j]!.values[to.id])
  }
  // A rewritten table has newly numbered parts, so they need a suffix. If the key of the table stayed, the client chose
  // the ids.
  const suffix = nextBlock.key === previousBlock.key ? undefined : nextBlock.key
  const columns = renamedIds(columnPairs, previous.columns, next.columns, suffix)
  const records = renamedIds(rowPairs, previous.rows, next.rows, suffix)
  assignUniqueIds(fragments, next.fragments.keys(), previous.fragments, suffix)
  const orderIndexes = orderIndexesOf(previous, next, rowPairs)
  return (block) => renameTable(block, { columns, records, fragments, orderIndexes })
}

const matchColumns = (previous: Table, next: Table, fingerprints: Fingerprints): Array<Pair> => {
  const columnFingerprints = (table: Table) =>
    table.columns.map((column) => fingerprints.of(describeColumn(table, column)))
  const pairs = matchEqual(columnFingerprints(previous), columnFingerprints(next), fingerprints.budget)
  const candidateOf = ({ definition }: Column) =>
    candidate(stringValue(definition["type"]), "column", stringValue(definition["title"]))
  return pairs.concat(
    matchEdited(
      pairs,
      [previous.columns.length, next.columns.length],
      (i) => candidateOf(previous.columns[i]!),
      (j) => candidateOf(next.columns[j]!),
      fingerprints.budget
    )
  )
}

const matchRows = (
  previous: Table,
  next: Table,
  columns: ReadonlyArray<Pair>,
  fingerprints: Fingerprints
): Array<Pair> => {
  const previousCells = (row: Row) => columns.map(([a]) => cellContent(previous, row, previous.columns[a]!.id))
  const nextCells = (row: Row) => columns.map(([, b]) => cellContent(next, row, next.columns[b]!.id))
  const pairs = matchEqual(
    previous.rows.map((row) => fingerprints.of(previousCells(row))),
    next.rows.map((row) => fingerprints.of(nextCells(row))),
    fingerprints.budget
  )
  return pairs.concat(
    matchEdited(
      pairs,
      [previous.rows.length, next.rows.length],
      (i) => candidate("row", undefined, previousCells(previous.rows[i]!)),
      (j) => candidate("row", undefined, nextCells(next.rows[j]!)),
      fingerprints.budget
    )
  )
}

interface Identified {
  readonly id: string
}

const renamedIds = (
  pairs: ReadonlyArray<Pair>,
  previous: ReadonlyArray<Identified>,
  next: ReadonlyArray<Identified>,
  suffix: string | undefined
) => {
  const newIds = new Map(pairs.map(([i, j]) => [next[j]!.id, previous[i]!.id]))
  const ids = next.map(({ id }) => id)
  assignUniqueIds(newIds, ids, new Set(previous.map(({ id }) => id)), suffix)
  return newIds
}

/**
 * Names new parts. With a suffix, a name is unique in this table and on the other side of a later merge. Without a
 * suffix, a part keeps its name, unless the previous table uses the name for another part.
 */
const assignUniqueIds = (
  newIds: Map<string, string>,
  ids: Iterable<string>,
  previous: { readonly has: (id: string) => boolean },
  suffix: string | undefined
) => {
  const all = [...ids]
  const used = new Set([...newIds.values(), ...all])
  for (const id of all) {
    if (newIds.has(id) || (suffix === undefined && !previous.has(id))) continue
    const prefix = suffix === undefined ? id : `${id}-${suffix}`
    let freeId = suffix === undefined ? `${id}-2` : prefix
    for (let n = 2; used.has(freeId) || previous.has(freeId); n++) freeId = `${prefix}-${n}`
    used.add(freeId)
    newIds.set(id, freeId)
  }
}

/** Returns order indexes by row id. Rows that stayed in order keep theirs, so that a new row changes no other row. */
const orderIndexesOf = (previous: Table, next: Table, pairs: ReadonlyArray<Pair>): ReadonlyMap<string, string> => {
  const sortedPairs = pairs.toSorted(([, a], [, b]) => a - b)
  const retainedIndexes = new Map<number, string>()
  let last = ""
  for (const k of longestIncreasingSubsequence(sortedPairs.map(([i]) => i))) {
    const [i, j] = sortedPairs[k]!
    const { orderIndex } = previous.rows[i]!
    if (orderIndex > last) retainedIndexes.set(j, (last = orderIndex))
  }
  const result = new Map<string, string>()
  let before = ""
  for (let j = 0, following = -1; j < next.rows.length; j++) {
    if (following < j) for (following = j; following < next.rows.length && !retainedIndexes.has(following);) following++
    const index = retainedIndexes.get(j) ?? OrderIndex.orderIndexBetween(before, retainedIndexes.get(following))
    // If no index fits between two neighbors, all rows keep the order indexes of the new version.
    if (index === undefined) return new Map()
    result.set(next.rows[j]!.id, (before = index))
  }
  return result
}

interface Renames {
  readonly columns: ReadonlyMap<string, string>
  readonly records: ReadonlyMap<string, string>
  readonly fragments: ReadonlyMap<string, string>
  readonly orderIndexes: ReadonlyMap<string, string>
}

/** Returns the table with other ids. Ids that a map does not contain stay. */
export const renameTable = (block: Block, { columns, fragments, orderIndexes, records }: Renames): Block => {
  const table = readTable(block)
  if (table === undefined) return block
  const data = block.data!
  const renameReference = (value: unknown) =>
    typeof value === "string" && table.fragments.has(value) ? (fragments.get(value) ?? value) : value
  const values = (row: Row) =>
    Object.entries(row.values).map(([id, value]) => [columns.get(id) ?? id, renameReference(value)])
  const rows = new Map(table.rows.map((row) => [row.id, row]))
  return {
    ...block,
    data: {
      ...data,
      ...(data["view"] === undefined ? {} : { view: replaceIds(data["view"], columns, 0) }),
      definition: Object.fromEntries(
        Object.entries(data["definition"] as Record<string, Properties>).map(([id, definition]) => [
          columns.get(id) ?? id,
          Object.fromEntries(
            Object.entries(definition).map(([name, value]) => [
              name,
              name === "id" ? (columns.get(id) ?? id) : renameReference(value)
            ])
          )
        ])
      ),
      records: Object.fromEntries(
        Object.entries(data["records"] as Record<string, Properties>).map(([id, record]) => [
          records.get(id) ?? id,
          {
            ...record,
            ...(orderIndexes.has(id) ? { orderIndex: orderIndexes.get(id) } : {}),
            values: Object.fromEntries(values(rows.get(id)!))
          }
        ])
      )
    },
    ...(block.fragments === undefined
      ? {}
      : {
          fragments: block.fragments.map((fragment) =>
            fragment.fragment === undefined
              ? fragment
              : { ...fragment, fragment: fragments.get(fragment.fragment) ?? fragment.fragment }
          )
        })
  }
}
