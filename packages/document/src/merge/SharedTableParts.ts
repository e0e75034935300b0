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
import { cellFingerprint } from "../table/TableCells.ts"
import * as TableParts from "../table/TableParts.ts"

interface SharedPartsContext {
  /** Keys of all blocks of a side. */
  readonly main: ReadonlySet<string>
  readonly ours: ReadonlySet<string>
  readonly fingerprints: Fingerprints
}

/** Returns our table, with main's ids for parts that both sides added. */
export const withSharedParts = (base: Block, main: Block, ours: Block, context: SharedPartsContext): Block => {
  const [before, left, right] = [
    TableParts.tablePartExtractor(base),
    TableParts.tablePartExtractor(main),
    TableParts.tablePartExtractor(ours)
  ]
  if (before === undefined || left === undefined || right === undefined) return ours
  const columns = sharedColumns(before, left, right)
  const rows = sharedRows(before, left, right, columns, context.fingerprints)
  const fragments = sharedCells(before, left, right, { columns, rows })
  if (columns.size + rows.size + fragments.size === 0) return ours
  const renamedTable = renameTable(ours, { columns, records: rows, fragments, orderIndexes: new Map() })
  const sharedNames = new Set(fragments.values())
  return {
    ...renamedTable,
    ...(renamedTable.fragments && {
      fragments: renamedTable.fragments.map((fragment) => {
        const counterpart = sharedNames.has(fragment.fragment ?? "")
          ? left.table.fragments.get(fragment.fragment!)
          : undefined
        return counterpart === undefined ? fragment : withBlockKeysOf(counterpart, fragment, context)
      })
    })
  }
}

/**
 * Returns the table with the base's names for fragments of cells that had a fragment in the base. A client that rewrote
 * the table may have renamed them.
 */
export const withFragmentNamesOf = (base: Block, block: Block): Block => {
  const [baseParts, tableParts] = [TableParts.tablePartExtractor(base), TableParts.tablePartExtractor(block)]
  if (baseParts === undefined || tableParts === undefined) return block
  const fragments = new Map<string, string>()
  for (const { id, values } of tableParts.table.rows) {
    for (const [column, name] of Object.entries(values)) {
      const baseName = baseParts.rows.get(id)?.values[column]
      if (typeof baseName !== "string" || typeof name !== "string" || baseName === name) continue
      const isNew = tableParts.table.fragments.has(name) && !baseParts.table.fragments.has(name)
      if (isNew && baseParts.table.fragments.has(baseName) && !tableParts.table.fragments.has(baseName))
        fragments.set(name, baseName)
    }
  }
  if (fragments.size === 0) return block
  return renameTable(block, { columns: new Map(), records: new Map(), fragments, orderIndexes: new Map() })
}

type Side = TableParts.TablePartExtractor

const sharedColumns = (before: Side, left: Side, right: Side): ReadonlyMap<string, string> => {
  const isNew = ({ id }: Column) => !before.columns.has(id) && !(left.columns.has(id) && right.columns.has(id))
  const columnIdentity = ({ definition: { title, type } }: Column) => JSON.stringify([title, type])
  const unpaired = new Map<string, string>()
  for (const column of left.table.columns) {
    const { title } = column.definition
    if (isNew(column) && typeof title === "string" && title !== "" && !unpaired.has(columnIdentity(column))) {
      unpaired.set(columnIdentity(column), column.id)
    }
  }
  const result = new Map<string, string>()
  for (const column of right.table.columns) {
    const counterpart = isNew(column) ? unpaired.get(columnIdentity(column)) : undefined
    if (counterpart === undefined) continue
    result.set(column.id, counterpart)
    unpaired.delete(columnIdentity(column))
  }
  return result
}

const sharedRows = (
  before: Side,
  left: Side,
  right: Side,
  columns: ReadonlyMap<string, string>,
  fingerprints: Fingerprints
): ReadonlyMap<string, string> => {
  const isNew = ({ id }: Row) => !before.rows.has(id) && !(left.rows.has(id) && right.rows.has(id))
  const content = (table: Table, row: Row, name: (id: string) => string) =>
    table.columns
      .flatMap(({ id }) => {
        const fingerprint = cellFingerprint(table, row, id, fingerprints)
        return fingerprint === undefined ? [] : [`${name(id)}:${fingerprint}`]
      })
      .sort()
      .join()
  const unpaired = new Map<string, Array<string>>()
  let precedingRow = ""
  for (const row of left.table.rows) {
    if (right.rows.has(row.id)) precedingRow = row.id
    if (!isNew(row)) continue
    const identity = JSON.stringify([precedingRow, content(left.table, row, (id) => id)])
    const queue = unpaired.get(identity)
    if (queue === undefined) unpaired.set(identity, [row.id])
    else queue.push(row.id)
  }
  // The queues are reversed, so that the next item is popped from the end instead of shifted.
  for (const queue of unpaired.values()) queue.reverse()
  const result = new Map<string, string>()
  precedingRow = ""
  for (const row of right.table.rows) {
    if (left.rows.has(row.id)) precedingRow = row.id
    if (!isNew(row)) continue
    const counterpart = unpaired
      .get(JSON.stringify([precedingRow, content(right.table, row, (id) => columns.get(id) ?? id)]))
      ?.pop()
    if (counterpart !== undefined) result.set(row.id, counterpart)
  }
  return result
}

/** Returns the names of main's fragments by the names of our fragments of the same cells. */
const sharedCells = (
  before: Side,
  left: Side,
  right: Side,
  ids: { readonly columns: ReadonlyMap<string, string>; readonly rows: ReadonlyMap<string, string> }
): ReadonlyMap<string, string> => {
  const result = new Map<string, string>()
  const pairFragments = (ourName: unknown, mainName: unknown) => {
    if (typeof ourName !== "string" || typeof mainName !== "string" || ourName === mainName) return
    if (!right.table.fragments.has(ourName) || !left.table.fragments.has(mainName)) return
    if (before.table.fragments.has(ourName) || before.table.fragments.has(mainName)) return
    if (left.table.fragments.has(ourName) || right.table.fragments.has(mainName)) return
    result.set(ourName, mainName)
  }
  for (const row of right.table.rows) {
    const counterpart = left.rows.get(ids.rows.get(row.id) ?? row.id)
    if (counterpart === undefined) continue
    for (const [column, value] of Object.entries(row.values))
      pairFragments(value, counterpart.values[ids.columns.get(column) ?? column])
  }
  for (const column of right.table.columns) {
    const counterpart = left.columns.get(ids.columns.get(column.id) ?? column.id)
    if (counterpart === undefined) continue
    for (const [name, value] of Object.entries(column.definition)) pairFragments(value, counterpart.definition[name])
  }
  return result
}

/**
 * Returns our cell with the block keys of main's cell. If the contents differ, a block takes the key of the block at
 * its index, provided that the types are equal.
 */
const withBlockKeysOf = (
  counterpart: Fragment,
  fragment: Fragment,
  { main, ours, fingerprints }: SharedPartsContext
): Fragment => {
  const isFree = ({ key }: Block) => main.has(key) && !ours.has(key)
  if (fingerprints.of(counterpart.nodes) === fingerprints.of(fragment.nodes) && allBlocks(counterpart).every(isFree))
    return counterpart
  const nodes = fragment.nodes.map((block, i) => {
    const counterpartBlock = counterpart.nodes[i]
    if (
      counterpartBlock === undefined ||
      counterpartBlock.type !== block.type ||
      main.has(block.key) ||
      !isFree(counterpartBlock)
    )
      return block
    return { ...block, key: counterpartBlock.key }
  })
  return { ...fragment, nodes }
}

const allBlocks = ({ nodes }: Fragment): ReadonlyArray<Block> =>
  entries({ object: "document", data: {}, nodes }).map(({ block }) => block)
