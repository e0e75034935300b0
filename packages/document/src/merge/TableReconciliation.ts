/**
 * Prepares the tables of two sides for the merge, which then only decides about cells, headers and the order:
 *
 * - Equal additions of both sides become one: a row with equal cells at the same position, a column with equal title,
 *   cells at one position.
 * - A row or column that one side deleted stays whole, and is a conflict, if the other side edited it. Otherwise it is
 *   deleted.
 *
 * The rows and columns that stay do not depend on which side is main.
 */
import type { Block, Document, Fragment } from "../Document.ts"
import type { BlockConflict } from "./BlockConflict.ts"
import { entries, mapBlocks } from "../BlockTree.ts"
import type { Fingerprints } from "../alignment/Fingerprints.ts"
import { withNamesOf, withSharedParts } from "./SharedTableParts.ts"
import { mergeOrder } from "./SiblingOrder.ts"
import {
  type Column,
  describeColumn,
  type Properties,
  properties,
  type Row,
  type Table
} from "../table/TableContent.ts"
import { said } from "../table/TableCells.ts"
import * as TableParts from "../table/TableParts.ts"

interface Reconciled {
  readonly main: Document
  readonly ours: Document
  /** Conflicts by the key of their table. */
  readonly conflicts: ReadonlyMap<string, ReadonlyArray<BlockConflict>>
}

export const reconcile = (base: Document, main: Document, ours: Document, prints: Fingerprints): Reconciled => {
  const tables = (document: Document) =>
    new Map(entries(document).flatMap(({ block }) => (block.type === "table" ? [[block.key, block] as const] : [])))
  const [inBase, inMain, inOurs] = [tables(base), tables(main), tables(ours)]
  const conflicts = new Map<string, ReadonlyArray<BlockConflict>>()
  const [newMain, newOurs] = [new Map<string, Block>(), new Map<string, Block>()]
  let keys: { readonly main: ReadonlySet<string>; readonly ours: ReadonlySet<string> } | undefined
  for (const [key, right] of inOurs) {
    const left = inMain.get(key)
    const before = inBase.get(key)
    if (left === undefined || before === undefined) continue
    if (prints.of(left) === prints.of(before) || prints.of(right) === prints.of(before)) continue
    if (withIds(left, prints) === withIds(right, prints)) continue
    keys ??= { main: keysOf(main), ours: keysOf(ours) }
    const merged = reconcileTable(before, left, right, keys, prints)
    if (merged === undefined) continue
    newMain.set(key, merged.main)
    newOurs.set(key, merged.ours)
    conflicts.set(key, merged.conflicts)
  }
  return { main: replaced(main, newMain), ours: replaced(ours, newOurs), conflicts }
}

/** Returns a number for a table. Unlike other fingerprints, ids count. */
const withIds = ({ data, fragments }: Block, prints: Fingerprints): number => prints.of([data, fragments])

const keysOf = (document: Document): ReadonlySet<string> => new Set(entries(document).map(({ block }) => block.key))

const replaced = (document: Document, tables: ReadonlyMap<string, Block>): Document =>
  tables.size === 0
    ? document
    : mapBlocks(document, (rebuilt, original) => (original.type === "table" && tables.get(original.key)) || rebuilt)

interface Kept {
  /** Ids of rows or columns of the base that one side deleted. `contested` stay, `gone` are deleted. */
  readonly contested: ReadonlySet<string>
  readonly gone: ReadonlySet<string>
}

const reconcileTable = (
  base: Block,
  givenMain: Block,
  givenOurs: Block,
  keys: { readonly main: ReadonlySet<string>; readonly ours: ReadonlySet<string> },
  prints: Fingerprints
): { readonly main: Block; readonly ours: Block; readonly conflicts: ReadonlyArray<BlockConflict> } | undefined => {
  const main = withNamesOf(base, givenMain)
  const ours = withSharedParts(base, main, withNamesOf(base, givenOurs), { ...keys, prints })
  const [before, left, right] = [TableParts.of(base), TableParts.of(main), TableParts.of(ours)]
  if (before === undefined || left === undefined || right === undefined) return undefined
  const rows = decide([before.rows, left.rows, right.rows], (row, isLeft) =>
    isRowEdited(row, before, isLeft ? left : right, prints)
  )
  const columns = decide([before.columns, left.columns, right.columns], (column, isLeft) =>
    isColumnEdited(column, before, isLeft ? left : right, prints)
  )
  const conflict = (part: TableParts.Part): BlockConflict => ({
    block: main.key,
    ...part,
    base: before.show(part, true),
    main: left.show(part, true),
    ours: right.show(part, true)
  })
  return {
    main: settled(main, left, base, before, { rows, columns, other: right, taken: keys.main }),
    ours: settled(ours, right, base, before, { rows, columns, other: left, taken: keys.ours }),
    conflicts: [
      ...Array.from(columns.contested, (column) => conflict({ column })),
      ...Array.from(rows.contested, (row) => conflict({ row }))
    ]
  }
}

type Named = ReadonlyMap<string, { readonly id: string }>

const decide = (
  [before, left, right]: readonly [Named, Named, Named],
  isEdited: (id: string, isLeft: boolean) => boolean
): Kept => {
  const [contested, gone] = [new Set<string>(), new Set<string>()]
  for (const id of before.keys()) {
    if (left.has(id) && right.has(id)) continue
    const stays = (left.has(id) && isEdited(id, true)) || (right.has(id) && isEdited(id, false))
    ;(stays ? contested : gone).add(id)
  }
  return { contested, gone }
}

type Side = TableParts.Shown

const isRowEdited = (id: string, before: Side, after: Side, prints: Fingerprints): boolean =>
  after.table.columns.some(
    (column) =>
      said(before.table, before.rows.get(id), column.id, prints) !==
      said(after.table, after.rows.get(id), column.id, prints)
  )

const isColumnEdited = (id: string, before: Side, after: Side, prints: Fingerprints): boolean => {
  const described = ({ columns, table }: Side) => prints.of(describeColumn(table, columns.get(id)!))
  if (described(before) !== described(after)) return true
  return after.table.rows.some(
    (row) => said(before.table, before.rows.get(row.id), id, prints) !== said(after.table, row, id, prints)
  )
}

interface Decisions {
  /**
   * The side of the merge with which this side is reconciled. A restored row or column gets only cells whose column or
   * row the other side still has.
   */
  readonly other: Side
  readonly rows: Kept
  readonly columns: Kept
  /** Keys of all blocks of this side, at any position. */
  readonly taken: ReadonlySet<string>
}

/**
 * Returns the table of a side with contested rows and columns restored, and with edits in `gone` rows and columns
 * undone.
 */
const settled = (block: Block, side: Side, baseBlock: Block, base: Side, decisions: Decisions): Block => {
  const { columns, other, rows, taken } = decisions
  const { data } = block
  const backRows = base.table.rows.filter(({ id }) => rows.contested.has(id) && !side.rows.has(id))
  const backColumns = base.table.columns.filter(({ id }) => columns.contested.has(id) && !side.columns.has(id))
  const definition = new Map(Object.entries(properties(data?.["definition"])))
  for (const column of base.table.columns) {
    const isAsBefore = columns.gone.has(column.id) && side.columns.has(column.id)
    if (isAsBefore || backColumns.includes(column)) definition.set(column.id, column.definition)
  }
  const values = (row: Row) => {
    const known = base.rows.get(row.id)?.values ?? {}
    const asBefore = (column: string) => (Object.hasOwn(known, column) ? [[column, known[column]] as const] : [])
    const own = Object.entries(row.values).flatMap(([column, value]) =>
      rows.gone.has(row.id) || columns.gone.has(column) ? asBefore(column) : [[column, value] as const]
    )
    const back = other.rows.has(row.id) ? backColumns.flatMap(({ id }) => asBefore(id)) : []
    return Object.fromEntries([...own, ...back])
  }
  const given = properties(data?.["records"])
  const before = properties(baseBlock.data?.["records"])
  const records = new Map(
    side.table.rows.map((row) => [
      row.id,
      { ...properties((rows.gone.has(row.id) ? before : given)[row.id]), values: values(row) } as Properties
    ])
  )
  for (const row of backRows) {
    const known = Object.entries(row.values).filter(([column]) => definition.has(column) && other.columns.has(column))
    records.set(row.id, { ...properties(before[row.id]), values: Object.fromEntries(known) })
  }
  const view = properties(data?.["view"])
  const shown = Array.isArray(view["columns"]) ? (view["columns"] as ReadonlyArray<string>) : undefined
  return {
    ...block,
    data: {
      ...data,
      ...(shown === undefined ? {} : { view: { ...view, columns: withBack(shown, baseBlock, backColumns) } }),
      definition: Object.fromEntries(definition),
      records: Object.fromEntries(records)
    },
    ...withFragments(block, side.table, base.table, { definition, records, taken })
  }
}

const withBack = (
  shown: ReadonlyArray<string>,
  baseBlock: Block,
  back: ReadonlyArray<Column>
): ReadonlyArray<string> => {
  const before = properties(baseBlock.data?.["view"])["columns"]
  if (back.length === 0 || !Array.isArray(before)) return shown
  const wanted = new Set([...shown, ...back.map(({ id }) => id)])
  const known = (before as ReadonlyArray<string>).filter((id) => wanted.has(id))
  return mergeOrder([], known, shown, () => true)
}

/** Returns the fragments that cells refer to. Restored fragments lack the blocks that exist elsewhere. */
const withFragments = (
  block: Block,
  table: Table,
  base: Table,
  {
    definition,
    records,
    taken
  }: {
    readonly definition: ReadonlyMap<string, unknown>
    readonly records: ReadonlyMap<string, Properties>
    readonly taken: ReadonlySet<string>
  }
): { readonly fragments?: ReadonlyArray<Fragment> } => {
  const named = new Set<unknown>([
    ...Array.from(definition.values(), properties).flatMap(Object.values),
    ...Array.from(records.values(), ({ values }) => Object.values(properties(values))).flat()
  ])
  const before = new Set<unknown>(table.rows.flatMap((row) => Object.values(row.values)))
  const fragments = (block.fragments ?? []).filter(({ fragment }) => !before.has(fragment) || named.has(fragment))
  for (const [name, fragment] of base.fragments) {
    if (!named.has(name) || table.fragments.has(name)) continue
    const alone: Document = { object: "document", data: {}, nodes: fragment.nodes }
    fragments.push({ ...fragment, nodes: mapBlocks(alone, (each, { key }) => (taken.has(key) ? [] : each)).nodes })
  }
  return block.fragments === undefined && fragments.length === 0 ? {} : { fragments }
}
