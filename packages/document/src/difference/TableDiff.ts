/**
 * Differences between two tables as a reader would say them: rows and columns added, removed, moved, edited.
 * Each is shown as a table of that row, or of that column, alone. A column that came or went takes its cells
 * along: no row is edited by that.
 */
import type { Block } from "../Document.ts"
import { entries, inlines } from "../BlockTree.ts"
import type { Fingerprints } from "../alignment/Fingerprints.ts"
import { increasing } from "../alignment/SequenceMatch.ts"
import { labelled, said } from "../table/TableCells.ts"
import { type Column, describeColumn, properties, type Row, textOf } from "../table/TableContent.ts"
import * as TableParts from "../table/TableParts.ts"
import { type TextRun, textRuns } from "./TextDiff.ts"
import { type Token, tokens, wordOf } from "../alignment/TextTokens.ts"

interface About {
  readonly block: string
  /** Of a table: the row or the column that it is about. The versions are tables of it alone. */
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
        /** True where it was moved as well. */
        readonly moved: boolean
        /** The block's own text; without inserted and deleted runs where only its data or marks changed. */
        readonly text: ReadonlyArray<TextRun>
      }
  )

/** Columns first, then rows; undefined where one of the two can't be read as a table. */
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
      return textRuns(titleOf(from, was, prints), titleOf(to, is, prints), prints.effort)
    },
    (column) => ({ block: after.key, column })
  )
  const rows = compare<Row>(
    [from.table.rows, to.table.rows],
    (was, is) => {
      const isSame = ({ id }: Column) => said(from.table, was, id, prints) === said(to.table, is, id, prints)
      if (shared.every(isSame)) return undefined
      return inRow(
        to.table.columns.map(({ id }) => textRuns(cell(from, was, id, prints), cell(to, is, id, prints), prints.effort))
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
  for (const k of increasing(stayed.map(({ id }) => known.get(id)!.place))) moved.delete(stayed[k]!.id)
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
  // The header of a column that both have says what changed; one that came or went is its cells too.
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
    const own = tokens(inlines(block), prints)
    return i === 0 || own.length === 0 ? own : [...valueTokens("\n", prints), ...own]
  })

/** A value as one word. */
const valueTokens = (value: unknown, prints: Fingerprints): ReadonlyArray<Token> => {
  if (value === undefined || value === null || value === "") return []
  const text = Array.isArray(value) ? value.map(textOfValue).join(", ") : textOfValue(value)
  return text === "" ? [] : [wordOf([{ text, marks: [] }], prints)]
}

/** Of a reference its label, or else what it leads to. */
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
