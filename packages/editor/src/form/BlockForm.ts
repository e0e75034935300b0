/**
 * A form for the data of a block, made from the fields of its type in `BlockTypes`: a list for values that the type
 * names, a box for yes and no, a search for references. Fields that people don't edit by hand are left out (`hidden`).
 */
import { type BlockType, blockSpec, isBlockType } from "@lectern/document/vocabulary/BlockTypes"
import type { Field } from "@lectern/document/vocabulary/Field"
import type { EditorView } from "prosemirror-view"
import { withValues, wordOf } from "../EditorTexts.ts"
import type { MenuContext } from "../menu/MenuOptions.ts"
import { button, element, newId } from "../menu/Popup.ts"
import { openForm } from "./FormPopup.ts"
import { linkInput } from "./LinkInput.ts"

type Data = { readonly [name: string]: unknown }

/** Fields that programs write. */
const hidden: ReadonlySet<string> = new Set(["slug", "id", "integration", "block"])

/** Examples of these fields are not all of their values. */
const openFields: ReadonlySet<string> = new Set(["icon", "syntax", "date", "expression", "width", "height"])

const editedKinds: ReadonlySet<Field["kind"]> = new Set(["text", "boolean", "number", "length", "ref", "tags", "list"])

/** Returns the fields of a type of blocks that a form has, with their names. */
export const formFields = (type: string): ReadonlyArray<readonly [name: string, field: Field]> =>
  isBlockType(type)
    ? Object.entries(blockSpec(type).fields).filter(
        ([name, { isOmittedOnWire, kind }]) => editedKinds.has(kind) && isOmittedOnWire !== true && !hidden.has(name)
      )
    : []

interface FormField {
  readonly element: HTMLElement
  readonly control: HTMLElement
  /** Returns the value. Undefined: the field is absent. */
  readonly value: () => unknown
}

const labeled = (label: string, control: HTMLElement): HTMLElement => {
  const box = element("label", "lectern-field", label)
  box.append(control)
  return box
}

const isMultiline = (name: string): boolean => name === "formula" || name === "description"

const formField = (context: MenuContext, name: string, field: Field, current: unknown): FormField => {
  const label = wordOf(context.texts, name)
  if (field.kind === "ref") {
    const link = linkInput(context, current)
    link.element.querySelector("label")!.prepend(name === "ref" ? "" : `${label}: `)
    return { element: link.element, control: link.input, value: link.ref }
  }
  if (field.kind === "boolean") {
    const control = element("input", "lectern-box")
    control.type = "checkbox"
    control.checked = current === true
    const box = element("label", "lectern-field lectern-check")
    box.append(control, label)
    // An absent box stays absent.
    return { element: box, control, value: () => (control.checked ? true : current === undefined ? undefined : false) }
  }
  if (field.kind === "text" && field.examples !== undefined && field.examples.length > 1 && !openFields.has(name)) {
    const control = element("select", "lectern-input")
    const values = ["", ...field.examples, ...(typeof current === "string" ? [current] : [])]
    for (const value of new Set(field.wireDefault !== undefined && current !== undefined ? values.slice(1) : values)) {
      const option = new Option(value === "" ? "" : wordOf(context.texts, value), value)
      if (value === "") option.label = "–"
      control.append(option)
    }
    control.value = typeof current === "string" ? current : (field.wireDefault ?? "")
    return { element: labeled(label, control), control, value: () => control.value || undefined }
  }
  const control = element(isMultiline(name) ? "textarea" : "input", "lectern-input")
  const isNumber = field.kind === "number"
  if (control instanceof HTMLInputElement) {
    control.type = "text"
    if (isNumber) control.inputMode = "numeric"
    if (name === "date") control.type = "date"
  }
  const isList = field.kind === "tags" || field.kind === "list"
  control.value = isList
    ? Array.isArray(current)
      ? current.map((item) => (typeof item === "string" ? item : String(Object(item).tag ?? ""))).join(", ")
      : ""
    : typeof current === "string" || typeof current === "number"
      ? String(current)
      : ""
  const initial = control.value
  const value = (): unknown => {
    const text = control.value
    if (text === initial) return current
    if (text.trim() === "") return undefined
    if (isList)
      return text
        .split(",")
        .map((part) => part.trim())
        .filter((part) => part !== "")
        .map((part) => (field.kind === "tags" ? { tag: part } : part))
    const number = Number(text)
    if (isNumber) return Number.isSafeInteger(number) && number >= 0 ? number : current
    return field.kind === "length" && /^\d{1,5}$/.test(text) ? number : text
  }
  return { element: labeled(label, control), control, value }
}

/** `onData`: called with the changed data. */
export const openBlockForm = (
  view: EditorView,
  context: MenuContext,
  {
    anchor,
    data,
    onData,
    type
  }: {
    readonly type: BlockType
    readonly data: Data
    readonly anchor: () => DOMRect | undefined
    readonly onData: (data: Data) => void
  }
): void => {
  const { addFiles, nameOf, texts } = context
  const fields = formFields(type)
  const made = fields.map(([name, field]) => [name, field, formField(context, name, field, data[name])] as const)
  const takesFiles = (type === "image" || type === "file") && addFiles !== undefined && data["ref"] === undefined
  openForm(view, context, {
    label: withValues(texts.settingsOf, { name: nameOf(type) }),
    anchor,
    fields: made.map(([, , field]) => field.element),
    buttons: (close) =>
      takesFiles
        ? [button("lectern-button", texts.chooseFile, texts.chooseFile, () => chooseFiles(view, addFiles, type, close))]
        : [],
    apply: () => {
      const next: Record<string, unknown> = { ...data }
      for (const [name, field, { control, value }] of made) {
        const changed = value()
        const isNeeded = field.isRequired === true || (type === "embed" && name === "url")
        if (isNeeded && changed === undefined) return control
        if (changed === undefined) delete next[name]
        else next[name] = changed
      }
      onData(next)
      return undefined
    }
  })
}

/** Lets the person choose files, which the host takes. */
const chooseFiles = (
  view: EditorView,
  addFiles: NonNullable<MenuContext["addFiles"]>,
  type: BlockType,
  close: () => void
): void => {
  const chooser = document.createElement("input")
  chooser.type = "file"
  chooser.id = newId()
  chooser.multiple = true
  if (type === "image") chooser.accept = "image/*"
  chooser.addEventListener("change", () => {
    close()
    addFiles(Array.from(chooser.files ?? []), view)
  })
  chooser.click()
}
