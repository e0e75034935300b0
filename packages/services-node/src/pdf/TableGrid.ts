/**
 * Lays out the rows of a table as strips (pieces of content between which a page can break, see `Strip`). Each column
 * is a stack of cells, and each cell is padded to the height of its row. So a row that is cut at the end of a page
 * continues at the same height in all columns.
 */
import type * as TableContent from "@lectern/document/table/TableContent"
import { type Cell, cellStrips, cellStyle } from "./Cells.ts"
import { combineColumns } from "./Columns.ts"
import type { Element } from "./Element.ts"
import type { Frame } from "./Frame.ts"
import { colors } from "./PageStyle.ts"
import type { Style } from "./Span.ts"
import { heightOf, type Strip, space, indented } from "./Strip.ts"
import { cellEdge } from "./TableWidths.ts"

const alignments = ["left", "center", "right"] as const

/** Space above and below the content of a cell, in points. */
const cellPadding = 3.5

/** A cell with its position, and the number of rows and columns that it spans. */
export interface PlacedCell {
  /** Row index within the band. */
  readonly row: number
  readonly column: number
  readonly down: number
  readonly across: number
  readonly cell: Cell
}

export class Grid {
  readonly #columns: ReadonlyArray<TableContent.Column>
  readonly #widths: ReadonlyArray<number>
  /** Distance of each column from the first one, and the end of the last one, in points. */
  readonly #lefts: ReadonlyArray<number>
  /** True if the first column is on the right. */
  readonly #isMirrored: boolean
  readonly #frame: Frame

  constructor(
    columns: ReadonlyArray<TableContent.Column>,
    widths: ReadonlyArray<number>,
    isMirrored: boolean,
    frame: Frame
  ) {
    this.#columns = columns
    this.#isMirrored = isMirrored
    this.#widths = widths
    const lefts = [0]
    for (const width of widths) lefts.push(lefts.at(-1)! + width)
    this.#lefts = lefts
    this.#frame = frame
  }

  header(titles: ReadonlyArray<Cell>, style: Style): Strip {
    const { doc } = this.#frame.sheet
    const row = this.#frame.element.add("TR")
    const stacks = titles.map((cell, i) => this.#set(cell, i, 1, style, row.add("TH", { scope: "Column" })))
    const height = Math.max(...stacks.map(heightOf))
    for (const [i, stack] of stacks.entries()) stack.push(space(height - heightOf(stack)), this.#line(1, i))
    return this.#cellRow(stacks, (x, y, height) => {
      doc.rect(x, y, this.#lefts.at(-1)!, height).fill(colors.panel)
    })
  }

  /** Returns the strip of rows that must be laid out together, since cells may span them. */
  band(placed: ReadonlyArray<PlacedCell>, rows: number): Strip {
    const elements = Array.from({ length: rows }, () => this.#frame.element.add("TR"))
    const cells = placed.map((cell) => {
      const { across, down } = cell
      const element = elements[cell.row]!.add("TD", { across, down })
      const strips = this.#set(cell.cell, cell.column, across, cellStyle, element)
      return { ...cell, strips, height: heightOf(strips) }
    })
    const heights = Array.from({ length: rows }, () => 0)
    for (const { row, down, height } of cells) if (down === 1) heights[row] = Math.max(heights[row]!, height)
    // A cell that is higher than its rows increases the height of its last row.
    for (const { row, down, height } of cells) {
      if (down === 1) continue
      const spanned = heights.slice(row, row + down).reduce((sum, rowHeight) => sum + rowHeight, 0)
      if (height > spanned) heights[row + down - 1]! += height - spanned
    }
    const tops = [0]
    for (const height of heights) tops.push(tops.at(-1)! + height)

    const stacks = this.#widths.map((): Array<Strip> => [])
    const filled = this.#widths.map(() => 0)
    for (const { row, column, down, across, strips, height } of cells) {
      const stack = stacks[column]!
      if (tops[row]! > filled[column]!) stack.push(space(tops[row]! - filled[column]!))
      const spareHeight = tops[row + down]! - tops[row]! - height
      const valign = this.#columns[column]!.definition["verticalAlignment"]
      const spaceAbove = valign === "middle" ? spareHeight / 2 : valign === "bottom" ? spareHeight : 0
      // A stack starts at its column's left edge. In a mirrored table, a cell that spans columns starts further left.
      const shift = this.#leftOf(column, across) - this.#leftOf(column, 1)
      const alignedStrips = [space(spaceAbove), ...strips, space(spareHeight - spaceAbove), this.#line(across, column)]
      stack.push(...(shift === 0 ? alignedStrips : indented(alignedStrips, shift)))
      filled[column] = tops[row + down]!
    }
    return this.#cellRow(stacks)
  }

  /** Returns the left edge of a cell that spans `across` columns, in points. */
  #leftOf(column: number, across: number): number {
    const lefts = this.#lefts
    return this.#isMirrored ? lefts.at(-1)! - lefts[column + across]! : lefts[column]!
  }

  #set(cell: Cell, column: number, across: number, style: Style, element: Element): Array<Strip> {
    const width = this.#lefts[column + across]! - this.#lefts[column]! - 2 * cellEdge
    const align = alignments.find((alignment) => alignment === this.#columns[column]!.definition["textAlignment"])
    const inner = { ...this.#frame, width, style, element, tight: true }
    const strips = cellStrips(cell, align === undefined ? inner : { ...inner, align })
    return [space(cellPadding), ...strips, space(cellPadding)]
  }

  /** Returns the line below a cell, as wide as its columns. */
  #line(across: number, column: number): Strip {
    const width = this.#lefts[column + across]! - this.#lefts[column]!
    return {
      height: 0,
      draw: (x, y) => {
        this.#frame.sheet.doc
          .moveTo(x - cellEdge, y)
          .lineTo(x - cellEdge + width, y)
          .lineWidth(0.6)
          .stroke(colors.faint)
      }
    }
  }

  #cellRow(
    stacks: ReadonlyArray<ReadonlyArray<Strip>>,
    ground?: (x: number, y: number, height: number) => void
  ): Strip {
    return combineColumns(
      stacks.map((strips, i) => ({ x: this.#leftOf(i, 1) + cellEdge, strips })),
      ground
    )
  }
}
