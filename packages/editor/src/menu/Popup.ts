/**
 * An element above the page that stays at an anchor: a menu, a bar or a form. It is in the top layer of the browser, and
 * within the part of the window that a keyboard on the screen leaves free. Its position is set by script, which a strict
 * content security policy allows.
 */
import type { EditorView } from "prosemirror-view"

/** Distance from the anchor and from the edge of the window (pixels). */
const gap = 4
const margin = 8

type Side = "below" | "above"

export class Popup {
  readonly element: HTMLElement
  #anchor: (() => DOMRect | undefined) | undefined
  #side: Side = "below"

  /** `view`: the editor. The popup is in the same parent, so it is in the same dialog and has the same direction. */
  constructor(view: EditorView, className: string) {
    this.element = document.createElement("div")
    this.element.className = `lectern-popup ${className}`
    this.element.popover = "manual"
    view.dom.parentElement!.append(this.element)
  }

  get isOpen(): boolean {
    return this.#anchor !== undefined
  }

  /** `anchor`: returns the current position of the anchor. Undefined closes the popup. */
  open(anchor: () => DOMRect | undefined, side: Side = "below"): void {
    if (!this.isOpen) {
      this.element.showPopover()
      addEventListener("scroll", this.updatePosition, { capture: true, passive: true })
      addEventListener("resize", this.updatePosition)
      visualViewport?.addEventListener("resize", this.updatePosition)
    }
    this.#anchor = anchor
    this.#side = side
    this.updatePosition()
  }

  close(): void {
    if (!this.isOpen) return
    this.#anchor = undefined
    removeEventListener("scroll", this.updatePosition, { capture: true })
    removeEventListener("resize", this.updatePosition)
    visualViewport?.removeEventListener("resize", this.updatePosition)
    if (this.element.isConnected) this.element.hidePopover()
  }

  destroy(): void {
    this.close()
    this.element.remove()
  }

  readonly updatePosition = (): void => {
    const anchor = this.#anchor?.()
    if (anchor === undefined) return this.close()
    const { width, height } = this.element.getBoundingClientRect()
    const free = visualViewport ?? { offsetLeft: 0, offsetTop: 0, width: innerWidth, height: innerHeight }
    const [top, bottom] = [free.offsetTop + margin, free.offsetTop + free.height - margin]
    const above = anchor.top - gap - height
    const below = anchor.bottom + gap
    const fitsBelow = below + height <= bottom
    const isBelow = this.#side === "below" ? fitsBelow || above < top : above < top && fitsBelow
    const isRightToLeft = getComputedStyle(this.element).direction === "rtl"
    const left = isRightToLeft ? anchor.right - width : anchor.left
    const right = free.offsetLeft + free.width - margin
    this.element.style.top = `${Math.max(top, Math.min(isBelow ? below : above, bottom - height))}px`
    this.element.style.left = `${Math.max(free.offsetLeft + margin, Math.min(left, right - width))}px`
  }
}

/** Returns the position of text in the window. */
export const rectAt = (view: EditorView, from: number, to: number = from): DOMRect => {
  const [start, end] = [view.coordsAtPos(from), view.coordsAtPos(to, -1)]
  const left = Math.min(start.left, end.left)
  return new DOMRect(left, start.top, Math.max(start.right, end.right) - left, end.bottom - start.top)
}

/** Returns an element with text. */
export const element = <Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className: string,
  text = ""
): HTMLElementTagNameMap[Name] => {
  const made = document.createElement(name)
  made.className = className
  made.textContent = text
  return made
}

export const button = (className: string, text: string, label: string, run: () => void): HTMLButtonElement => {
  const made = element("button", className, text)
  made.type = "button"
  if (label !== text) {
    made.ariaLabel = label
    made.title = label
  }
  made.addEventListener("click", run)
  return made
}

let lastId = 0

/** Returns an id that no other element of the page has. */
export const newId = (): string => `lectern-${++lastId}`
