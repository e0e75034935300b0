/**
 * Renders the elements that readers press and fill in. The prefix of a field's name states the type of its value, from
 * which the server builds the state: `t.` = text, `b.` = boolean, `l.` = item of a list. A button sends its action.
 */
import { attributes, empty, type Html, html, unescape } from "../html/Html.ts"
import * as SafeUrls from "../html/SafeUrls.ts"
import { outward } from "../document/Links.ts"
import { type Fields, isFields, resolved, valueIn } from "./Component.ts"
import type { Drawing, Render } from "./ContentKitRenderer.ts"

/**
 * Action that closes a dialog. The block that opened the dialog is rendered again with its earlier state and receives
 * the dialog's return value.
 */
export const closing = "@ui.modal.close"

/** Actions of editors, which readers do not have. */
const notHere = new Set(["@editor.node.updateProps", "@link.unfurl"])

const actionOf = (value: unknown, { around }: Drawing): Fields | undefined =>
  isFields(value) &&
  typeof value["action"] === "string" &&
  !notHere.has(value["action"]) &&
  (value["action"] !== closing || around.isDialog)
    ? value
    : undefined

/** Renders an action: as a link if it opens a URL, otherwise as a button of the form. */
export const pressed = (
  onPress: unknown,
  label: Html,
  drawing: Drawing,
  look?: string,
  more: Readonly<Record<string, string | boolean | undefined>> = {}
): Html => {
  const action = actionOf(onPress, drawing)
  if (action === undefined) return look === undefined ? label : empty
  if (action["action"] === "@ui.url.open") {
    const url = resolved(drawing.state, action["url"])
    const href = typeof url === "string" ? SafeUrls.link(url) : undefined
    return href === undefined
      ? label
      : html`<a${attributes({ class: look })} href="${href}"${outward(href, drawing.around.rendering)}>${label}</a>`
  }
  drawing.isForm = true
  return html`<button${attributes({ class: look ?? "ck-press", name: "action", value: JSON.stringify(action), ...more })}>${label}</button>`
}

export const button: Render = ({ onPress, label, style, tooltip, confirm, disabled, icon }, drawing) => {
  const words = drawing.text(label) || drawing.text(tooltip)
  const sign = typeof icon === "string" ? drawing.around.rendering.icon(icon) : undefined
  const asks = isFields(confirm) ? [confirm["title"], confirm["text"]].map((one) => drawing.text(one)) : []
  return pressed(onPress, html`${sign}${words}`, drawing, style === "primary" ? "button" : "button ck-plain", {
    title: drawing.text(tooltip) || undefined,
    disabled: valueIn(drawing.state, disabled) === true,
    "data-confirm": asks.filter(Boolean).join("\n\n") || undefined
  })
}

const keyOf = ({ state }: Fields): string | undefined =>
  typeof state === "string" && state !== "" && state.length <= 100 ? state : undefined

const heldBy = (element: Fields, key: string, { state }: Drawing): unknown =>
  Object.hasOwn(state, key) ? state[key] : valueIn(state, element["initialValue"])

const isOff = ({ disabled }: Fields, { state }: Drawing): boolean => valueIn(state, disabled) === true

/** Returns the action of a changed value as JSON. A script sends it as soon as the value changes. */
const changing = ({ onValueChange }: Fields, drawing: Drawing): string | undefined => {
  const action = actionOf(onValueChange, drawing)
  return action && JSON.stringify(action)
}

/** Renders a label with its element. The label becomes the accessible name of the control. */
export const labelled: Render = ({ label, hint, element }, drawing) => {
  const words = drawing.all(label)
  drawing.label = plain(words)
  const content = drawing.one(element)
  drawing.label = ""
  return html`<div class="ck-field"><span aria-hidden="true">${words}</span>${content}${hint !== undefined && html`<small>${drawing.all(hint)}</small>`}</div>`
}

/** Returns the plain text of HTML. The result is escaped again when it is rendered. */
const plain = ({ text }: Html): string => unescape(text.replace(/<[^>]*>/g, ""))

const nameOf = ({ label }: Drawing, otherwise: string): string => label || otherwise

export const textInput: Render = (element, drawing) => {
  const key = keyOf(element)
  if (key === undefined) return empty
  drawing.isForm = true
  const { placeholder, multiline, inputType } = element
  const value = drawing.text(heldBy(element, key, drawing))
  const hint = drawing.text(placeholder)
  const shared = {
    name: `t.${key}`,
    placeholder: hint || undefined,
    disabled: isOff(element, drawing),
    "aria-label": nameOf(drawing, hint || key)
  }
  if (multiline === true) return html`<textarea rows="4"${attributes(shared)}>${value}</textarea>`
  const type = inputType === "password" || inputType === "email" ? inputType : "text"
  return html`<input${attributes({ type, value, ...shared })}>`
}

export const select: Render = (element, drawing) => {
  const key = keyOf(element)
  const { options, multiple, placeholder } = element
  // Selects in pages do not load options with another request; only configurations do.
  if (key === undefined || !Array.isArray(options)) return empty
  drawing.isForm = true
  const held = heldBy(element, key, drawing)
  const isMany = multiple === true
  const chosen = (id: string) => (isMany ? Array.isArray(held) && held.includes(id) : held === id)
  const hint = drawing.text(placeholder)
  const shared = {
    name: `${isMany ? "l" : "t"}.${key}`,
    multiple: isMany,
    disabled: isOff(element, drawing),
    "aria-label": nameOf(drawing, hint || key),
    "data-change": changing(element, drawing)
  }
  const all = options.filter(isFields).map((option) => {
    const id = drawing.text(option["id"])
    return html`<option${attributes({ value: id, selected: chosen(id) })}>${drawing.text(option["label"]) || id}</option>`
  })
  const first = !isMany && hint !== "" && html`<option value="">${hint}</option>`
  return html`${isMany && html`<input type="hidden" name="l.${key}">`}<select${attributes(shared)}>${first}${all}</select>`
}

export const toggle: Render = (element, drawing) => {
  const key = keyOf(element)
  if (key === undefined) return empty
  drawing.isForm = true
  const more = {
    role: "switch",
    checked: heldBy(element, key, drawing) === true,
    disabled: isOff(element, drawing),
    "aria-label": nameOf(drawing, key),
    "data-change": changing(element, drawing)
  }
  return html`<input type="hidden" name="b.${key}"><input type="checkbox" name="b.${key}" value="1"${attributes(more)}>`
}

export const checkbox: Render = (element, drawing) => {
  const key = keyOf(element)
  if (key === undefined) return empty
  const { value } = element
  if (typeof value !== "string") return toggle(element, drawing)
  drawing.isForm = true
  const held = heldBy(element, key, drawing)
  const more = {
    value,
    checked: Array.isArray(held) && held.includes(value),
    disabled: isOff(element, drawing),
    "aria-label": nameOf(drawing, value)
  }
  return html`<input type="hidden" name="l.${key}"><input type="checkbox" name="l.${key}"${attributes(more)}>`
}

export const radio: Render = (element, drawing) => {
  const key = keyOf(element)
  const { value } = element
  if (key === undefined || (typeof value !== "string" && typeof value !== "number")) return empty
  drawing.isForm = true
  const more = {
    value: String(value),
    checked: heldBy(element, key, drawing) === value,
    disabled: isOff(element, drawing),
    "aria-label": nameOf(drawing, String(value))
  }
  return html`<input type="radio" name="t.${key}"${attributes(more)}>`
}
