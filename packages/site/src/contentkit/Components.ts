/**
 * Renders elements of ContentKit as HTML. Each type has a renderer here; a type without one does not compile. Fields
 * and buttons belong to the form around the block (see `BlockForm`), so blocks work without a script.
 */
import * as Markdown from "@lectern/document/markdown/Markdown"
import type { Block } from "@lectern/document/Document"
import { attributes, empty, type Html, html } from "../html/Html.ts"
import * as SafeUrls from "../html/SafeUrls.ts"
import { outward } from "../document/Links.ts"
import type { ComponentType, Fields } from "./Component.ts"
import { isFields, resolved } from "./Component.ts"
import { button, checkbox, closing, labelled, pressed, radio, select, textInput, toggle } from "./Controls.ts"
import { Drawing, type Render, type Surroundings } from "./ContentKitRenderer.ts"

const within: Render = ({ children }, drawing) => drawing.all(children)

const placed =
  (name: string): Render =>
  ({ children, align }, drawing) => {
    const look = align === "center" || align === "end" ? `${name} ck-${align}` : name
    return html`<div class="${look}">${drawing.all(children)}</div>`
  }

const marks: Readonly<Record<string, (content: Html) => Html>> = {
  bold: (content) => html`<strong>${content}</strong>`,
  italic: (content) => html`<em>${content}</em>`,
  code: (content) => html`<code>${content}</code>`,
  strikethrough: (content) => html`<s>${content}</s>`
}

const text: Render = ({ children, style }, drawing) => {
  const content = drawing.all(children)
  if (content.isEmpty) return empty
  const mark = typeof style === "string" && Object.hasOwn(marks, style) ? marks[style] : undefined
  return html`<span class="ck-text">${mark === undefined ? content : mark(content)}</span>`
}

const link: Render = ({ target, children }, drawing) => {
  const href = isFields(target) ? SafeUrls.link(drawing.text(target["url"])) : undefined
  const content = drawing.all(children)
  return href === undefined ? content : html`<a href="${href}"${outward(href, drawing.around.rendering)}>${content}</a>`
}

const image: Render = ({ source }, drawing) => {
  const src = isFields(source) ? SafeUrls.source(drawing.text(source["url"])) : undefined
  return src === undefined ? empty : html`<img class="ck-image" src="${src}" alt="" loading="lazy">`
}

const markdown: Render = ({ content }, drawing) => {
  const text = drawing.text(content)
  let keys = 0
  // A line break precedes the text, since only pages have front matter.
  const { nodes } = Markdown.parse(`\n${text}`, { nextKey: () => `ck-${++keys}` }).document
  return drawing.around.rendering.blocks(nodes)
}

const codeBlock: Render = ({ content, syntax, lineNumbers, header, footer, buttons }, drawing) => {
  const text = drawing.text(content)
  const lines = text.split("\n").map((line, i): Block => ({
    object: "block",
    type: "code-line",
    key: `ck-${i}`,
    nodes: line === "" ? [] : [{ object: "text", leaves: [{ object: "leaf", text: line, marks: [] }] }]
  }))
  const data = { ...(typeof syntax === "string" && { syntax }), ...(lineNumbers === true && { lineNumbers }) }
  const code: Block = { object: "block", type: "code", key: "ck", data, nodes: lines }
  return html`${drawing.all(header)}${text !== "" && drawing.around.rendering.blocks([code])}${drawing.all(footer)}${row(buttons, drawing)}`
}

const row = (children: unknown, drawing: Drawing): Html | undefined => {
  const content = drawing.all(children)
  return content.isEmpty ? undefined : html`<div class="ck-row">${content}</div>`
}

const icon = (value: unknown, drawing: Drawing): Html | undefined => {
  if (isFields(value)) return drawing.one(value)
  return typeof value === "string" ? drawing.around.rendering.icon(value) : undefined
}

const card: Render = ({ title, hint, icon: sign, onPress, children, buttons }, drawing) => {
  const name = drawing.all(title)
  const head = name.isEmpty
    ? undefined
    : html`<strong>${onPress === undefined ? name : pressed(onPress, name, drawing)}</strong>`
  return html`<div class="ck-card">${icon(sign, drawing)}<div>${head}${hint !== undefined && html`<small>${drawing.all(hint)}</small>`}${drawing.all(children)}${row(buttons, drawing)}</div></div>`
}

const modal: Render = ({ title, subtitle, children, submit, returnValue }, drawing) => {
  const close = {
    type: "button",
    label: drawing.around.rendering.words.close,
    onPress: { action: closing, returnValue: isFields(returnValue) ? returnValue : {} }
  }
  const buttons = drawing.around.isDialog ? [submit, close] : submit
  return html`<section class="ck-card"><div>${title !== undefined && html`<strong>${drawing.text(title)}</strong>`}${subtitle !== undefined && html`<small>${drawing.all(subtitle)}</small>`}${drawing.all(children)}${row(buttons, drawing)}</div></section>`
}

/**
 * Renders steps. The active step has its content and a button to the step that it names next, or to complete the steps.
 */
const stepper: Render = ({ activeStep, onStepChange, onComplete, children }, drawing) => {
  const steps = (Array.isArray(children) ? children : []).filter(isFields)
  const open = drawing.text(activeStep)
  return html`<ol class="ck-steps">${steps.map((one) => {
    const title = html`<strong>${drawing.text(one["title"])}</strong>`
    if (one["id"] !== open) return html`<li>${title}</li>`
    const next = isFields(one["next"]) ? one["next"] : {}
    const leads =
      typeof next["step"] === "string"
        ? { base: onStepChange, more: { step: next["step"] } }
        : { base: onComplete, more: {} }
    const action = isFields(leads.base) ? { ...leads.base, ...leads.more } : undefined
    const label = drawing.text(next["label"]) || drawing.around.rendering.words.next
    return html`<li aria-current="step">${title}${drawing.one(one)}${action && html`<div class="ck-row">${pressed(action, html`${label}`, drawing, "button")}</div>`}</li>`
  })}</ol>`
}

const hint: Render = ({ children }, drawing) =>
  html`<div class="hint info" role="note"><div class="hint-text">${drawing.all(children)}</div></div>`

/** Returns the name of a frame's data with the key of its binding in the state; empty for other values. */
const boundTo = (name: string, value: unknown): ReadonlyArray<readonly [name: string, key: string]> =>
  isFields(value) && typeof value["$state"] === "string" ? [[name, value["$state"]]] : []

/**
 * Renders a frame of an integration. The frame has an opaque origin, and exchanges only messages with the page
 * (`lectern-frame`).
 */
const webframe: Render = ({ source, aspectRatio, data, buttons }, drawing) => {
  const { framesFrom, site, name } = drawing.around
  const url = isFields(source) ? URL.parse(drawing.text(source["url"])) : null
  if (url === null || url.origin !== framesFrom) return empty
  const ratio = typeof aspectRatio === "number" && aspectRatio > 0.05 && aspectRatio < 50 ? aspectRatio : undefined
  // A frame counts as a form, since it may send actions.
  drawing.isForm = true
  const bindings = isFields(data) ? data : {}
  const bound = Object.entries(bindings).flatMap(([key, value]) => boundTo(key, value))
  const around = attributes({
    "data-state": JSON.stringify(resolved(drawing.state, bindings)),
    "data-bound": JSON.stringify(bound),
    "data-site": site,
    "data-ratio": ratio
  })
  return html`<lectern-frame${around}><iframe src="${url.href}" title="${name}" sandbox="allow-scripts allow-forms allow-popups" loading="lazy" referrerpolicy="no-referrer"></iframe></lectern-frame>${row(buttons, drawing)}`
}

const renderers: { readonly [_ in ComponentType]: Render } = {
  block: within,
  configuration: within,
  modal,
  hstack: placed("ck-row"),
  vstack: placed("ck-column"),
  box: ({ children, grow }, drawing) =>
    html`<div class="${typeof grow === "number" && grow > 0 ? "ck-grow" : "ck-box"}">${drawing.all(children)}</div>`,
  divider: () => html`<hr>`,
  card,
  stepper,
  step: within,
  text,
  link,
  image,
  markdown,
  hint,
  codeblock: codeBlock,
  webframe,
  input: labelled,
  textinput: textInput,
  select,
  switch: toggle,
  checkbox,
  radio,
  button
}

/** Renders an integration's element. `isForm`: true if the result has input fields, buttons or frames. */
export const draw = (element: Fields, state: Fields, around: Surroundings) => {
  const drawing = new Drawing(state, around, (type) =>
    Object.hasOwn(renderers, type) ? renderers[type as ComponentType] : undefined
  )
  const content = drawing.one(element)
  return { content, isForm: drawing.isForm }
}
