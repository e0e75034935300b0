/**
 * Reprints an edited HTML table. Unchanged rows and cells keep their source, with the tags and white space around them.
 */
import { pairEqualParts } from "./EqualParts.ts"
import * as HtmlTree from "./HtmlTree.ts"

interface Row {
  readonly from: number
  readonly to: number
  readonly text: string
  readonly cells: ReadonlyArray<Cell>
}
interface Cell {
  readonly from: number
  readonly to: number
  readonly content: readonly [from: number, to: number]
  readonly openTag: string
  /** The HTML between the tags. */
  readonly text: string
}

/** Applies an edit to a source. `before`, `after`: the printed text before and after the edit. */
export type MergeEdit = (source: string, before: string, after: string) => string

/**
 * Returns the source of a table with an edit applied. `before`, `after`: the printed table before and after the edit.
 * Returns undefined if anything other than the rows changed.
 */
export const reprintTable = (source: string, before: string, after: string, merge: MergeEdit): string | undefined => {
  const [sourceRows, rowsBefore, rowsAfter] = [parseRows(source), parseRows(before), parseRows(after)]
  if (sourceRows === undefined || rowsBefore === undefined || rowsAfter === undefined) return undefined
  const [header, ...others] = sourceRows
  if (
    sourceRows.length !== rowsBefore.length ||
    !sourceRows.every((row, i) => row.cells.length === rowsBefore[i]!.cells.length)
  )
    return undefined
  if (before.slice(0, rowsBefore[0]!.from) !== after.slice(0, rowsAfter[0]!.from)) return undefined
  const head = reprintRow(source, header!, rowsBefore[0]!, rowsAfter[0]!, merge)
  if (head === undefined) return undefined
  if (others.length === 0) return rowsAfter.length === 1 ? replaceRanges(source, [[header!, head]]) : undefined
  const pairs = pairRows(rowsBefore.slice(1), rowsAfter.slice(1))
  const gap = others.length > 1 ? source.slice(others[0]!.to, others[1]!.from) : ""
  let text = source.slice(0, header!.from) + head + source.slice(header!.to, others[0]!.from)
  for (const [i, row] of rowsAfter.slice(1).entries()) {
    const at = pairs[i]
    const isNext = at !== undefined && i > 0 && pairs[i - 1] === at - 1
    if (i > 0) text += isNext ? source.slice(others[at - 1]!.to, others[at]!.from) : gap
    text +=
      (at === undefined ? undefined : reprintRow(source, others[at]!, rowsBefore[at + 1]!, row, merge)) ?? row.text
  }
  return text + source.slice(others.at(-1)!.to)
}

/**
 * Returns the index of the old row for each row. Pairs equal rows, or all rows in order if their number is unchanged.
 */
const pairRows = (before: ReadonlyArray<Row>, after: ReadonlyArray<Row>): ReadonlyArray<number | undefined> =>
  before.length === after.length ? after.map((_, i) => i) : pairEqualParts(before.map(textOf), after.map(textOf))

const textOf = ({ text }: Row): string => text

/** Returns the source of a row with the changed cells replaced; undefined if the number of cells changed. */
const reprintRow = (source: string, sourceRow: Row, before: Row, after: Row, merge: MergeEdit): string | undefined => {
  if (before.text === after.text) return source.slice(sourceRow.from, sourceRow.to)
  if (before.cells.length !== after.cells.length) return undefined
  const edits = sourceRow.cells.flatMap((cell, i): ReadonlyArray<Edit> => {
    const [cellBefore, cellAfter] = [before.cells[i]!, after.cells[i]!]
    if (cellBefore.openTag !== cellAfter.openTag) {
      return [[cell, `${cellAfter.openTag}${cellAfter.text}</${tagName(cellAfter.openTag)}>`]]
    }
    if (cellBefore.text === cellAfter.text) return []
    const [, to] = cell.content
    const trimmed = source.slice(...cell.content).trimStart()
    const from = to - trimmed.length
    const cellSource = trimmed.trimEnd()
    return [[{ from, to: from + cellSource.length }, merge(cellSource, cellBefore.text, cellAfter.text)]]
  })
  return replaceRanges(source, edits, sourceRow.from, sourceRow.to)
}

const tagName = (open: string): string => /^<([a-z]+)/.exec(open)![1]!

type Edit = readonly [{ readonly from: number; readonly to: number }, text: string]

/** Returns a part of a text with replacements, which are in text order. */
const replaceRanges = (text: string, edits: ReadonlyArray<Edit>, from = 0, to = text.length): string => {
  let result = ""
  let at = from
  for (const [range, other] of edits) {
    result += text.slice(at, range.from) + other
    at = range.to
  }
  return result + text.slice(at, to)
}

/** Returns the rows; undefined if the HTML is not a table with rows. */
const parseRows = (html: string): ReadonlyArray<Row> | undefined => {
  const [table, ...rest] = HtmlTree.parse(html.trimEnd()) ?? []
  const parts = table?.kind === "element" && rest.length === 0 ? HtmlTree.elementsOnly(table.children) : undefined
  const rows = parts?.flatMap((part) => HtmlTree.elementsOnly(part.children) ?? []).map((row) => toRow(html, row))
  return rows === undefined || rows.length === 0 ? undefined : rows
}

const toRow = (html: string, { children, range: { from, to } }: HtmlTree.Element): Row => ({
  from,
  to,
  text: html.slice(from, to),
  cells: (HtmlTree.elementsOnly(children) ?? []).map(({ range }) => ({
    ...range,
    openTag: html.slice(range.from, range.content[0]),
    text: html.slice(...range.content)
  }))
})
