/**
 * Follows a pointer from its press until it drops or cancels a drag. A mouse starts after 5 pixels. A finger starts after
 * a long press, and scrolls before that. Near the upper and the lower edge, the element scrolls by itself; the root
 * element scrolls at the edges of the window. Escape cancels.
 */
export interface DragHandlers {
  /** The drag has started. */
  readonly onStart: () => void
  /** The pointer or the scroll position has moved. Coordinates are those of the viewport. */
  readonly onMove: (x: number, y: number) => void
  /** The drag has ended. `isDropped`: false if it was canceled. `hasMoved`: false for a long press only. */
  readonly onEnd: (isDropped: boolean, hasMoved: boolean) => void
}

/** Distances (CSS pixels) and time (ms). */
const mouseThreshold = 5
const touchTolerance = 10
const longPress = 400
const edge = 48
const maxScrollStep = 18

/** True while a drag runs, so that a finger does not scroll and opens no menu of the browser. */
let isDragging = false

export const isDragRunning = (): boolean => isDragging

export const followDrag = (press: PointerEvent, scroller: HTMLElement, handlers: DragHandlers): void => {
  const { pointerId, pointerType } = press
  const isTouch = pointerType !== "mouse"
  let hasMoved = false
  let point = { x: press.clientX, y: press.clientY }
  let frame = 0
  const listening = new AbortController()
  const { signal } = listening

  const start = (): void => {
    isDragging = true
    handlers.onStart()
    handlers.onMove(point.x, point.y)
    frame = requestAnimationFrame(scroll)
  }

  const end = (isDropped: boolean): void => {
    clearTimeout(timer)
    cancelAnimationFrame(frame)
    listening.abort()
    if (!isDragging) return
    isDragging = false
    handlers.onEnd(isDropped, hasMoved)
  }

  const scroll = (): void => {
    const { bottom, top } =
      scroller === document.documentElement ? { top: 0, bottom: innerHeight } : scroller.getBoundingClientRect()
    const above = top + edge - point.y
    const below = point.y - (bottom - edge)
    const distance = above > 0 ? -above : Math.max(0, below)
    if (distance !== 0 && hasMoved) {
      const before = scroller.scrollTop
      scroller.scrollTop += Math.max(-maxScrollStep, Math.min(maxScrollStep, distance / 3))
      if (scroller.scrollTop !== before) handlers.onMove(point.x, point.y)
    }
    frame = requestAnimationFrame(scroll)
  }

  const timer = isTouch ? setTimeout(start, longPress) : undefined

  addEventListener(
    "pointermove",
    (event) => {
      if (event.pointerId !== pointerId) return
      const distance = Math.hypot(event.clientX - press.clientX, event.clientY - press.clientY)
      if (!isDragging) {
        if (isTouch) {
          if (distance > touchTolerance) end(false)
          return
        }
        if (distance < mouseThreshold) return
        point = { x: event.clientX, y: event.clientY }
        hasMoved = true
        return start()
      }
      point = { x: event.clientX, y: event.clientY }
      hasMoved ||= distance > touchTolerance
      handlers.onMove(point.x, point.y)
    },
    { signal }
  )
  addEventListener(
    "pointerup",
    (event) => {
      if (event.pointerId === pointerId) end(true)
    },
    { signal }
  )
  addEventListener(
    "pointercancel",
    (event) => {
      if (event.pointerId === pointerId) end(false)
    },
    { signal }
  )
  addEventListener("blur", () => end(false), { signal })
  addEventListener(
    "keydown",
    (event) => {
      if (event.key !== "Escape" || !isDragging) return
      event.preventDefault()
      event.stopPropagation()
      end(false)
    },
    { signal, capture: true }
  )
}
