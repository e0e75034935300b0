/**
 * What is put on paper: a stack of strips, each as wide as what it stands in, of a height, drawn at
 * a place. A page ends between two strips and never within one, so whatever is around a strip (the
 * bar of a quote, the background of code) is drawn with it and goes on over pages by itself.
 */

export interface Strip {
  readonly height: number
  readonly draw?: (x: number, y: number) => void
  /** Space: nothing is lost where a page begins with it. */
  readonly gap?: true
  /** What comes next begins on the same page. */
  readonly keep?: true
  /** Drawn above it again where a page begins with it, as the header of a table. */
  readonly head?: Strip
}

export type Strips = Iterable<Strip>

export const gap = (height: number): Strip => ({ height, gap: true })

const decorated = (strip: Strip, dx: number, around: (x: number, y: number, height: number) => void): Strip => ({
  ...strip,
  draw: (x, y) => {
    around(x, y, strip.height)
    strip.draw?.(x + dx, y)
  },
  ...(strip.head && { head: decorated(strip.head, dx, around) })
})

/** Strips that stand further in, with something drawn before each of them. */
export function* within(
  strips: Strips,
  dx: number,
  around: (x: number, y: number, height: number) => void = () => {}
): Generator<Strip> {
  for (const strip of strips) yield decorated(strip, dx, around)
}

/** Strips with something drawn beside the first of them that is more than space. */
export function* marked(strips: Strips, mark: (x: number, y: number) => void): Generator<Strip> {
  let done = false
  for (const strip of strips) {
    if (done || strip.gap === true) yield strip
    else {
      done = true
      yield decorated(strip, 0, mark)
    }
  }
}

export interface Column {
  readonly strips: ReadonlyArray<Strip>
  /** From the left edge. */
  readonly x: number
}

/**
 * Columns side by side, cut where none of them is cut within a strip: a page may end at each cut.
 * `around` draws what surrounds a part.
 */
export function* sideBySide(
  columns: ReadonlyArray<Column>,
  partHeight: number,
  around: (x: number, y: number, height: number, part: { readonly first: boolean; readonly last: boolean }) => void
): Generator<Strip> {
  const next = columns.map(() => 0)
  const isDone = () => columns.every(({ strips }, i) => next[i]! >= strips.length)
  const whole = Math.max(0, ...columns.map(({ strips }) => heightOf(strips)))
  // What is only a little more than a part stays in one piece.
  const limit = whole <= 1.5 * partHeight ? whole : partHeight
  for (let first = true; !isDone(); first = false) {
    const taken = columns.map(({ strips, x }, i) => {
      const begin = next[i]!
      let height = 0
      while (next[i]! < strips.length) {
        const strip = strips[next[i]!]!
        if (height > 0 && height + strip.height > limit + 0.01) break
        height += strip.height
        next[i]!++
      }
      return { x, height, strips: strips.slice(begin, next[i]) }
    })
    const height = Math.max(...taken.map((column) => column.height))
    const last = isDone()
    yield {
      height,
      draw: (x, y) => {
        around(x, y, height, { first, last })
        for (const column of taken) {
          let at = y
          for (const strip of column.strips) {
            strip.draw?.(x + column.x, at)
            at += strip.height
          }
        }
      }
    }
  }
}

export const heightOf = (strips: ReadonlyArray<Strip>): number => {
  let height = 0
  for (const strip of strips) height += strip.height
  return height
}
