/**
 * Renders elements of ContentKit as HTML. Each type has a renderer here; a type without one does not compile. Fields
 * and buttons belong to the form around the block (see `BlockForm`), so blocks work without a script.
 */
import * as Markdown from "@lectern/document/markdown/Markdown"
import type { Block } from "@lectern/document/Document"
import { attributes, empty, type Html, html } from "../html/Html.ts"
import * as SafeUrls from "../html/SafeUrls.ts"
import { externalAttributes } from "../document/Links.ts"
import type { ComponentType, Fields } from "./Component.ts"
import { isFields, resolveBindings } from "./Component.ts"
import {
  button,
  checkbox,
  closeAction,
  labelledInput,
  renderPressable,
  radio,
  select,
  textInput,
  toggle
} from "./Controls.ts"
import { ContentKitRenderer, type ElementRenderer, type BlockContext } from "./ContentKitRenderer.ts"

const renderChildren: ElementRenderer = ({ children }, renderer) => renderer.renderAll(children)

const container =
  (name: string): ElementRenderer =>
  ({ children, align }, renderer) => {
    const className = align === "center" || align === "end" ? `${name} ck-${align}` : name
    return html`<div class="${className}">${renderer.renderAll(children)}</div>`
  }

const textStyles: Readonly<Record<string, (content: Html) => Html>> = {
  bold: (content) => html`<strong>${content}</strong>`,
  italic: (content) => html`<em>${content}</em>`,
  code: (content) => html`<code>${content}</code>`,
  strikethrough: (content) => html`<s>${content}</s>`
}

const text: ElementRenderer = ({ children, style }, renderer) => {
  const content = renderer.renderAll(children)
  if (content.isEmpty) return empty
  const textStyle = typeof style === "string" && Object.hasOwn(textStyles, style) ? textStyles[style] : undefined
  return html`<span class="ck-text">${textStyle === undefined ? content : textStyle(content)}</span>`
}

const link: ElementRenderer = ({ target, children }, renderer) => {
  const href = isFields(target) ? SafeUrls.linkUrl(renderer.text(target["url"])) : undefined
  const content = renderer.renderAll(children)
  return href === undefined
    ? content
    : html`<a href="${href}"${externalAttributes(href, renderer.context.renderer)}>${content}</a>`
}

const image: ElementRenderer = ({ source }, renderer) => {
  const src = isFields(source) ? SafeUrls.sourceUrl(renderer.text(source["url"])) : undefined
  return src === undefined ? empty : html`<img class="ck-image" src="${src}" alt="" loading="lazy">`
}

const markdown: ElementRenderer = ({ content }, renderer) => {
  const text = renderer.text(content)
  let keyCount = 0
  // A line break precedes the text, since only pages have front matter.
  const { nodes } = Markdown.parse(`\n${text}`, { nextKey: () => `ck-${++keyCount}` }).document
  return renderer.context.renderer.blocks(nodes)
}

const codeBlock: ElementRenderer = ({ content, syntax, lineNumbers, header, footer, buttons }, renderer) => {
  const text = renderer.text(content)
  const lines = text.split("\n").map((line, i): Block => ({
    object: "block",
    type: "code-line",
    key: `ck-${i}`,
    nodes: line === "" ? [] : [{ object: "text", leaves: [{ object: "leaf", text: line, marks: [] }] }]
  }))
  const data = { ...(typeof syntax === "string" && { syntax }), ...(lineNumbers === true && { lineNumbers }) }
  const code: Block = { object: "block", type: "code", key: "ck", data, nodes: lines }
  return html`${renderer.renderAll(header)}${text !== "" && renderer.context.renderer.blocks([code])}${renderer.renderAll(footer)}${renderRow(buttons, renderer)}`
}

const renderRow = (children: unknown, renderer: ContentKitRenderer): Html | undefined => {
  const content = renderer.renderAll(children)
  return content.isEmpty ? undefined : html`<div class="ck-row">${content}</div>`
}

const renderIcon = (value: unknown, renderer: ContentKitRenderer): Html | undefined => {
  if (isFields(value)) return renderer.renderOne(value)
  return typeof value === "string" ? renderer.context.renderer.icon(value) : undefined
}

const card: ElementRenderer = ({ title, hint, icon: iconName, onPress, children, buttons }, renderer) => {
  const titleHtml = renderer.renderAll(title)
  const head = titleHtml.isEmpty
    ? undefined
    : html`<strong>${onPress === undefined ? titleHtml : renderPressable(onPress, titleHtml, renderer)}</strong>`
  return html`<div class="ck-card">${renderIcon(iconName, renderer)}<div>${head}${hint !== undefined && html`<small>${renderer.renderAll(hint)}</small>`}${renderer.renderAll(children)}${renderRow(buttons, renderer)}</div></div>`
}

const modal: ElementRenderer = ({ title, subtitle, children, submit, returnValue }, renderer) => {
  const closeButton = {
    type: "button",
    label: renderer.context.renderer.messages.close,
    onPress: { action: closeAction, returnValue: isFields(returnValue) ? returnValue : {} }
  }
  const buttons = renderer.context.isDialog ? [submit, closeButton] : submit
  return html`<section class="ck-card"><div>${title !== undefined && html`<strong>${renderer.text(title)}</strong>`}${subtitle !== undefined && html`<small>${renderer.renderAll(subtitle)}</small>`}${renderer.renderAll(children)}${renderRow(buttons, renderer)}</div></section>`
}

/**
 * Renders steps. The active step has its content and a button to the step that it names next, or to complete the steps.
 */
const stepper: ElementRenderer = ({ activeStep, onStepChange, onComplete, children }, renderer) => {
  const steps = (Array.isArray(children) ? children : []).filter(isFields)
  const activeId = renderer.text(activeStep)
  return html`<ol class="ck-steps">${steps.map((step) => {
    const title = html`<strong>${renderer.text(step["title"])}</strong>`
    if (step["id"] !== activeId) return html`<li>${title}</li>`
    const next = isFields(step["next"]) ? step["next"] : {}
    const transition =
      typeof next["step"] === "string"
        ? { base: onStepChange, more: { step: next["step"] } }
        : { base: onComplete, more: {} }
    const action = isFields(transition.base) ? { ...transition.base, ...transition.more } : undefined
    const label = renderer.text(next["label"]) || renderer.context.renderer.messages.next
    return html`<li aria-current="step">${title}${renderer.renderOne(step)}${action && html`<div class="ck-row">${renderPressable(action, html`${label}`, renderer, "button")}</div>`}</li>`
  })}</ol>`
}

const hint: ElementRenderer = ({ children }, renderer) =>
  html`<div class="hint info" role="note"><div class="hint-text">${renderer.renderAll(children)}</div></div>`

/** Returns the name of a frame's data with the key of its binding in the state; empty for other values. */
const bindingsOf = (name: string, value: unknown): ReadonlyArray<readonly [name: string, key: string]> =>
  isFields(value) && typeof value["$state"] === "string" ? [[name, value["$state"]]] : []

/**
 * Renders a frame of an integration. The frame has an opaque origin, and exchanges only messages with the page
 * (`lectern-frame`).
 */
const webframe: ElementRenderer = ({ source, aspectRatio, data, buttons }, renderer) => {
  const { frameOrigin, site, name } = renderer.context
  const url = isFields(source) ? URL.parse(renderer.text(source["url"])) : null
  if (url === null || url.origin !== frameOrigin) return empty
  const ratio = typeof aspectRatio === "number" && aspectRatio > 0.05 && aspectRatio < 50 ? aspectRatio : undefined
  // A frame counts as a form, since it may send actions.
  renderer.isForm = true
  const bindings = isFields(data) ? data : {}
  const boundFields = Object.entries(bindings).flatMap(([key, value]) => bindingsOf(key, value))
  const frameAttributes = attributes({
    "data-state": JSON.stringify(resolveBindings(renderer.state, bindings)),
    "data-bound": JSON.stringify(boundFields),
    "data-site": site,
    "data-ratio": ratio
  })
  return html`<lectern-frame${frameAttributes}><iframe src="${url.href}" title="${name}" sandbox="allow-scripts allow-forms allow-popups" loading="lazy" referrerpolicy="no-referrer"></iframe></lectern-frame>${renderRow(buttons, renderer)}`
}

const renderers: { readonly [_ in ComponentType]: ElementRenderer } = {
  block: renderChildren,
  configuration: renderChildren,
  modal,
  hstack: container("ck-row"),
  vstack: container("ck-column"),
  box: ({ children, grow }, renderer) =>
    html`<div class="${typeof grow === "number" && grow > 0 ? "ck-grow" : "ck-box"}">${renderer.renderAll(children)}</div>`,
  divider: () => html`<hr>`,
  card,
  stepper,
  step: renderChildren,
  text,
  link,
  image,
  markdown,
  hint,
  codeblock: codeBlock,
  webframe,
  input: labelledInput,
  textinput: textInput,
  select,
  switch: toggle,
  checkbox,
  radio,
  button
}

/** Renders an integration's element. `isForm`: true if the result has input fields, buttons or frames. */
export const renderElement = (element: Fields, state: Fields, context: BlockContext) => {
  const renderer = new ContentKitRenderer(state, context, (type) =>
    Object.hasOwn(renderers, type) ? renderers[type as ComponentType] : undefined
  )
  const content = renderer.renderOne(element)
  return { content, isForm: renderer.isForm }
}
