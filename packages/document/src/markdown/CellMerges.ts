/**
 * Converts cells that span several rows and columns. HTML omits covered cells; a document stores the spans of each
 * merge.
 */
import * as HtmlTree from "./HtmlTree.ts"

export interface Merge {
  readonly anchor: { readonly record: string; readonly column: string }
  readonly rowSpan: number
  readonly colSpan: number
}

type Row = ReadonlyArray<HtmlTree.Element | undefined>

const span = /^[1-9]\d{0,3}$/

/**
 * Returns the cells of each row, with undefined for covered cells. Returns undefined if cells overlap or exceed the
 * columns or rows. A row ends with its last cell.
 */
export const read = (
  rows: ReadonlyArray<ReadonlyArray<HtmlTree.Element>>,
  width: number
): { readonly rows: ReadonlyArray<Row>; readonly merges: ReadonlyArray<Merge> } | undefined => {
  const merges: Array<Merge> = []
  const laidOutRows: Array<Row> = []
  /** Number of covered rows below, by column. */
  const coveredRowCounts = Array.from({ length: width }, () => 0)
  for (const [i, cells] of rows.entries()) {
    const row: Array<HtmlTree.Element | undefined> = []
    const coveredBelow = coveredRowCounts.map((remainingRows) => Math.max(remainingRows - 1, 0))
    for (const cell of cells) {
      while (row.length < width && coveredRowCounts[row.length]! > 0) row.push(undefined)
      const column = row.length
      const spans = parseSpans(cell)
      if (spans === undefined || column + spans.colSpan > width || i + spans.rowSpan > rows.length) return undefined
      for (let at = column; at < column + spans.colSpan; at++) {
        if (coveredRowCounts[at]! > 0) return undefined
        coveredBelow[at] = spans.rowSpan - 1
        row.push(at === column ? cell : undefined)
      }
      if (spans.colSpan > 1 || spans.rowSpan > 1) {
        merges.push({ anchor: { record: `r${i + 1}`, column: `c${column + 1}` }, ...spans })
      }
    }
    laidOutRows.push(row)
    for (const [at, remainingRows] of coveredBelow.entries()) coveredRowCounts[at] = remainingRows
  }
  return { rows: laidOutRows, merges }
}

const parseSpans = ({ attributes }: HtmlTree.Element) => {
  const rowSpan = attributes.get("rowspan") ?? "1"
  const colSpan = attributes.get("colspan") ?? "1"
  return span.test(rowSpan) && span.test(colSpan) ? { rowSpan: Number(rowSpan), colSpan: Number(colSpan) } : undefined
}

/**
 * Returns the spans by anchor cell, and the covered cells, with keys from `cellKey`. Invalid and overlapping merges are
 * ignored.
 */
export const spansByCell = (
  merges: unknown,
  records: ReadonlyArray<string>,
  columns: ReadonlyArray<string>
): { readonly spans: ReadonlyMap<string, Merge>; readonly covered: ReadonlySet<string> } => {
  const spans = new Map<string, Merge>()
  const covered = new Set<string>()
  const rows = new Map(records.map((id, i) => [id, i]))
  const columnIndexes = new Map(columns.map((id, i) => [id, i]))
  let mergedCells = 0
  for (const merge of Array.isArray(merges) ? (merges as ReadonlyArray<Merge>) : []) {
    const row = rows.get(String(merge?.anchor?.record)) ?? -1
    const column = columnIndexes.get(String(merge?.anchor?.column)) ?? -1
    const { rowSpan, colSpan } = merge ?? {}
    if (
      row < 0 ||
      column < 0 ||
      !isValidSpan(rowSpan, records.length - row) ||
      !isValidSpan(colSpan, columns.length - column)
    ) {
      continue
    }
    mergedCells += rowSpan * colSpan
    if (mergedCells > maxMergedCells) break
    const cells: Array<string> = []
    for (let r = row; r < row + rowSpan; r++) for (let c = column; c < column + colSpan; c++) cells.push(cellKey(r, c))
    if (cells.some((cell) => covered.has(cell) || spans.has(cell))) continue
    spans.set(cells[0]!, merge)
    for (const cell of cells.slice(1)) covered.add(cell)
  }
  return { spans, covered }
}

/** Maximum number of cells in all merges of a table. Later merges are ignored. */
const maxMergedCells = 1_000_000

export const cellKey = (row: number, column: number): string => `${row}:${column}`

const isValidSpan = (value: unknown, max: number): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= max
