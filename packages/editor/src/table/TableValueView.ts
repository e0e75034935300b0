/**
 * A cell with a value: a number, a box, a rating or an option, edited in place. Other values are displayed. The column's
 * definition decides which control a cell has, and its title is the name of the control.
 */
import { objectOrEmpty, optionLabel, type Properties } from "@lectern/document/table/TableContent"
import type { Node } from "prosemirror-model"
import type { EditorView, NodeView, NodeViewConstructor } from "prosemirror-view"

/** Returns the title of the column of a cell. */
const titleOf = (view: EditorView, position: number | undefined): Node | undefined => {
  if (position === undefined) return undefined
  const $cell = view.state.doc.resolve(position)
  return $cell.depth < 2 ? undefined : ($cell.node(-1).firstChild?.maybeChild($cell.index()) ?? undefined)
}

const displayed = (value: unknown, definition: Properties): string => {
  if (Array.isArray(value)) return value.map((each) => optionLabel(definition, String(each))).join(", ")
  if (typeof value === "object" && value !== null)
    return String(Object.values(value).find((each) => typeof each === "string") ?? "")
  return value === null || value === undefined ? "" : String(value)
}

export const tableValueView: NodeViewConstructor = (node, view, position): NodeView => {
  const dom = document.createElement("div")
  dom.className = "lectern-value"
  dom.dataset["table"] = "value"
  dom.contentEditable = "false"
  const title = titleOf(view, position())
  const definition: Properties = objectOrEmpty(title?.attrs["definition"])
  const type = definition["type"]
  const { isAbsent, value } = node.attrs
  const write = (next: unknown) => {
    const at = position()
    if (at === undefined) return
    const attrs = { ...view.state.doc.nodeAt(at)!.attrs, value: next ?? null, isAbsent: next === undefined }
    view.dispatch(view.state.tr.setNodeMarkup(at, null, attrs))
  }
  const control = controlOf(definition, write)
  if (control === undefined) dom.textContent = displayed(value, definition)
  else {
    display(control, isAbsent === true ? undefined : value)
    control.ariaLabel = title?.textContent || String(type)
    control.toggleAttribute("disabled", !view.editable)
    dom.append(control)
  }
  return {
    dom,
    // The control stays while a person types into it.
    update: (next) => {
      if (next.type !== node.type || titleOf(view, position())?.attrs["definition"] !== title?.attrs["definition"])
        return false
      if (control === undefined) return next.eq(node)
      if (document.activeElement !== control)
        display(control, next.attrs["isAbsent"] === true ? undefined : next.attrs["value"])
      return true
    },
    selectNode: () => {
      dom.classList.add("ProseMirror-selectednode")
      if (view.hasFocus()) control?.focus()
    },
    deselectNode: () => dom.classList.remove("ProseMirror-selectednode"),
    // Tab and the arrows up and down are those of the table.
    stopEvent: (event) =>
      event.target === control &&
      !(event instanceof KeyboardEvent && ["Tab", "Escape", "Enter"].includes(event.key)) &&
      !(event instanceof ClipboardEvent && event.type === "copy"),
    ignoreMutation: () => true
  }
}

type Control = HTMLInputElement | HTMLSelectElement

const display = (control: Control, value: unknown): void => {
  if (control.type === "checkbox") (control as HTMLInputElement).checked = value === true
  else if (control.type === "number") control.value = typeof value === "number" ? String(value) : ""
  else {
    const first: unknown = Array.isArray(value) ? value[0] : value
    control.value = typeof first === "string" ? first : ""
  }
}

const controlOf = (definition: Properties, write: (value: unknown) => void): Control | undefined => {
  if (definition["type"] === "select" && definition["multiple"] !== true && Array.isArray(definition["options"])) {
    const control = document.createElement("select")
    control.append(new Option("", ""))
    for (const option of definition["options"]) {
      const { label, value } = objectOrEmpty(option)
      control.append(new Option(String(label ?? value), String(value)))
    }
    control.addEventListener("change", () => write(control.value === "" ? undefined : [control.value]))
    return control
  }
  const control = document.createElement("input")
  switch (definition["type"]) {
    case "checkbox":
      control.type = "checkbox"
      control.addEventListener("change", () => write(control.checked))
      return control
    case "rating":
    case "number":
      control.type = "number"
      control.step = definition["type"] === "rating" ? "1" : "any"
      if (definition["type"] === "rating") {
        control.min = "0"
        control.max = String(definition["max"] ?? "")
      }
      control.addEventListener("input", () => {
        if (control.validity.valid) write(control.value === "" ? undefined : Number(control.value))
      })
      return control
    default:
      return undefined
  }
}
