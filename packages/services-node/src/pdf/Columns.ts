/**
 * Combines stacks of strips (see `Strip`) side by side into one strip. If a page break cuts the combined strip, each
 * stack is cut separately and continues at the top of the next page.
 */
import { heightOf, type Strip } from "./Strip.ts"

export interface Column {
  readonly strips: ReadonlyArray<Strip>
  /** Distance from the left edge, in points. */
  readonly x: number
}

/** Draws the background of a part of the columns. */
export type DrawBackground = (x: number, y: number, height: number) => void

export const combineColumns = (columns: ReadonlyArray<Column>, background: DrawBackground = () => {}): Strip => {
  let height = 0
  for (const { strips } of columns) height = Math.max(height, heightOf(strips))
  return {
    height,
    draw: (x, y) => {
      background(x, y, height)
      for (const column of columns) {
        let stripY = y
        for (const strip of column.strips) {
          strip.draw?.(x + column.x, stripY)
          stripY += strip.height
        }
      }
    },
    cut: (maxHeight) => {
      const parts = columns.map(({ x, strips }) => ({ x, parts: splitStack(strips, maxHeight) }))
      if (parts.every(({ parts: [fitting] }) => fitting.length === 0)) return undefined
      const fitting = parts.map(({ x, parts: [strips] }) => ({ x, strips }))
      const rest = parts.map(({ x, parts: [, strips] }) => ({ x, strips }))
      return [combineColumns(fitting, background), combineColumns(rest, background)]
    }
  }
}

type Stack = ReadonlyArray<Strip>

const splitStack = (strips: Stack, maxHeight: number): readonly [fitting: Stack, rest: Stack] => {
  let height = 0
  let count = 0
  while (count < strips.length && height + strips[count]!.height <= maxHeight + 0.01) height += strips[count++]!.height
  if (count === strips.length) return [strips, []]
  const fitting = strips.slice(0, count)
  let rest = strips.slice(count)
  const parts = rest[0]!.cut?.(maxHeight - height)
  if (parts !== undefined) {
    fitting.push(parts[0])
    rest[0] = parts[1]
  } else {
    // Strips that must stay with the next strip move with it, unless they are all that fits.
    let fittingCount = count
    while (fittingCount > 0 && fitting[fittingCount - 1]!.keep === true) fittingCount--
    if (fittingCount > 0) rest = [...fitting.splice(fittingCount), ...rest]
  }
  const [first] = rest
  if (first?.gap === true) rest.shift()
  // A header with nothing below it on this sheet does not repeat, since it would not fit on the next sheet either.
  else if (first?.head !== undefined && (count > 1 || parts !== undefined)) rest.unshift(first.head)
  return [fitting, rest]
}
