/**
 * Computes the differences between two tables: added, removed, moved and edited rows and columns. A change shows a row
 * or column as a table of only that row or column. Cells of an added or removed column do not make their rows edited.
 */
import type { Block } from "../Document.ts"
import { entries, inlines } from "../BlockTree.ts"
import type { Fingerprints } from "../alignment/Fingerprints.ts"
import { longestIncreasingSubsequence } from "../alignment/SequenceMatch.ts"
import { labeledRef, cellFingerprint } from "../table/TableCells.ts"
import { type Column, describeColumn, objectOrEmpty, type Row, stringValue } from "../table/TableContent.ts"
import * as TableParts from "../table/TableParts.ts"
import { type TextRun, textRuns } from "./TextDiff.ts"
import { type Token, tokenizeNodes, wordToken } from "../alignment/TextTokens.ts"

interface PartLocation {
  readonly block: string
  /**
   * `row`: id of the changed row. `column`: id of the changed column. The versions in the change are tables with only
   * this row or column.
   */
  readonly row?: string
  readonly column?: string
}

export type PartChange = PartLocation &
  (
    | { readonly kind: "added"; readonly after: Block }
    | { readonly kind: "removed"; readonly before: Block }
    | { readonly kind: "moved"; readonly before: Block; readonly after: Block }
    | {
        readonly kind: "edited"
        readonly before: Block
        readonly after: Block
        /** True if the changed block was also moved. */
        readonly moved: boolean
        /** Differences of the block's own text. Contains only equal runs if only data or marks changed. */
        readonly text: ReadonlyArray<TextRun>
      }
  )

/** Returns the changes of columns, then of rows. Undefined if one of the blocks can't be read as a table. */
export const diffTables = (
  before: Block,
  after: Block,
  fingerprints: Fingerprints
): ReadonlyArray<PartChange> | undefined => {
  const [from, to] = [TableParts.tablePartExtractor(before), TableParts.tablePartExtractor(after)]
  if (from === undefined || to === undefined) return undefined
  const sharedColumns = to.table.columns.filter(({ id }) => from.columns.has(id))
  const columns = compareItems<Column>(
    [from.table.columns, to.table.columns],
    (before, after) => {
      if (fingerprints.of(describeColumn(from.table, before)) === fingerprints.of(describeColumn(to.table, after)))
        return undefined
      return textRuns(
        titleTokens(from, before, fingerprints),
        titleTokens(to, after, fingerprints),
        fingerprints.budget
      )
    },
    (column) => ({ block: after.key, column })
  )
  const rows = compareItems<Row>(
    [from.table.rows, to.table.rows],
    (before, after) => {
      const isSame = ({ id }: Column) =>
        cellFingerprint(from.table, before, id, fingerprints) === cellFingerprint(to.table, after, id, fingerprints)
      if (sharedColumns.every(isSame)) return undefined
      return joinCells(
        to.table.columns.map(({ id }) =>
          textRuns(
            cellTokens(from, before, id, fingerprints),
            cellTokens(to, after, id, fingerprints),
            fingerprints.budget
          )
        )
      )
    },
    (row) => ({ block: after.key, row })
  )
  return [...columns, ...rows].map((change) => toPartChange(change, from, to))
}

type Side = TableParts.TablePartExtractor

type PartDifference = PartLocation & {
  readonly kind: "added" | "removed" | "moved" | "edited"
  readonly moved: boolean
  readonly text: ReadonlyArray<TextRun>
}

const compareItems = <A extends { readonly id: string }>(
  [from, to]: readonly [ReadonlyArray<A>, ReadonlyArray<A>],
  edit: (before: A, after: A) => ReadonlyArray<TextRun> | undefined,
  location: (id: string) => PartLocation
): ReadonlyArray<PartDifference> => {
  const itemsBefore = new Map(from.map((item, position) => [item.id, { item, place: position }]))
  const commonItems = to.filter(({ id }) => itemsBefore.has(id))
  const movedIds = new Set(commonItems.map(({ id }) => id))
  for (const k of longestIncreasingSubsequence(commonItems.map(({ id }) => itemsBefore.get(id)!.place)))
    movedIds.delete(commonItems[k]!.id)
  const changes = to.flatMap((item): ReadonlyArray<PartDifference> => {
    const before = itemsBefore.get(item.id)?.item
    if (before === undefined) return [{ ...location(item.id), kind: "added", moved: false, text: [] }]
    const text = edit(before, item)
    const isMoved = movedIds.has(item.id)
    if (text !== undefined) return [{ ...location(item.id), kind: "edited", moved: isMoved, text }]
    return isMoved ? [{ ...location(item.id), kind: "moved", moved: true, text: [] }] : []
  })
  const presentIds = new Set(to.map(({ id }) => id))
  const removals = from.flatMap(({ id }): ReadonlyArray<PartDifference> =>
    presentIds.has(id) ? [] : [{ ...location(id), kind: "removed", moved: false, text: [] }]
  )
  return [...changes, ...removals]
}

const toPartChange = ({ kind, moved, text, ...location }: PartDifference, from: Side, to: Side): PartChange => {
  // A column that both tables have is shown only by its header. An added or removed column is shown with its cells.
  const withCells = kind === "added" || kind === "removed"
  const before = from.extract(location, withCells)!
  const after = to.extract(location, withCells)!
  switch (kind) {
    case "added":
      return { ...location, kind, after }
    case "removed":
      return { ...location, kind, before }
    case "moved":
      return { ...location, kind, before, after }
    case "edited":
      return { ...location, kind, before, after, moved, text }
  }
}

const titleTokens = ({ table }: Side, column: Column, fingerprints: Fingerprints): ReadonlyArray<Token> => {
  const { title, titleFragment } = column.definition
  const fragment = typeof titleFragment === "string" ? table.fragments.get(titleFragment) : undefined
  return fragment === undefined ? valueTokens(title, fingerprints) : blockTokens(fragment.nodes, fingerprints)
}

const cellTokens = ({ table }: Side, row: Row, column: string, fingerprints: Fingerprints): ReadonlyArray<Token> => {
  const value = row.values[column]
  const fragment = typeof value === "string" ? table.fragments.get(value) : undefined
  return fragment === undefined ? valueTokens(value, fingerprints) : blockTokens(fragment.nodes, fingerprints)
}

const blockTokens = (nodes: ReadonlyArray<Block>, fingerprints: Fingerprints): ReadonlyArray<Token> =>
  entries({ object: "document", data: {}, nodes }).flatMap(({ block }, i) => {
    const ownTokens = tokenizeNodes(inlines(block), fingerprints)
    return i === 0 || ownTokens.length === 0 ? ownTokens : [...valueTokens("\n", fingerprints), ...ownTokens]
  })

/** Returns a value as one word. */
const valueTokens = (value: unknown, fingerprints: Fingerprints): ReadonlyArray<Token> => {
  if (value === undefined || value === null || value === "") return []
  const text = Array.isArray(value) ? value.map(valueText).join(", ") : valueText(value)
  return text === "" ? [] : [wordToken([{ text, marks: [] }], fingerprints)]
}

/** Returns the label of a reference, or its target if it has no label. Other values become text. */
const valueText = (value: unknown): string => {
  if (typeof value !== "object") return stringValue(value)
  const { ref = value, label } = labeledRef(value) ?? {}
  const { kind: _kind, ...fields } = objectOrEmpty(ref)
  return label ?? stringValue(Object.values(fields)[0])
}

const cellSeparator: TextRun = { kind: "equal", text: " | " }

const joinCells = (cells: ReadonlyArray<ReadonlyArray<TextRun>>): ReadonlyArray<TextRun> => {
  const joinedRuns: Array<{ readonly kind: TextRun["kind"]; text: string }> = []
  for (const [i, runs] of cells.entries()) {
    for (const { kind, text } of i === 0 ? runs : [cellSeparator, ...runs]) {
      const lastRun = joinedRuns.at(-1)
      if (lastRun?.kind === kind) lastRun.text += text
      else joinedRuns.push({ kind, text })
    }
  }
  return joinedRuns
}
