/**
 * Stacks of strips side by side, as one strip. Where it is cut, each of them is cut on its own, and
 * goes on at the top of the next sheet.
 */
import { heightOf, type Strip } from "./Strip.ts"

export interface Column {
  readonly strips: ReadonlyArray<Strip>
  /** From the left edge. */
  readonly x: number
}

/** Draws what is behind a part of them. */
export type Ground = (x: number, y: number, height: number) => void

export const sideBySide = (columns: ReadonlyArray<Column>, ground: Ground = () => {}): Strip => {
  let height = 0
  for (const { strips } of columns) height = Math.max(height, heightOf(strips))
  return {
    height,
    draw: (x, y) => {
      ground(x, y, height)
      for (const column of columns) {
        let at = y
        for (const strip of column.strips) {
          strip.draw?.(x + column.x, at)
          at += strip.height
        }
      }
    },
    cut: (room) => {
      const parts = columns.map(({ x, strips }) => ({ x, parts: cutStack(strips, room) }))
      if (parts.every(({ parts: [fitting] }) => fitting.length === 0)) return undefined
      const fitting = parts.map(({ x, parts: [strips] }) => ({ x, strips }))
      const rest = parts.map(({ x, parts: [, strips] }) => ({ x, strips }))
      return [sideBySide(fitting, ground), sideBySide(rest, ground)]
    }
  }
}

type Stack = ReadonlyArray<Strip>

const cutStack = (strips: Stack, room: number): readonly [fitting: Stack, rest: Stack] => {
  let height = 0
  let count = 0
  while (count < strips.length && height + strips[count]!.height <= room + 0.01) height += strips[count++]!.height
  if (count === strips.length) return [strips, []]
  const fitting = strips.slice(0, count)
  let rest = strips.slice(count)
  const parts = rest[0]!.cut?.(room - height)
  if (parts !== undefined) {
    fitting.push(parts[0])
    rest[0] = parts[1]
  } else {
    // What belongs to what comes next goes with it, unless that is all there is.
    let kept = count
    while (kept > 0 && fitting[kept - 1]!.keep === true) kept--
    if (kept > 0) rest = [...fitting.splice(kept), ...rest]
  }
  const [first] = rest
  if (first?.gap === true) rest.shift()
  // Where nothing came below it on this sheet, there is no room for it on the next one either.
  else if (first?.head !== undefined && (count > 1 || parts !== undefined)) rest.unshift(first.head)
  return [fitting, rest]
}
