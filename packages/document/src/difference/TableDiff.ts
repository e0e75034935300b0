/**
 * Computes the differences between two tables: added, removed, moved and edited rows and columns. A change shows a row
 * or column as a table of only that row or column. Cells of an added or removed column do not make their rows edited.
 */
import type { Block } from "../Document.ts"
import { entries, inlines } from "../BlockTree.ts"
import type { Fingerprints } from "../alignment/Fingerprints.ts"
import { longestIncreasingSubsequence } from "../alignment/SequenceMatch.ts"
import { labelled, said } from "../table/TableCells.ts"
import { type Column, describeColumn, properties, type Row, textOf } from "../table/TableContent.ts"
import * as TableParts from "../table/TableParts.ts"
import { type TextRun, textRuns } from "./TextDiff.ts"
import { type Token, tokenizeNodes, wordToken } from "../alignment/TextTokens.ts"

interface About {
  readonly block: string
  /** Row or column of a table that changed. The versions are tables of only this row or column. */
  readonly row?: string
  readonly column?: string
}

export type PartChange = About &
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
  prints: Fingerprints
): ReadonlyArray<PartChange> | undefined => {
  const [from, to] = [TableParts.of(before), TableParts.of(after)]
  if (from === undefined || to === undefined) return undefined
  const shared = to.table.columns.filter(({ id }) => from.columns.has(id))
  const columns = compare<Column>(
    [from.table.columns, to.table.columns],
    (was, is) => {
      if (prints.of(describeColumn(from.table, was)) === prints.of(describeColumn(to.table, is))) return undefined
      return textRuns(titleOf(from, was, prints), titleOf(to, is, prints), prints.budget)
    },
    (column) => ({ block: after.key, column })
  )
  const rows = compare<Row>(
    [from.table.rows, to.table.rows],
    (was, is) => {
      const isSame = ({ id }: Column) => said(from.table, was, id, prints) === said(to.table, is, id, prints)
      if (shared.every(isSame)) return undefined
      return inRow(
        to.table.columns.map(({ id }) => textRuns(cell(from, was, id, prints), cell(to, is, id, prints), prints.budget))
      )
    },
    (row) => ({ block: after.key, row })
  )
  return [...columns, ...rows].map((change) => shown(change, from, to))
}

type Side = TableParts.Shown

type Found = About & {
  readonly kind: "added" | "removed" | "moved" | "edited"
  readonly moved: boolean
  readonly text: ReadonlyArray<TextRun>
}

const compare = <A extends { readonly id: string }>(
  [from, to]: readonly [ReadonlyArray<A>, ReadonlyArray<A>],
  edit: (was: A, is: A) => ReadonlyArray<TextRun> | undefined,
  about: (id: string) => About
): ReadonlyArray<Found> => {
  const known = new Map(from.map((item, place) => [item.id, { item, place }]))
  const stayed = to.filter(({ id }) => known.has(id))
  const moved = new Set(stayed.map(({ id }) => id))
  for (const k of longestIncreasingSubsequence(stayed.map(({ id }) => known.get(id)!.place)))
    moved.delete(stayed[k]!.id)
  const found = to.flatMap((item): ReadonlyArray<Found> => {
    const was = known.get(item.id)?.item
    if (was === undefined) return [{ ...about(item.id), kind: "added", moved: false, text: [] }]
    const text = edit(was, item)
    const isMoved = moved.has(item.id)
    if (text !== undefined) return [{ ...about(item.id), kind: "edited", moved: isMoved, text }]
    return isMoved ? [{ ...about(item.id), kind: "moved", moved: true, text: [] }] : []
  })
  const present = new Set(to.map(({ id }) => id))
  const gone = from.flatMap(({ id }): ReadonlyArray<Found> =>
    present.has(id) ? [] : [{ ...about(id), kind: "removed", moved: false, text: [] }]
  )
  return [...found, ...gone]
}

const shown = ({ kind, moved, text, ...about }: Found, from: Side, to: Side): PartChange => {
  // A column that both tables have is shown only by its header. An added or removed column is shown with its cells.
  const withCells = kind === "added" || kind === "removed"
  const before = from.show(about, withCells)!
  const after = to.show(about, withCells)!
  switch (kind) {
    case "added":
      return { ...about, kind, after }
    case "removed":
      return { ...about, kind, before }
    case "moved":
      return { ...about, kind, before, after }
    case "edited":
      return { ...about, kind, before, after, moved, text }
  }
}

const titleOf = ({ table }: Side, column: Column, prints: Fingerprints): ReadonlyArray<Token> => {
  const { title, titleFragment } = column.definition
  const fragment = typeof titleFragment === "string" ? table.fragments.get(titleFragment) : undefined
  return fragment === undefined ? valueTokens(title, prints) : blockTokens(fragment.nodes, prints)
}

const cell = ({ table }: Side, row: Row, column: string, prints: Fingerprints): ReadonlyArray<Token> => {
  const value = row.values[column]
  const fragment = typeof value === "string" ? table.fragments.get(value) : undefined
  return fragment === undefined ? valueTokens(value, prints) : blockTokens(fragment.nodes, prints)
}

const blockTokens = (nodes: ReadonlyArray<Block>, prints: Fingerprints): ReadonlyArray<Token> =>
  entries({ object: "document", data: {}, nodes }).flatMap(({ block }, i) => {
    const own = tokenizeNodes(inlines(block), prints)
    return i === 0 || own.length === 0 ? own : [...valueTokens("\n", prints), ...own]
  })

/** Returns a value as one word. */
const valueTokens = (value: unknown, prints: Fingerprints): ReadonlyArray<Token> => {
  if (value === undefined || value === null || value === "") return []
  const text = Array.isArray(value) ? value.map(textOfValue).join(", ") : textOfValue(value)
  return text === "" ? [] : [wordToken([{ text, marks: [] }], prints)]
}

/** Returns the label of a reference, or its target if it has no label. Other values become text. */
const textOfValue = (value: unknown): string => {
  if (typeof value !== "object") return textOf(value)
  const { ref = value, label } = labelled(value) ?? {}
  const { kind: _kind, ...of } = properties(ref)
  return label ?? textOf(Object.values(of)[0])
}

const between: TextRun = { kind: "equal", text: " | " }

const inRow = (cells: ReadonlyArray<ReadonlyArray<TextRun>>): ReadonlyArray<TextRun> => {
  const joined: Array<{ readonly kind: TextRun["kind"]; text: string }> = []
  for (const [i, runs] of cells.entries()) {
    for (const { kind, text } of i === 0 ? runs : [between, ...runs]) {
      const last = joined.at(-1)
      if (last?.kind === kind) last.text += text
      else joined.push({ kind, text })
    }
  }
  return joined
}
