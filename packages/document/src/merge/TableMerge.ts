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
import { type Properties, properties, read, textOf } from "../table/TableContent.ts"
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
  prints: Fingerprints
): MergedTable | undefined => {
  const [left, right] = [read(main), read(ours)]
  const before = base && read(base)
  if (left === undefined || right === undefined || (base !== undefined && before === undefined)) return undefined
  const own = mergeData(base && frame(base), frame(main), frame(ours), prints)
  const parts: Array<Part> = []
  const merge = (part: Part, values: Three<unknown>) => {
    const merged = mergeData(...values, prints)
    if (merged.conflict) parts.push(part)
    return merged.value
  }

  // The order of the definition includes hidden columns, unlike the order of the view.
  const columns = inOrder(
    ...eachOf([base, main, ours], (block) => Object.keys(properties(block?.data?.["definition"])))
  )
  const definitions = eachOf([before, left, right], (table) => new Map(table?.columns.map((each) => [each.id, each])))
  const definition = columns.map((column) => {
    const [was, main, ours] = definitions.map((known) => known.get(column)?.definition)
    const merged = mergeData(was, main, ours, prints)
    // A title with marks is a fragment, so the merge of that fragment decides about the title.
    const inFragment = main?.["titleFragment"] !== undefined && main["titleFragment"] === ours?.["titleFragment"]
    if (
      merged.conflict &&
      !(inFragment && !mergeData(untitled(was), untitled(main), untitled(ours), prints).conflict)
    ) {
      parts.push({ column })
    }
    return [column, merged.value] as const
  })

  const known = new Set(columns)
  const rows = inOrder(...eachOf([before, left, right], (table) => table?.rows.map(({ id }) => id) ?? []))
  const given = eachOf(
    [base, main, ours],
    (block) => new Map(Object.entries(properties(block?.data?.["records"])).map(([id, row]) => [id, properties(row)]))
  )
  const records = rows.map((row) => {
    const [was, main, ours] = given.map((side) => side.get(row))
    const rest = merge({ row }, [was && described(was), main && described(main), ours && described(ours)])
    const names = new Set([main, ours].flatMap((side) => Object.keys(properties(side?.["values"]))))
    const values = Array.from(names).flatMap((column) => {
      const [inBase, inMain, inOurs] = [was, main, ours].map((side) => properties(side?.["values"])[column])
      // If one side lacks the row, the other side's row is taken whole.
      const value =
        main === undefined || ours === undefined ? (inMain ?? inOurs) : merge({ row, column }, [inBase, inMain, inOurs])
      return value === undefined || !known.has(column) ? [] : [[column, value] as const]
    })
    const place = mergeData(was?.["orderIndex"], main?.["orderIndex"], ours?.["orderIndex"], prints).value
    return [row, { ...properties(rest), orderIndex: textOf(place), values: Object.fromEntries(values) }] as const
  })
  const order = orderIndexes(records.map(([, { orderIndex }]) => orderIndex))
  const view = properties(properties(own.value)["view"])
  const shown = shownColumns([base, main, ours], known)
  return {
    value: {
      ...properties(own.value),
      ...(main.data?.["view"] === undefined && ours.data?.["view"] === undefined
        ? {}
        : { view: { ...view, ...(shown === undefined ? {} : { columns: shown }) } }),
      definition: Object.fromEntries(definition),
      records: Object.fromEntries(records.map(([id, record], i) => [id, { ...record, orderIndex: order[i]! }]))
    },
    conflict: own.conflict,
    parts
  }
}

/** Returns the data of a table without its columns and rows. */
export const frame = (block: Block): Properties => {
  const { definition: _definition, records: _records, view, ...rest } = properties(block.data)
  const { columns: _columns, ...shown } = properties(view)
  return { ...rest, ...(view === undefined ? {} : { view: shown }) }
}

const described = ({ orderIndex: _orderIndex, values: _values, ...rest }: Properties): Properties => rest

const untitled = (definition: Properties | undefined): Properties | undefined => {
  if (definition === undefined) return undefined
  const { title: _title, ...rest } = definition
  return rest
}

type Three<A> = readonly [base: A, main: A, ours: A]

const eachOf = <A, B>([base, main, ours]: Three<A>, of: (one: A) => B): Three<B> => [of(base), of(main), of(ours)]

type Ids = ReadonlyArray<string>

const inOrder = (base: Ids, main: Ids, ours: Ids): Ids => {
  const [inBase, inMain, inOurs] = [new Set(base), new Set(main), new Set(ours)]
  return mergeOrder(base, main, ours, (id) => !inBase.has(id) || (inMain.has(id) && inOurs.has(id)))
}

const shownColumns = (blocks: Three<Block | undefined>, known: ReadonlySet<string>): Ids | undefined => {
  const [base, main, ours] = eachOf(blocks, (block) => {
    const columns = properties(block?.data?.["view"])["columns"]
    return Array.isArray(columns) ? columns.map(textOf) : undefined
  })
  if (main === undefined && ours === undefined) return undefined
  return inOrder(base ?? [], main ?? [], ours ?? []).filter((column) => known.has(column))
}

/** Returns ascending order indexes. As many as possible stay, and the others get an index in between. */
const orderIndexes = (given: ReadonlyArray<string>): ReadonlyArray<string> => {
  const sorted = Array.from(new Set(given)).sort()
  const places = new Map(sorted.map((index, place) => [index, place]))
  const kept = new Set(longestIncreasingSubsequence(given.map((index) => places.get(index)!)))
  const found: Array<string> = []
  let before = ""
  for (let i = 0, following = -1; i < given.length; i++) {
    if (following <= i) for (following = i + 1; following < given.length && !kept.has(following);) following++
    const index = kept.has(i) && given[i]! > before ? given[i]! : OrderIndex.orderIndexBetween(before, given[following])
    if (index === undefined) return given.map((_, place) => String(place + 1).padStart(6, "0"))
    found.push((before = index))
  }
  return found
}
