/** A small form above the page. Enter applies, Escape cancels, and the focus returns to the text. */
import type { EditorView } from "prosemirror-view"
import type { MenuContext } from "../menu/MenuOptions.ts"
import { button, element, Popup } from "../menu/Popup.ts"

export const openForm = (
  view: EditorView,
  { texts }: MenuContext,
  options: {
    readonly label: string
    readonly anchor: () => DOMRect | undefined
    readonly fields: ReadonlyArray<HTMLElement>
    /** Further buttons. */
    readonly buttons?: (close: () => void) => ReadonlyArray<HTMLElement>
    /** Applies the values. Returns the element that lacks a value, if any. */
    readonly apply: () => HTMLElement | undefined
  }
): void => {
  const popup = new Popup(view, "lectern-form")
  popup.element.role = "dialog"
  popup.element.ariaLabel = options.label
  const form = element("form", "lectern-fields")
  form.noValidate = true
  let isClosed = false
  const close = () => {
    if (isClosed) return
    isClosed = true
    document.removeEventListener("pointerdown", closeOutside, true)
    popup.destroy()
    view.focus()
  }
  const closeOutside = (event: Event) => {
    if (!popup.element.contains(event.target as Node)) close()
  }
  const apply = button("lectern-button lectern-primary", texts.apply, texts.apply, () => undefined)
  apply.type = "submit"
  const row = element("div", "lectern-buttons")
  row.append(apply, ...(options.buttons?.(close) ?? []), button("lectern-button", texts.cancel, texts.cancel, close))
  form.append(element("div", "lectern-form-title", options.label), ...options.fields, row)
  form.addEventListener("submit", (event) => {
    event.preventDefault()
    const missing = options.apply()
    if (missing === undefined) return close()
    missing.setAttribute("aria-invalid", "true")
    missing.focus()
  })
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return
    event.preventDefault()
    event.stopPropagation()
    close()
  })
  popup.element.append(form)
  popup.open(options.anchor)
  document.addEventListener("pointerdown", closeOutside, true)
  form.querySelector<HTMLElement>("input, select, textarea")?.focus()
}
