/**
 * Finds parts that both sides added to one table, and assigns one id to each pair:
 *
 * - columns with the same title and type
 * - rows with the same content after the same row
 * - cells of a row and column that both sides have
 *
 * The parts then merge to one instead of appearing twice.
 */
import type { Block, Fragment } from "../Document.ts"
import { entries } from "../BlockTree.ts"
import type { Fingerprints } from "../alignment/Fingerprints.ts"
import { renameTable } from "../alignment/TableAlignment.ts"
import type { Column, Row, Table } from "../table/TableContent.ts"
import { said } from "../table/TableCells.ts"
import * as TableParts from "../table/TableParts.ts"

interface Context {
  /** Keys of all blocks of a side. */
  readonly main: ReadonlySet<string>
  readonly ours: ReadonlySet<string>
  readonly prints: Fingerprints
}

/** Returns our table, with main's ids for parts that both sides added. */
export const withSharedParts = (base: Block, main: Block, ours: Block, context: Context): Block => {
  const [before, left, right] = [TableParts.of(base), TableParts.of(main), TableParts.of(ours)]
  if (before === undefined || left === undefined || right === undefined) return ours
  const columns = sharedColumns(before, left, right)
  const rows = sharedRows(before, left, right, columns, context.prints)
  const fragments = sharedCells(before, left, right, { columns, rows })
  if (columns.size + rows.size + fragments.size === 0) return ours
  const renamed = renameTable(ours, { columns, records: rows, fragments, orderIndexes: new Map() })
  const shared = new Set(fragments.values())
  return {
    ...renamed,
    ...(renamed.fragments && {
      fragments: renamed.fragments.map((fragment) => {
        const twin = shared.has(fragment.fragment ?? "") ? left.table.fragments.get(fragment.fragment!) : undefined
        return twin === undefined ? fragment : withKeysOf(twin, fragment, context)
      })
    })
  }
}

/**
 * Returns the table with the base's names for fragments of cells that had a fragment in the base. A client that rewrote
 * the table may have renamed them.
 */
export const withNamesOf = (base: Block, block: Block): Block => {
  const [before, after] = [TableParts.of(base), TableParts.of(block)]
  if (before === undefined || after === undefined) return block
  const fragments = new Map<string, string>()
  for (const { id, values } of after.table.rows) {
    for (const [column, name] of Object.entries(values)) {
      const known = before.rows.get(id)?.values[column]
      if (typeof known !== "string" || typeof name !== "string" || known === name) continue
      const isNew = after.table.fragments.has(name) && !before.table.fragments.has(name)
      if (isNew && before.table.fragments.has(known) && !after.table.fragments.has(known)) fragments.set(name, known)
    }
  }
  if (fragments.size === 0) return block
  return renameTable(block, { columns: new Map(), records: new Map(), fragments, orderIndexes: new Map() })
}

type Side = TableParts.Shown

const sharedColumns = (before: Side, left: Side, right: Side): ReadonlyMap<string, string> => {
  const isNew = ({ id }: Column) => !before.columns.has(id) && !(left.columns.has(id) && right.columns.has(id))
  const named = ({ definition: { title, type } }: Column) => JSON.stringify([title, type])
  const waiting = new Map<string, string>()
  for (const column of left.table.columns) {
    const { title } = column.definition
    if (isNew(column) && typeof title === "string" && title !== "" && !waiting.has(named(column))) {
      waiting.set(named(column), column.id)
    }
  }
  const found = new Map<string, string>()
  for (const column of right.table.columns) {
    const twin = isNew(column) ? waiting.get(named(column)) : undefined
    if (twin === undefined) continue
    found.set(column.id, twin)
    waiting.delete(named(column))
  }
  return found
}

const sharedRows = (
  before: Side,
  left: Side,
  right: Side,
  columns: ReadonlyMap<string, string>,
  prints: Fingerprints
): ReadonlyMap<string, string> => {
  const isNew = ({ id }: Row) => !before.rows.has(id) && !(left.rows.has(id) && right.rows.has(id))
  const content = (table: Table, row: Row, name: (id: string) => string) =>
    table.columns
      .flatMap(({ id }) => {
        const print = said(table, row, id, prints)
        return print === undefined ? [] : [`${name(id)}:${print}`]
      })
      .sort()
      .join()
  const waiting = new Map<string, Array<string>>()
  let gap = ""
  for (const row of left.table.rows) {
    if (right.rows.has(row.id)) gap = row.id
    if (!isNew(row)) continue
    const place = JSON.stringify([gap, content(left.table, row, (id) => id)])
    const queue = waiting.get(place)
    if (queue === undefined) waiting.set(place, [row.id])
    else queue.push(row.id)
  }
  // The queues are reversed, so that the next item is popped from the end instead of shifted.
  for (const queue of waiting.values()) queue.reverse()
  const found = new Map<string, string>()
  gap = ""
  for (const row of right.table.rows) {
    if (left.rows.has(row.id)) gap = row.id
    if (!isNew(row)) continue
    const twin = waiting.get(JSON.stringify([gap, content(right.table, row, (id) => columns.get(id) ?? id)]))?.pop()
    if (twin !== undefined) found.set(row.id, twin)
  }
  return found
}

/** Returns the names of main's fragments by the names of our fragments of the same cells. */
const sharedCells = (
  before: Side,
  left: Side,
  right: Side,
  ids: { readonly columns: ReadonlyMap<string, string>; readonly rows: ReadonlyMap<string, string> }
): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  const pair = (mine: unknown, theirs: unknown) => {
    if (typeof mine !== "string" || typeof theirs !== "string" || mine === theirs) return
    if (!right.table.fragments.has(mine) || !left.table.fragments.has(theirs)) return
    if (before.table.fragments.has(mine) || before.table.fragments.has(theirs)) return
    if (left.table.fragments.has(mine) || right.table.fragments.has(theirs)) return
    found.set(mine, theirs)
  }
  for (const row of right.table.rows) {
    const twin = left.rows.get(ids.rows.get(row.id) ?? row.id)
    if (twin === undefined) continue
    for (const [column, value] of Object.entries(row.values))
      pair(value, twin.values[ids.columns.get(column) ?? column])
  }
  for (const column of right.table.columns) {
    const twin = left.columns.get(ids.columns.get(column.id) ?? column.id)
    if (twin === undefined) continue
    for (const [name, value] of Object.entries(column.definition)) pair(value, twin.definition[name])
  }
  return found
}

/**
 * Returns our cell with the block keys of main's cell. If the contents differ, a block takes the key of the block at
 * its index, provided that the types are equal.
 */
const withKeysOf = (twin: Fragment, fragment: Fragment, { main, ours, prints }: Context): Fragment => {
  const isFree = ({ key }: Block) => main.has(key) && !ours.has(key)
  if (prints.of(twin.nodes) === prints.of(fragment.nodes) && allBlocks(twin).every(isFree)) return twin
  const nodes = fragment.nodes.map((block, i) => {
    const other = twin.nodes[i]
    if (other === undefined || other.type !== block.type || main.has(block.key) || !isFree(other)) return block
    return { ...block, key: other.key }
  })
  return { ...fragment, nodes }
}

const allBlocks = ({ nodes }: Fragment): ReadonlyArray<Block> =>
  entries({ object: "document", data: {}, nodes }).map(({ block }) => block)
