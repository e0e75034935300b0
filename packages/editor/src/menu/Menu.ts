/**
 * A menu for keyboard and pointer. An item with `items` opens them in the place of its own menu. Arrows, Home, End and
 * the first letter move, Escape goes back to the text.
 */
import type { EditorView } from "prosemirror-view"
import { element, Popup } from "./Popup.ts"

export interface MenuItem {
  readonly label: string
  readonly sign?: string
  readonly isChecked?: boolean
  readonly run?: () => void
  readonly items?: () => ReadonlyArray<MenuItem>
}

/** `onClose`: called when the menu closes, before the item runs. */
export const openMenu = (
  view: EditorView,
  label: string,
  anchor: () => DOMRect | undefined,
  items: ReadonlyArray<MenuItem>,
  onClose?: () => void
): void => {
  const popup = new Popup(view, "lectern-menu")
  popup.element.role = "menu"
  popup.element.ariaLabel = label
  const buttons = (): Array<HTMLElement> => Array.from(popup.element.querySelectorAll("button"))
  let isClosed = false
  const close = () => {
    if (isClosed) return
    isClosed = true
    popup.destroy()
    document.removeEventListener("pointerdown", closeOutside, true)
    onClose?.()
    view.focus()
  }
  const closeOutside = (event: Event) => {
    if (!popup.element.contains(event.target as Node)) close()
  }
  const show = (shown: ReadonlyArray<MenuItem>) => {
    popup.element.replaceChildren(
      ...shown.map((item) => {
        const made = element("button", "lectern-menu-item")
        made.type = "button"
        made.role = item.isChecked === undefined ? "menuitem" : "menuitemcheckbox"
        if (item.isChecked !== undefined) made.ariaChecked = String(item.isChecked)
        if (item.items !== undefined) made.ariaHasPopup = "menu"
        if (item.sign !== undefined) {
          const sign = element("span", "lectern-sign", item.sign)
          sign.ariaHidden = "true"
          made.append(sign)
        }
        made.append(item.label)
        made.addEventListener("click", () => {
          if (item.items !== undefined) return show(item.items())
          close()
          item.run?.()
        })
        return made
      })
    )
    popup.open(anchor)
    buttons()[0]?.focus()
  }
  popup.element.addEventListener("keydown", (event) => {
    const all = buttons()
    const index = all.indexOf(document.activeElement as HTMLElement)
    const goTo = (next: number) => all.at(next % all.length)?.focus()
    if (event.key === "ArrowDown") goTo(index + 1)
    else if (event.key === "ArrowUp") goTo(index - 1)
    else if (event.key === "Home") goTo(0)
    else if (event.key === "End") goTo(-1)
    else if (event.key === "Escape" || event.key === "Tab") close()
    else if (event.key.length === 1 && event.key !== " ") {
      const letter = event.key.toLowerCase()
      const after = all.slice(index + 1).concat(all.slice(0, index + 1))
      after.find(({ lastChild }) => lastChild?.textContent?.toLowerCase().startsWith(letter) === true)?.focus()
    } else return
    event.preventDefault()
    event.stopPropagation()
  })
  document.addEventListener("pointerdown", closeOutside, true)
  show(items)
}
