/**
 * Renders the elements that readers press and fill in. The prefix of a field's name states the type of its value, from
 * which the server builds the state: `t.` = text, `b.` = boolean, `l.` = item of a list. A button sends its action.
 */
import { attributes, empty, type Html, html, unescape } from "../html/Html.ts"
import * as SafeUrls from "../html/SafeUrls.ts"
import { externalAttributes } from "../document/Links.ts"
import { type Fields, isFields, resolveBindings, resolveValue } from "./Component.ts"
import type { ContentKitRenderer, ElementRenderer } from "./ContentKitRenderer.ts"

/**
 * Action that closes a dialog. The block that opened the dialog is rendered again with its earlier state and receives
 * the dialog's return value.
 */
export const closeAction = "@ui.modal.close"

/** Actions of editors, which readers do not have. */
const unsupportedActions = new Set(["@editor.node.updateProps", "@link.unfurl"])

const actionOf = (value: unknown, { context }: ContentKitRenderer): Fields | undefined =>
  isFields(value) &&
  typeof value["action"] === "string" &&
  !unsupportedActions.has(value["action"]) &&
  (value["action"] !== closeAction || context.isDialog)
    ? value
    : undefined

/** Renders an action: as a link if it opens a URL, otherwise as a button of the form. */
export const renderPressable = (
  onPress: unknown,
  label: Html,
  renderer: ContentKitRenderer,
  className?: string,
  extraAttributes: Readonly<Record<string, string | boolean | undefined>> = {}
): Html => {
  const action = actionOf(onPress, renderer)
  if (action === undefined) return className === undefined ? label : empty
  if (action["action"] === "@ui.url.open") {
    const url = resolveBindings(renderer.state, action["url"])
    const href = typeof url === "string" ? SafeUrls.linkUrl(url) : undefined
    return href === undefined
      ? label
      : html`<a${attributes({ class: className })} href="${href}"${externalAttributes(href, renderer.context.renderer)}>${label}</a>`
  }
  renderer.isForm = true
  return html`<button${attributes({ class: className ?? "ck-press", name: "action", value: JSON.stringify(action), ...extraAttributes })}>${label}</button>`
}

export const button: ElementRenderer = ({ onPress, label, style, tooltip, confirm, disabled, icon }, renderer) => {
  const text = renderer.text(label) || renderer.text(tooltip)
  const iconHtml = typeof icon === "string" ? renderer.context.renderer.icon(icon) : undefined
  const confirmation = isFields(confirm) ? [confirm["title"], confirm["text"]].map((part) => renderer.text(part)) : []
  return renderPressable(
    onPress,
    html`${iconHtml}${text}`,
    renderer,
    style === "primary" ? "button" : "button ck-plain",
    {
      title: renderer.text(tooltip) || undefined,
      disabled: resolveValue(renderer.state, disabled) === true,
      "data-confirm": confirmation.filter(Boolean).join("\n\n") || undefined
    }
  )
}

const stateKey = ({ state }: Fields): string | undefined =>
  typeof state === "string" && state !== "" && state.length <= 100 ? state : undefined

const stateValue = (element: Fields, key: string, { state }: ContentKitRenderer): unknown =>
  Object.hasOwn(state, key) ? state[key] : resolveValue(state, element["initialValue"])

const isDisabled = ({ disabled }: Fields, { state }: ContentKitRenderer): boolean =>
  resolveValue(state, disabled) === true

/** Returns the action of a changed value as JSON. A script sends it as soon as the value changes. */
const changeAction = ({ onValueChange }: Fields, renderer: ContentKitRenderer): string | undefined => {
  const action = actionOf(onValueChange, renderer)
  return action && JSON.stringify(action)
}

/** Renders a label with its element. The label becomes the accessible name of the control. */
export const labelledInput: ElementRenderer = ({ label, hint, element }, renderer) => {
  const text = renderer.renderAll(label)
  renderer.label = plainText(text)
  const content = renderer.renderOne(element)
  renderer.label = ""
  return html`<div class="ck-field"><span aria-hidden="true">${text}</span>${content}${hint !== undefined && html`<small>${renderer.renderAll(hint)}</small>`}</div>`
}

/** Returns the plain text of HTML. The result is escaped again when it is rendered. */
const plainText = ({ text }: Html): string => unescape(text.replace(/<[^>]*>/g, ""))

const accessibleName = ({ label }: ContentKitRenderer, fallback: string): string => label || fallback

export const textInput: ElementRenderer = (element, renderer) => {
  const key = stateKey(element)
  if (key === undefined) return empty
  renderer.isForm = true
  const { placeholder, multiline, inputType } = element
  const value = renderer.text(stateValue(element, key, renderer))
  const hint = renderer.text(placeholder)
  const sharedAttributes = {
    name: `t.${key}`,
    placeholder: hint || undefined,
    disabled: isDisabled(element, renderer),
    "aria-label": accessibleName(renderer, hint || key)
  }
  if (multiline === true) return html`<textarea rows="4"${attributes(sharedAttributes)}>${value}</textarea>`
  const type = inputType === "password" || inputType === "email" ? inputType : "text"
  return html`<input${attributes({ type, value, ...sharedAttributes })}>`
}

export const select: ElementRenderer = (element, renderer) => {
  const key = stateKey(element)
  const { options, multiple, placeholder } = element
  // Selects in pages do not load options with another request; only configurations do.
  if (key === undefined || !Array.isArray(options)) return empty
  renderer.isForm = true
  const currentValue = stateValue(element, key, renderer)
  const isMultiple = multiple === true
  const isSelected = (id: string) =>
    isMultiple ? Array.isArray(currentValue) && currentValue.includes(id) : currentValue === id
  const hint = renderer.text(placeholder)
  const sharedAttributes = {
    name: `${isMultiple ? "l" : "t"}.${key}`,
    multiple: isMultiple,
    disabled: isDisabled(element, renderer),
    "aria-label": accessibleName(renderer, hint || key),
    "data-change": changeAction(element, renderer)
  }
  const optionElements = options.filter(isFields).map((option) => {
    const id = renderer.text(option["id"])
    return html`<option${attributes({ value: id, selected: isSelected(id) })}>${renderer.text(option["label"]) || id}</option>`
  })
  const placeholderOption = !isMultiple && hint !== "" && html`<option value="">${hint}</option>`
  return html`${isMultiple && html`<input type="hidden" name="l.${key}">`}<select${attributes(sharedAttributes)}>${placeholderOption}${optionElements}</select>`
}

export const toggle: ElementRenderer = (element, renderer) => {
  const key = stateKey(element)
  if (key === undefined) return empty
  renderer.isForm = true
  const extraAttributes = {
    role: "switch",
    checked: stateValue(element, key, renderer) === true,
    disabled: isDisabled(element, renderer),
    "aria-label": accessibleName(renderer, key),
    "data-change": changeAction(element, renderer)
  }
  return html`<input type="hidden" name="b.${key}"><input type="checkbox" name="b.${key}" value="1"${attributes(extraAttributes)}>`
}

export const checkbox: ElementRenderer = (element, renderer) => {
  const key = stateKey(element)
  if (key === undefined) return empty
  const { value } = element
  if (typeof value !== "string") return toggle(element, renderer)
  renderer.isForm = true
  const currentValue = stateValue(element, key, renderer)
  const extraAttributes = {
    value,
    checked: Array.isArray(currentValue) && currentValue.includes(value),
    disabled: isDisabled(element, renderer),
    "aria-label": accessibleName(renderer, value)
  }
  return html`<input type="hidden" name="l.${key}"><input type="checkbox" name="l.${key}"${attributes(extraAttributes)}>`
}

export const radio: ElementRenderer = (element, renderer) => {
  const key = stateKey(element)
  const { value } = element
  if (key === undefined || (typeof value !== "string" && typeof value !== "number")) return empty
  renderer.isForm = true
  const extraAttributes = {
    value: String(value),
    checked: stateValue(element, key, renderer) === value,
    disabled: isDisabled(element, renderer),
    "aria-label": accessibleName(renderer, String(value))
  }
  return html`<input type="radio" name="t.${key}"${attributes(extraAttributes)}>`
}
