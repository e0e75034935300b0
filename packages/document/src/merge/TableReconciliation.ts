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
import { withFragmentNamesOf, withSharedParts } from "./SharedTableParts.ts"
import { mergeOrder } from "./SiblingOrder.ts"
import {
  type Column,
  describeColumn,
  type Properties,
  objectOrEmpty,
  type Row,
  type Table
} from "../table/TableContent.ts"
import { cellFingerprint } from "../table/TableCells.ts"
import * as TableParts from "../table/TableParts.ts"

interface ReconciledDocuments {
  readonly main: Document
  readonly ours: Document
  /** Conflicts by the key of their table. */
  readonly conflicts: ReadonlyMap<string, ReadonlyArray<BlockConflict>>
}

export const reconcileTables = (
  base: Document,
  main: Document,
  ours: Document,
  fingerprints: Fingerprints
): ReconciledDocuments => {
  const tables = (document: Document) =>
    new Map(entries(document).flatMap(({ block }) => (block.type === "table" ? [[block.key, block] as const] : [])))
  const [baseTables, mainTables, ourTables] = [tables(base), tables(main), tables(ours)]
  const conflicts = new Map<string, ReadonlyArray<BlockConflict>>()
  const [newMain, newOurs] = [new Map<string, Block>(), new Map<string, Block>()]
  let keys: { readonly main: ReadonlySet<string>; readonly ours: ReadonlySet<string> } | undefined
  for (const [key, ourTable] of ourTables) {
    const mainTable = mainTables.get(key)
    const baseTable = baseTables.get(key)
    if (mainTable === undefined || baseTable === undefined) continue
    if (
      fingerprints.of(mainTable) === fingerprints.of(baseTable) ||
      fingerprints.of(ourTable) === fingerprints.of(baseTable)
    )
      continue
    if (identityFingerprint(mainTable, fingerprints) === identityFingerprint(ourTable, fingerprints)) continue
    keys ??= { main: blockKeys(main), ours: blockKeys(ours) }
    const reconciled = reconcileTable(baseTable, mainTable, ourTable, keys, fingerprints)
    if (reconciled === undefined) continue
    newMain.set(key, reconciled.main)
    newOurs.set(key, reconciled.ours)
    conflicts.set(key, reconciled.conflicts)
  }
  return { main: replaceTables(main, newMain), ours: replaceTables(ours, newOurs), conflicts }
}

/** Returns a number that is equal for tables with equal content and equal ids. Other fingerprints ignore ids. */
const identityFingerprint = ({ data, fragments }: Block, fingerprints: Fingerprints): number =>
  fingerprints.of([data, fragments])

const blockKeys = (document: Document): ReadonlySet<string> => new Set(entries(document).map(({ block }) => block.key))

const replaceTables = (document: Document, tables: ReadonlyMap<string, Block>): Document =>
  tables.size === 0
    ? document
    : mapBlocks(document, (rebuilt, original) => (original.type === "table" && tables.get(original.key)) || rebuilt)

interface DeletionDecisions {
  /**
   * Ids of rows or columns of the base that one side deleted. `retained`: ids that stay in the merged table. `deleted`:
   * ids that are absent from it.
   */
  readonly retained: ReadonlySet<string>
  readonly deleted: ReadonlySet<string>
}

const reconcileTable = (
  base: Block,
  mainTable: Block,
  ourTable: Block,
  keys: { readonly main: ReadonlySet<string>; readonly ours: ReadonlySet<string> },
  fingerprints: Fingerprints
): { readonly main: Block; readonly ours: Block; readonly conflicts: ReadonlyArray<BlockConflict> } | undefined => {
  const main = withFragmentNamesOf(base, mainTable)
  const ours = withSharedParts(base, main, withFragmentNamesOf(base, ourTable), { ...keys, fingerprints })
  const [before, left, right] = [
    TableParts.tablePartExtractor(base),
    TableParts.tablePartExtractor(main),
    TableParts.tablePartExtractor(ours)
  ]
  if (before === undefined || left === undefined || right === undefined) return undefined
  const rows = decideDeletions([before.rows, left.rows, right.rows], (row, isLeft) =>
    isRowEdited(row, before, isLeft ? left : right, fingerprints)
  )
  const columns = decideDeletions([before.columns, left.columns, right.columns], (column, isLeft) =>
    isColumnEdited(column, before, isLeft ? left : right, fingerprints)
  )
  const conflict = (part: TableParts.Part): BlockConflict => ({
    block: main.key,
    ...part,
    base: before.extract(part, true),
    main: left.extract(part, true),
    ours: right.extract(part, true)
  })
  return {
    main: reconcileSide(main, left, base, before, { rows, columns, other: right, usedKeys: keys.main }),
    ours: reconcileSide(ours, right, base, before, { rows, columns, other: left, usedKeys: keys.ours }),
    conflicts: [
      ...Array.from(columns.retained, (column) => conflict({ column })),
      ...Array.from(rows.retained, (row) => conflict({ row }))
    ]
  }
}

type Identified = ReadonlyMap<string, { readonly id: string }>

const decideDeletions = (
  [before, left, right]: readonly [Identified, Identified, Identified],
  isEdited: (id: string, isLeft: boolean) => boolean
): DeletionDecisions => {
  const [retained, deleted] = [new Set<string>(), new Set<string>()]
  for (const id of before.keys()) {
    if (left.has(id) && right.has(id)) continue
    const isRetained = (left.has(id) && isEdited(id, true)) || (right.has(id) && isEdited(id, false))
    ;(isRetained ? retained : deleted).add(id)
  }
  return { retained, deleted }
}

type Side = TableParts.TablePartExtractor

const isRowEdited = (id: string, before: Side, after: Side, fingerprints: Fingerprints): boolean =>
  after.table.columns.some(
    (column) =>
      cellFingerprint(before.table, before.rows.get(id), column.id, fingerprints) !==
      cellFingerprint(after.table, after.rows.get(id), column.id, fingerprints)
  )

const isColumnEdited = (id: string, before: Side, after: Side, fingerprints: Fingerprints): boolean => {
  const columnFingerprint = ({ columns, table }: Side) => fingerprints.of(describeColumn(table, columns.get(id)!))
  if (columnFingerprint(before) !== columnFingerprint(after)) return true
  return after.table.rows.some(
    (row) =>
      cellFingerprint(before.table, before.rows.get(row.id), id, fingerprints) !==
      cellFingerprint(after.table, row, id, fingerprints)
  )
}

interface Decisions {
  /**
   * The side of the merge with which this side is reconciled. A restored row or column gets only cells whose column or
   * row the other side still has.
   */
  readonly other: Side
  readonly rows: DeletionDecisions
  readonly columns: DeletionDecisions
  /** Keys of all blocks of this side, at any position. */
  readonly usedKeys: ReadonlySet<string>
}

/**
 * Returns the table of a side with retained rows and columns restored, and with edits in `deleted` rows and columns
 * undone.
 */
const reconcileSide = (block: Block, side: Side, baseBlock: Block, base: Side, decisions: Decisions): Block => {
  const { columns, other, rows, usedKeys } = decisions
  const { data } = block
  const restoredRows = base.table.rows.filter(({ id }) => rows.retained.has(id) && !side.rows.has(id))
  const restoredColumns = base.table.columns.filter(({ id }) => columns.retained.has(id) && !side.columns.has(id))
  const definition = new Map(Object.entries(objectOrEmpty(data?.["definition"])))
  for (const column of base.table.columns) {
    const isReverted = columns.deleted.has(column.id) && side.columns.has(column.id)
    if (isReverted || restoredColumns.includes(column)) definition.set(column.id, column.definition)
  }
  const rowValues = (row: Row) => {
    const baseValues = base.rows.get(row.id)?.values ?? {}
    const baseEntry = (column: string) =>
      Object.hasOwn(baseValues, column) ? [[column, baseValues[column]] as const] : []
    const ownValues = Object.entries(row.values).flatMap(([column, value]) =>
      rows.deleted.has(row.id) || columns.deleted.has(column) ? baseEntry(column) : [[column, value] as const]
    )
    const restoredValues = other.rows.has(row.id) ? restoredColumns.flatMap(({ id }) => baseEntry(id)) : []
    return Object.fromEntries([...ownValues, ...restoredValues])
  }
  const sideRecords = objectOrEmpty(data?.["records"])
  const baseRecords = objectOrEmpty(baseBlock.data?.["records"])
  const records = new Map(
    side.table.rows.map((row) => [
      row.id,
      {
        ...objectOrEmpty((rows.deleted.has(row.id) ? baseRecords : sideRecords)[row.id]),
        values: rowValues(row)
      } as Properties
    ])
  )
  for (const row of restoredRows) {
    const restoredValues = Object.entries(row.values).filter(
      ([column]) => definition.has(column) && other.columns.has(column)
    )
    records.set(row.id, { ...objectOrEmpty(baseRecords[row.id]), values: Object.fromEntries(restoredValues) })
  }
  const view = objectOrEmpty(data?.["view"])
  const visibleColumns = Array.isArray(view["columns"]) ? (view["columns"] as ReadonlyArray<string>) : undefined
  return {
    ...block,
    data: {
      ...data,
      ...(visibleColumns === undefined
        ? {}
        : { view: { ...view, columns: withRestoredColumns(visibleColumns, baseBlock, restoredColumns) } }),
      definition: Object.fromEntries(definition),
      records: Object.fromEntries(records)
    },
    ...withFragments(block, side.table, base.table, { definition, records, usedKeys })
  }
}

const withRestoredColumns = (
  visibleColumns: ReadonlyArray<string>,
  baseBlock: Block,
  restored: ReadonlyArray<Column>
): ReadonlyArray<string> => {
  const baseColumns = objectOrEmpty(baseBlock.data?.["view"])["columns"]
  if (restored.length === 0 || !Array.isArray(baseColumns)) return visibleColumns
  const visibleIds = new Set([...visibleColumns, ...restored.map(({ id }) => id)])
  const baseOrder = (baseColumns as ReadonlyArray<string>).filter((id) => visibleIds.has(id))
  return mergeOrder([], baseOrder, visibleColumns, () => true)
}

/** Returns the fragments that cells refer to. Restored fragments lack the blocks that exist elsewhere. */
const withFragments = (
  block: Block,
  table: Table,
  base: Table,
  {
    definition,
    records,
    usedKeys
  }: {
    readonly definition: ReadonlyMap<string, unknown>
    readonly records: ReadonlyMap<string, Properties>
    readonly usedKeys: ReadonlySet<string>
  }
): { readonly fragments?: ReadonlyArray<Fragment> } => {
  const neededNames = new Set<unknown>([
    ...Array.from(definition.values(), objectOrEmpty).flatMap(Object.values),
    ...Array.from(records.values(), ({ values }) => Object.values(objectOrEmpty(values))).flat()
  ])
  const previousNames = new Set<unknown>(table.rows.flatMap((row) => Object.values(row.values)))
  const fragments = (block.fragments ?? []).filter(
    ({ fragment }) => !previousNames.has(fragment) || neededNames.has(fragment)
  )
  for (const [name, fragment] of base.fragments) {
    if (!neededNames.has(name) || table.fragments.has(name)) continue
    const fragmentDocument: Document = { object: "document", data: {}, nodes: fragment.nodes }
    fragments.push({
      ...fragment,
      nodes: mapBlocks(fragmentDocument, (block, { key }) => (usedKeys.has(key) ? [] : block)).nodes
    })
  }
  return block.fragments === undefined && fragments.length === 0 ? {} : { fragments }
}
