/**
 * Assigns to a new version of a table the ids of the previous version, for columns, rows and cells that correspond. The
 * Markdown parser creates new ids each time, so equal ids are no evidence.
 */
import type { Block } from "../Document.ts"
import { candidate, matchEdited } from "./EditMatch.ts"
import type { Fingerprints } from "./Fingerprints.ts"
import * as OrderIndex from "./OrderIndex.ts"
import { increasing, matchEqual, type Pair } from "./SequenceMatch.ts"
import {
  cell,
  type Column,
  describeColumn,
  type Properties,
  read,
  renamed,
  type Row,
  type Table,
  textOf
} from "../table/TableContent.ts"

/**
 * Returns a function that assigns to the next table the ids of corresponding parts of the previous table. Undefined if
 * one of the blocks can't be read as a table.
 */
export const aligned = (
  previousBlock: Block,
  nextBlock: Block,
  prints: Fingerprints
): ((next: Block) => Block) | undefined => {
  const previous = read(previousBlock)
  const next = read(nextBlock)
  if (previous === undefined || next === undefined) return undefined
  const columnPairs = matchColumns(previous, next, prints)
  const rowPairs = matchRows(previous, next, columnPairs, prints)
  const fragments = new Map<string, string>()
  const same = (from: unknown, to: unknown) => {
    if (typeof from !== "string" || typeof to !== "string") return
    if (previous.fragments.has(from) && next.fragments.has(to)) fragments.set(to, from)
  }
  for (const [a, b] of columnPairs) {
    const [from, to] = [previous.columns[a]!, next.columns[b]!]
    for (const name of Object.keys(to.definition)) same(from.definition[name], to.definition[name])
    for (const [i, j] of rowPairs) same(previous.rows[i]!.values[from.id], next.rows[j]!.values[to.id])
  }
  // A rewritten table has newly numbered parts, so they need a suffix. If the key of the table stayed, the client chose
  // the ids.
  const suffix = nextBlock.key === previousBlock.key ? undefined : nextBlock.key
  const columns = names(columnPairs, previous.columns, next.columns, suffix)
  const records = names(rowPairs, previous.rows, next.rows, suffix)
  makeDistinct(fragments, next.fragments.keys(), previous.fragments, suffix)
  const orderIndexes = orders(previous, next, rowPairs)
  return (block) => rename(block, { columns, records, fragments, orderIndexes })
}

const matchColumns = (previous: Table, next: Table, prints: Fingerprints): Array<Pair> => {
  const print = (table: Table) => table.columns.map((column) => prints.of(describeColumn(table, column)))
  const pairs = matchEqual(print(previous), print(next), prints.effort)
  const describe = ({ definition }: Column) =>
    candidate(textOf(definition["type"]), "column", textOf(definition["title"]))
  return pairs.concat(
    matchEdited(
      pairs,
      [previous.columns.length, next.columns.length],
      (i) => describe(previous.columns[i]!),
      (j) => describe(next.columns[j]!),
      prints.effort
    )
  )
}

const matchRows = (previous: Table, next: Table, columns: ReadonlyArray<Pair>, prints: Fingerprints): Array<Pair> => {
  const before = (row: Row) => columns.map(([a]) => cell(previous, row, previous.columns[a]!.id))
  const after = (row: Row) => columns.map(([, b]) => cell(next, row, next.columns[b]!.id))
  const pairs = matchEqual(
    previous.rows.map((row) => prints.of(before(row))),
    next.rows.map((row) => prints.of(after(row))),
    prints.effort
  )
  return pairs.concat(
    matchEdited(
      pairs,
      [previous.rows.length, next.rows.length],
      (i) => candidate("row", undefined, before(previous.rows[i]!)),
      (j) => candidate("row", undefined, after(next.rows[j]!)),
      prints.effort
    )
  )
}

interface Named {
  readonly id: string
}

const names = (
  pairs: ReadonlyArray<Pair>,
  previous: ReadonlyArray<Named>,
  next: ReadonlyArray<Named>,
  suffix: string | undefined
) => {
  const found = new Map(pairs.map(([i, j]) => [next[j]!.id, previous[i]!.id]))
  const ids = next.map(({ id }) => id)
  makeDistinct(found, ids, new Set(previous.map(({ id }) => id)), suffix)
  return found
}

/**
 * Names new parts. With a suffix, a name is unique in this table and on the other side of a later merge. Without a
 * suffix, a part keeps its name, unless the previous table uses the name for another part.
 */
const makeDistinct = (
  found: Map<string, string>,
  ids: Iterable<string>,
  previous: { readonly has: (id: string) => boolean },
  suffix: string | undefined
) => {
  const all = [...ids]
  const used = new Set([...found.values(), ...all])
  for (const id of all) {
    if (found.has(id) || (suffix === undefined && !previous.has(id))) continue
    const start = suffix === undefined ? id : `${id}-${suffix}`
    let free = suffix === undefined ? `${id}-2` : start
    for (let n = 2; used.has(free) || previous.has(free); n++) free = `${start}-${n}`
    used.add(free)
    found.set(id, free)
  }
}

/** Returns order indexes by row id. Rows that stayed in order keep theirs, so that a new row changes no other row. */
const orders = (previous: Table, next: Table, pairs: ReadonlyArray<Pair>): ReadonlyMap<string, string> => {
  const known = pairs.toSorted(([, a], [, b]) => a - b)
  const kept = new Map<number, string>()
  let last = ""
  for (const k of increasing(known.map(([i]) => i))) {
    const [i, j] = known[k]!
    const { orderIndex } = previous.rows[i]!
    if (orderIndex > last) kept.set(j, (last = orderIndex))
  }
  const found = new Map<string, string>()
  let before = ""
  for (let j = 0, following = -1; j < next.rows.length; j++) {
    if (following < j) for (following = j; following < next.rows.length && !kept.has(following);) following++
    const index = kept.get(j) ?? OrderIndex.between(before, kept.get(following))
    // If no index fits between two neighbors, all rows keep the order indexes of the new version.
    if (index === undefined) return new Map()
    found.set(next.rows[j]!.id, (before = index))
  }
  return found
}

interface Renames {
  readonly columns: ReadonlyMap<string, string>
  readonly records: ReadonlyMap<string, string>
  readonly fragments: ReadonlyMap<string, string>
  readonly orderIndexes: ReadonlyMap<string, string>
}

/** Returns the table with other ids. Ids that a map does not contain stay. */
export const rename = (block: Block, { columns, fragments, orderIndexes, records }: Renames): Block => {
  const table = read(block)
  if (table === undefined) return block
  const data = block.data!
  const reference = (value: unknown) =>
    typeof value === "string" && table.fragments.has(value) ? (fragments.get(value) ?? value) : value
  const values = (row: Row) =>
    Object.entries(row.values).map(([id, value]) => [columns.get(id) ?? id, reference(value)])
  const rows = new Map(table.rows.map((row) => [row.id, row]))
  return {
    ...block,
    data: {
      ...data,
      ...(data["view"] === undefined ? {} : { view: renamed(data["view"], columns, 0) }),
      definition: Object.fromEntries(
        Object.entries(data["definition"] as Record<string, Properties>).map(([id, definition]) => [
          columns.get(id) ?? id,
          Object.fromEntries(
            Object.entries(definition).map(([name, value]) => [
              name,
              name === "id" ? (columns.get(id) ?? id) : reference(value)
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
