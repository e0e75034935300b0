/**
 * Strips are what is put on paper: each has a height, is as wide as its frame, and is drawn at a place. A
 * sheet ends between two strips, so whatever is around a strip (the bar of a quote, the background of code) is
 * drawn with it and goes on over sheets by itself. A high strip may say how it is cut in two.
 */

export interface Strip {
  readonly height: number
  readonly draw?: (x: number, y: number) => void
  /** Space: nothing is lost where a sheet begins with it. */
  readonly gap?: true
  /** The next strip begins on the same sheet. */
  readonly keep?: true
  /** Drawn above it again where a sheet begins with it, as the header of a table. */
  readonly head?: Strip
  /** Cuts the strip into the part that there is room for and the rest; undefined where there is room for nothing. */
  readonly cut?: (room: number) => Parts | undefined
}

export type Parts = readonly [fitting: Strip, rest: Strip]

export type Strips = Iterable<Strip>

export const gap = (height: number): Strip => ({ height, gap: true })

/** Nothing, of a height. */
export const space = (height: number): Strip => ({
  height,
  cut: (room) => [space(Math.min(room, height)), space(Math.max(0, height - room))]
})

type Around = (x: number, y: number, height: number) => void

const decorated = (strip: Strip, dx: number, around: Around, ofRest: Around = around): Strip => {
  const { head, cut } = strip
  return {
    ...strip,
    draw: (x, y) => {
      around(x, y, strip.height)
      strip.draw?.(x + dx, y)
    },
    ...(head && { head: decorated(head, dx, around) }),
    ...(cut && {
      cut: (room: number) => {
        const parts = cut(room)
        return parts && [decorated(parts[0], dx, around), decorated(parts[1], dx, ofRest)]
      }
    })
  }
}

/** Strips that stand further in, with something drawn before each of them. */
export function* within(strips: Strips, dx: number, around: Around = () => {}): Generator<Strip> {
  for (const strip of strips) yield decorated(strip, dx, around)
}

/** Strips with something drawn beside the first of them that is more than space. */
export function* marked(strips: Strips, mark: (x: number, y: number) => void): Generator<Strip> {
  let done = false
  for (const strip of strips) {
    if (done || strip.gap === true) yield strip
    else {
      done = true
      yield decorated(strip, 0, mark, () => {})
    }
  }
}

/** Strips with space above and below, which stays with them. */
export function* padded(strips: Strips, by: number): Generator<Strip> {
  yield { height: by, keep: true }
  let last: Strip | undefined
  for (const strip of strips) {
    if (last !== undefined) yield last
    last = strip
  }
  if (last !== undefined) yield { ...last, keep: true }
  yield { height: by }
}

export const heightOf = (strips: ReadonlyArray<Strip>): number => {
  let height = 0
  for (const strip of strips) height += strip.height
  return height
}
