/**
 * Three-way merge of a table's own content: header by header, row by row, and cell by cell if the cell is a value.
 * Blocks in the fragments of cells are merged as blocks. The two sides must be reconciled first (see
 * `TableReconciliation`).
 */
import type { Block } from "../Document.ts"
import { mergeData, type Merged } from "./DataMerge.ts"
import type { Fingerprints } from "../alignment/Fingerprints.ts"
import * as OrderIndex from "../alignment/OrderIndex.ts"
import { longestIncreasingSubsequence } from "../alignment/SequenceMatch.ts"
import { mergeOrder } from "./SiblingOrder.ts"
import { type Properties, objectOrEmpty, readTable, stringValue } from "../table/TableContent.ts"
import type { Part } from "../table/TableParts.ts"

interface MergedTable extends Merged<Properties> {
  /** Headers, rows and cells that both sides changed differently. */
  readonly parts: ReadonlyArray<Part>
}

/** Returns the merged data of a table. Undefined if a version can't be read as a table. */
export const mergeTable = (
  base: Block | undefined,
  main: Block,
  ours: Block,
  fingerprints: Fingerprints
): MergedTable | undefined => {
  const [mainTable, ourTable] = [readTable(main), readTable(ours)]
  const baseTable = base && readTable(base)
  if (mainTable === undefined || ourTable === undefined || (base !== undefined && baseTable === undefined))
    return undefined
  const appearance = mergeData(
    base && tableAppearance(base),
    tableAppearance(main),
    tableAppearance(ours),
    fingerprints
  )
  const parts: Array<Part> = []
  const merge = (part: Part, values: ThreeWay<unknown>) => {
    const mergedValue = mergeData(...values, fingerprints)
    if (mergedValue.conflict) parts.push(part)
    return mergedValue.value
  }

  // The order of the definition includes hidden columns, unlike the order of the view.
  const columns = mergeIds(
    ...mapThreeWay([base, main, ours], (block) => Object.keys(objectOrEmpty(block?.data?.["definition"])))
  )
  const definitions = mapThreeWay(
    [baseTable, mainTable, ourTable],
    (table) => new Map(table?.columns.map((each) => [each.id, each]))
  )
  const definition = columns.map((column) => {
    const [base, main, ours] = definitions.map((definitionById) => definitionById.get(column)?.definition)
    const merged = mergeData(base, main, ours, fingerprints)
    // A title with marks is a fragment, so the merge of that fragment decides about the title.
    const isTitleInFragment = main?.["titleFragment"] !== undefined && main["titleFragment"] === ours?.["titleFragment"]
    if (
      merged.conflict &&
      !(
        isTitleInFragment &&
        !mergeData(withoutTitle(base), withoutTitle(main), withoutTitle(ours), fingerprints).conflict
      )
    ) {
      parts.push({ column })
    }
    return [column, merged.value] as const
  })

  const columnIds = new Set(columns)
  const rows = mergeIds(
    ...mapThreeWay([baseTable, mainTable, ourTable], (table) => table?.rows.map(({ id }) => id) ?? [])
  )
  const recordsBySide = mapThreeWay(
    [base, main, ours],
    (block) =>
      new Map(Object.entries(objectOrEmpty(block?.data?.["records"])).map(([id, row]) => [id, objectOrEmpty(row)]))
  )
  const records = rows.map((row) => {
    const [base, main, ours] = recordsBySide.map((side) => side.get(row))
    const properties = merge({ row }, [
      base && rowProperties(base),
      main && rowProperties(main),
      ours && rowProperties(ours)
    ])
    const names = new Set([main, ours].flatMap((side) => Object.keys(objectOrEmpty(side?.["values"]))))
    const values = Array.from(names).flatMap((column) => {
      const [inBase, inMain, inOurs] = [base, main, ours].map((side) => objectOrEmpty(side?.["values"])[column])
      // If one side lacks the row, the other side's row is taken whole.
      const value =
        main === undefined || ours === undefined ? (inMain ?? inOurs) : merge({ row, column }, [inBase, inMain, inOurs])
      return value === undefined || !columnIds.has(column) ? [] : [[column, value] as const]
    })
    const orderIndex = mergeData(base?.["orderIndex"], main?.["orderIndex"], ours?.["orderIndex"], fingerprints).value
    return [
      row,
      { ...objectOrEmpty(properties), orderIndex: stringValue(orderIndex), values: Object.fromEntries(values) }
    ] as const
  })
  const orderIndexes = ascendingOrderIndexes(records.map(([, { orderIndex }]) => orderIndex))
  const view = objectOrEmpty(objectOrEmpty(appearance.value)["view"])
  const visibleColumns = mergeVisibleColumns([base, main, ours], columnIds)
  return {
    value: {
      ...objectOrEmpty(appearance.value),
      ...(main.data?.["view"] === undefined && ours.data?.["view"] === undefined
        ? {}
        : { view: { ...view, ...(visibleColumns === undefined ? {} : { columns: visibleColumns }) } }),
      definition: Object.fromEntries(definition),
      records: Object.fromEntries(records.map(([id, record], i) => [id, { ...record, orderIndex: orderIndexes[i]! }]))
    },
    conflict: appearance.conflict,
    parts
  }
}

/** Returns the data of a table without its columns and rows. */
export const tableAppearance = (block: Block): Properties => {
  const { definition: _definition, records: _records, view, ...rest } = objectOrEmpty(block.data)
  const { columns: _columns, ...viewWithoutColumns } = objectOrEmpty(view)
  return { ...rest, ...(view === undefined ? {} : { view: viewWithoutColumns }) }
}

const rowProperties = ({ orderIndex: _orderIndex, values: _values, ...rest }: Properties): Properties => rest

const withoutTitle = (definition: Properties | undefined): Properties | undefined => {
  if (definition === undefined) return undefined
  const { title: _title, ...rest } = definition
  return rest
}

type ThreeWay<A> = readonly [base: A, main: A, ours: A]

const mapThreeWay = <A, B>([base, main, ours]: ThreeWay<A>, f: (one: A) => B): ThreeWay<B> => [
  f(base),
  f(main),
  f(ours)
]

type Ids = ReadonlyArray<string>

const mergeIds = (base: Ids, main: Ids, ours: Ids): Ids => {
  const [inBase, inMain, inOurs] = [new Set(base), new Set(main), new Set(ours)]
  return mergeOrder(base, main, ours, (id) => !inBase.has(id) || (inMain.has(id) && inOurs.has(id)))
}

const mergeVisibleColumns = (blocks: ThreeWay<Block | undefined>, columnIds: ReadonlySet<string>): Ids | undefined => {
  const [base, main, ours] = mapThreeWay(blocks, (block) => {
    const columns = objectOrEmpty(block?.data?.["view"])["columns"]
    return Array.isArray(columns) ? columns.map(stringValue) : undefined
  })
  if (main === undefined && ours === undefined) return undefined
  return mergeIds(base ?? [], main ?? [], ours ?? []).filter((column) => columnIds.has(column))
}

/** Returns ascending order indexes. As many as possible stay, and the others get an index in between. */
const ascendingOrderIndexes = (orderIndexes: ReadonlyArray<string>): ReadonlyArray<string> => {
  const sortedIndexes = Array.from(new Set(orderIndexes)).sort()
  const positions = new Map(sortedIndexes.map((index, position) => [index, position]))
  const retained = new Set(longestIncreasingSubsequence(orderIndexes.map((index) => positions.get(index)!)))
  const result: Array<string> = []
  let before = ""
  for (let i = 0, following = -1; i < orderIndexes.length; i++) {
    if (following <= i)
      for (following = i + 1; following < orderIndexes.length && !retained.has(following);) following++
    const index =
      retained.has(i) && orderIndexes[i]! > before
        ? orderIndexes[i]!
        : OrderIndex.orderIndexBetween(before, orderIndexes[following])
    if (index === undefined) return orderIndexes.map((_, position) => String(position + 1).padStart(6, "0"))
    result.push((before = index))
  }
  return result
}
