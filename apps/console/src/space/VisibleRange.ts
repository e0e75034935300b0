/** Selects the rows of a long list that are near the visible ones. All rows have one height. */
import { type RefObject, useCallback, useLayoutEffect, useState } from "react"

/** Rows in addition to the visible ones, before and after them. */
const margin = 12

/** The range changes in steps, so that not every row that is scrolled renders the list. */
const stepSize = 6

interface Range {
  readonly first: number
  /** Index after the last row. */
  readonly last: number
}

export interface VisibleRange {
  readonly range: Range
  /** Scrolls so that a row is visible, or in the center if it is not visible. */
  readonly reveal: (row: number, position?: "nearest" | "center") => void
}

export const rangeOf = (scrollTop: number, height: number, rowHeight: number): Range => ({
  first: Math.max(0, Math.floor(scrollTop / rowHeight / stepSize) * stepSize - margin),
  last: Math.ceil((scrollTop + height) / rowHeight / stepSize) * stepSize + margin
})

export const useVisibleRange = (
  scroller: RefObject<HTMLElement | null>,
  rows: number,
  rowHeight: number
): VisibleRange => {
  const [range, setRange] = useState<Range>({ first: 0, last: 3 * margin })
  const update = useCallback(() => {
    const element = scroller.current
    if (element === null) return
    const next = rangeOf(element.scrollTop, element.clientHeight, rowHeight)
    setRange((before) => (before.first === next.first && before.last === next.last ? before : next))
  }, [rowHeight, scroller])

  useLayoutEffect(() => {
    const element = scroller.current!
    const sizes = new ResizeObserver(update)
    sizes.observe(element)
    element.addEventListener("scroll", update, { passive: true })
    return () => {
      sizes.disconnect()
      element.removeEventListener("scroll", update)
    }
  }, [scroller, update])
  // A shorter list may have another scroll position.
  useLayoutEffect(update, [rows, update])

  const reveal = useCallback(
    (row: number, position: "nearest" | "center" = "nearest") => {
      const element = scroller.current
      if (element === null) return
      const top = row * rowHeight
      const { clientHeight, scrollTop } = element
      if (top >= scrollTop && top + rowHeight <= scrollTop + clientHeight) return
      element.scrollTop =
        position === "center"
          ? top - (clientHeight - rowHeight) / 2
          : top < scrollTop
            ? top
            : top + rowHeight - clientHeight
      update()
    },
    [rowHeight, scroller, update]
  )
  return { range, reveal }
}
