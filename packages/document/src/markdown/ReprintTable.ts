/**
 * Reprints an edited HTML table. Unchanged rows and cells keep their source, with the tags and white space around them.
 */
import { paired } from "./EqualParts.ts"
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
  readonly inside: readonly [from: number, to: number]
  readonly open: string
  /** The HTML between the tags. */
  readonly text: string
}

/** Applies an edit to a source. `before`, `after`: the printed text before and after the edit. */
export type Merge = (source: string, before: string, after: string) => string

/**
 * Returns the source of a table with an edit applied. `before`, `after`: the printed table before and after the edit.
 * Returns undefined if anything other than the rows changed.
 */
export const reprint = (written: string, before: string, after: string, merge: Merge): string | undefined => {
  const [own, was, is] = [rowsOf(written), rowsOf(before), rowsOf(after)]
  if (own === undefined || was === undefined || is === undefined) return undefined
  const [header, ...others] = own
  if (own.length !== was.length || !own.every((row, i) => row.cells.length === was[i]!.cells.length)) return undefined
  if (before.slice(0, was[0]!.from) !== after.slice(0, is[0]!.from)) return undefined
  const head = rowOf(written, header!, was[0]!, is[0]!, merge)
  if (head === undefined) return undefined
  if (others.length === 0) return is.length === 1 ? spliced(written, [[header!, head]]) : undefined
  const pairs = pairedRows(was.slice(1), is.slice(1))
  const gap = others.length > 1 ? written.slice(others[0]!.to, others[1]!.from) : ""
  let text = written.slice(0, header!.from) + head + written.slice(header!.to, others[0]!.from)
  for (const [i, row] of is.slice(1).entries()) {
    const at = pairs[i]
    const isNext = at !== undefined && i > 0 && pairs[i - 1] === at - 1
    if (i > 0) text += isNext ? written.slice(others[at - 1]!.to, others[at]!.from) : gap
    text += (at === undefined ? undefined : rowOf(written, others[at]!, was[at + 1]!, row, merge)) ?? row.text
  }
  return text + written.slice(others.at(-1)!.to)
}

/**
 * Returns the index of the old row for each row. Pairs equal rows, or all rows in order if their number is unchanged.
 */
const pairedRows = (was: ReadonlyArray<Row>, is: ReadonlyArray<Row>): ReadonlyArray<number | undefined> =>
  was.length === is.length ? is.map((_, i) => i) : paired(was.map(textOf), is.map(textOf))

const textOf = ({ text }: Row): string => text

/** Returns the source of a row with the changed cells replaced; undefined if the number of cells changed. */
const rowOf = (written: string, own: Row, was: Row, is: Row, merge: Merge): string | undefined => {
  if (was.text === is.text) return written.slice(own.from, own.to)
  if (was.cells.length !== is.cells.length) return undefined
  const edits = own.cells.flatMap((cell, i): ReadonlyArray<Edit> => {
    const [before, after] = [was.cells[i]!, is.cells[i]!]
    if (before.open !== after.open) return [[cell, `${after.open}${after.text}</${nameOf(after.open)}>`]]
    if (before.text === after.text) return []
    const [, to] = cell.inside
    const begun = written.slice(...cell.inside).trimStart()
    const from = to - begun.length
    const source = begun.trimEnd()
    return [[{ from, to: from + source.length }, merge(source, before.text, after.text)]]
  })
  return spliced(written, edits, own.from, own.to)
}

const nameOf = (open: string): string => /^<([a-z]+)/.exec(open)![1]!

type Edit = readonly [{ readonly from: number; readonly to: number }, text: string]

/** Returns a part of a text with replacements, which are in text order. */
const spliced = (text: string, edits: ReadonlyArray<Edit>, from = 0, to = text.length): string => {
  let out = ""
  let at = from
  for (const [place, other] of edits) {
    out += text.slice(at, place.from) + other
    at = place.to
  }
  return out + text.slice(at, to)
}

/** Returns the rows; undefined if the HTML is not a table with rows. */
const rowsOf = (html: string): ReadonlyArray<Row> | undefined => {
  const [table, ...rest] = HtmlTree.parse(html.trimEnd()) ?? []
  const parts = table?.kind === "element" && rest.length === 0 ? HtmlTree.elements(table.children) : undefined
  const rows = parts?.flatMap((part) => HtmlTree.elements(part.children) ?? []).map((row) => rowAt(html, row))
  return rows === undefined || rows.length === 0 ? undefined : rows
}

const rowAt = (html: string, { children, range: { from, to } }: HtmlTree.Element): Row => ({
  from,
  to,
  text: html.slice(from, to),
  cells: (HtmlTree.elements(children) ?? []).map(({ range }) => ({
    ...range,
    open: html.slice(range.from, range.inside[0]),
    text: html.slice(...range.inside)
  }))
})
