/**
 * A strip is a piece of content on paper. It has a height, is as wide as its frame, and is drawn at a position. Sheets
 * break between strips. Decorations of a strip, such as the bar of a quote, are drawn with it and so continue across
 * sheets. A high strip may define how it is cut in two.
 */

export interface Strip {
  readonly height: number
  readonly draw?: (x: number, y: number) => void
  /** True for space that is dropped at the top of a sheet. */
  readonly gap?: true
  /** True if the next strip must start on the same sheet. */
  readonly keep?: true
  /** Strip to repeat above this one at the top of a sheet, such as the header of a table. */
  readonly head?: Strip
  /** Cuts the strip into the part that fits and the rest. Undefined if nothing fits. */
  readonly cut?: (maxHeight: number) => CutParts | undefined
}

export type CutParts = readonly [fitting: Strip, rest: Strip]

export type Strips = Iterable<Strip>

export const gap = (height: number): Strip => ({ height, gap: true })

/** Returns an empty strip that can be cut. */
export const space = (height: number): Strip => ({
  height,
  cut: (maxHeight) => [space(Math.min(maxHeight, height)), space(Math.max(0, height - maxHeight))]
})

type DrawDecoration = (x: number, y: number, height: number) => void

const decorated = (
  strip: Strip,
  dx: number,
  decorate: DrawDecoration,
  decorateRest: DrawDecoration = decorate
): Strip => {
  const { head, cut } = strip
  return {
    ...strip,
    draw: (x, y) => {
      decorate(x, y, strip.height)
      strip.draw?.(x + dx, y)
    },
    ...(head && { head: decorated(head, dx, decorate) }),
    ...(cut && {
      cut: (maxHeight: number) => {
        const parts = cut(maxHeight)
        return parts && [decorated(parts[0], dx, decorate), decorated(parts[1], dx, decorateRest)]
      }
    })
  }
}

/** Moves strips right by `dx` points, and draws a decoration before each of them. */
export function* indented(strips: Strips, dx: number, decorate: DrawDecoration = () => {}): Generator<Strip> {
  for (const strip of strips) yield decorated(strip, dx, decorate)
}

/** Draws a marker with the first strip that is not a gap. */
export function* marked(strips: Strips, drawMarker: (x: number, y: number) => void): Generator<Strip> {
  let isMarked = false
  for (const strip of strips) {
    if (isMarked || strip.gap === true) yield strip
    else {
      isMarked = true
      yield decorated(strip, 0, drawMarker, () => {})
    }
  }
}

/** Adds space above and below strips, which stays with them. */
export function* padded(strips: Strips, padding: number): Generator<Strip> {
  yield { height: padding, keep: true }
  let previousStrip: Strip | undefined
  for (const strip of strips) {
    if (previousStrip !== undefined) yield previousStrip
    previousStrip = strip
  }
  if (previousStrip !== undefined) yield { ...previousStrip, keep: true }
  yield { height: padding }
}

export const heightOf = (strips: ReadonlyArray<Strip>): number => {
  let height = 0
  for (const strip of strips) height += strip.height
  return height
}
