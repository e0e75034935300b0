/** A bar of buttons above the page. One button is in the order of Tab, arrows move between them, Escape leaves. */
import type { EditorView } from "prosemirror-view"
import { button, Popup } from "./Popup.ts"

export interface ToolbarButton {
  readonly text: string
  readonly label: string
  /** Class of the button, such as one for bold text. */
  readonly className?: string
  readonly hasMenu?: boolean
  readonly run: (button: HTMLButtonElement) => void
  /** Absent: the button has no state. */
  readonly isPressed?: () => boolean
}

export class Toolbar {
  readonly popup: Popup
  readonly #buttons: ReadonlyArray<readonly [ToolbarButton, HTMLButtonElement]>

  constructor(view: EditorView, label: string, buttons: ReadonlyArray<ToolbarButton>) {
    this.popup = new Popup(view, "lectern-toolbar")
    const { element } = this.popup
    element.role = "toolbar"
    element.ariaLabel = label
    this.#buttons = buttons.map((item, i) => {
      const made = button(`lectern-tool ${item.className ?? ""}`, item.text, item.label, () => item.run(made))
      made.tabIndex = i === 0 ? 0 : -1
      if (item.hasMenu === true) made.ariaHasPopup = "menu"
      return [item, made]
    })
    element.append(...this.#buttons.map(([, made]) => made))
    // The selection of the text stays.
    element.addEventListener("mousedown", (event) => event.preventDefault())
    element.addEventListener("keydown", (event) => {
      const all = this.#buttons.map(([, made]) => made)
      const index = all.indexOf(document.activeElement as HTMLButtonElement)
      const isForward = event.key === (getComputedStyle(element).direction === "rtl" ? "ArrowLeft" : "ArrowRight")
      if (isForward) all[(index + 1) % all.length]!.focus()
      else if (event.key === "ArrowLeft" || event.key === "ArrowRight") all.at(index - 1)!.focus()
      else if (event.key === "Escape") view.focus()
      else return
      event.preventDefault()
    })
  }

  get hasFocus(): boolean {
    return this.popup.element.contains(document.activeElement)
  }

  focus(): void {
    this.#buttons[0]![1].focus()
  }

  update(): void {
    for (const [{ isPressed }, made] of this.#buttons) {
      if (isPressed !== undefined) made.ariaPressed = String(isPressed())
    }
  }
}
