/**
 * Renders container blocks: hints, tabs, steps, columns, updates, expandable blocks and prompts. All work without
 * scripts.
 */
import { attributes, each, empty, html, trusted } from "../html/Html.ts"
import { renderInlines } from "./Inlines.ts"
import { blocksOf, fragmentOf, idOf, textOf, widthClass } from "./Nodes.ts"
import { renderNotes } from "./Annotations.ts"
import type { RenderBlock } from "./BlockRenderer.ts"

const createIcon = (lines: string) => trusted(`<svg class="ui" viewBox="0 0 24 24" aria-hidden="true">${lines}</svg>`)

/** Icons of hints, by style, for hints that set no icon. */
const hintIcons = {
  info: createIcon('<circle cx="12" cy="12" r="9"/><path d="M12 11.5v4.5M12 7.8v.2"/>'),
  success: createIcon('<circle cx="12" cy="12" r="9"/><path d="m8 12.5 2.8 2.8L16 9.5"/>'),
  warning: createIcon('<path d="M12 3.5 2.5 20h19zM12 10v4.5M12 17v.2"/>'),
  danger: createIcon('<path d="M8.3 3h7.4L21 8.3v7.4L15.7 21H8.3L3 15.7V8.3zM12 7.500v5M12 16v.2"/>')
}

export const hint: RenderBlock = ({ data, nodes = [] }, { blocks, icon, messages }) => {
  const requestedStyle = textOf(data?.["style"])
  const style = Object.hasOwn(hintIcons, requestedStyle) ? (requestedStyle as keyof typeof hintIcons) : "info"
  const iconHtml = icon(textOf(data?.["icon"])) ?? hintIcons[style]
  return html`<div class="hint ${style}" role="note" aria-label="${messages.hints[style]}"><span class="hint-icon">${iconHtml}</span><div class="hint-text">${blocks(nodes)}</div></div>`
}

/** Renders tabs as radio buttons. CSS shows the panel after the selected button. */
export const tabs: RenderBlock = (node, { blocks, icon }) => {
  const items = blocksOf(node.nodes)
  if (items.length === 0) return empty
  const firstId = items[0]?.meta?.id
  // Equal texts have equal ids. Their keys differ.
  const group = `tabs-${typeof firstId === "string" ? firstId : idOf(node.key)}`
  const all = each(items, (item, i) => {
    const title = textOf(item.data?.["title"]) || String(i + 1)
    const id = item.meta?.id
    return html`<label class="tab"${attributes({ id })}><input type="radio" name="${group}"${attributes({ checked: i === 0 })}>${icon(textOf(item.data?.["icon"]))}<span>${title}</span></label><div class="panel">${blocks(item.nodes ?? [])}</div>`
  })
  return html`<lectern-tabs class="tabs" role="group">${all}</lectern-tabs>`
}

/** Renders steps, each with its number or its icon. */
export const stepper: RenderBlock = ({ nodes }, { blocks, icon }) =>
  html`<ol class="stepper">${each(blocksOf(nodes), (step) => {
    const iconHtml = icon(textOf(step.data?.["icon"]))
    return html`<li>${iconHtml && html`<span class="step-sign">${iconHtml}</span>`}${blocks(step.nodes ?? [])}</li>`
  })}</ol>`

/** Renders columns. Widths in percent are rounded to twelfths. */
export const columns: RenderBlock = ({ nodes }, { blocks }) => {
  const all = each(blocksOf(nodes), ({ data, nodes = [] }) => {
    const align = data?.["verticalAlignment"]
    const classNames = [
      "column",
      widthClass(data?.["width"]),
      (align === "middle" || align === "bottom") && `valign-${align}`
    ]
    return html`<div class="${classNames.filter(Boolean).join(" ")}">${blocks(nodes)}</div>`
  })
  return html`<div class="columns">${all}</div>`
}

export const updates: RenderBlock = ({ data, nodes }, { blocks }) =>
  html`<div class="${data?.["format"] === "short" ? "updates short" : "updates"}">${blocks(nodes ?? [])}</div>`

export const update: RenderBlock = ({ data, nodes = [] }, { blocks, messages }) => {
  const date = textOf(data?.["date"]).slice(0, 10)
  const isDate = /^\d{4}-\d\d-\d\d$/.test(date)
  const tags = Array.isArray(data?.["tags"]) ? data["tags"] : []
  const names = tags.flatMap((tag: { readonly tag?: unknown } | null) => textOf(tag?.tag) || [])
  const dateHtml = isDate
    ? html`<time datetime="${date}">${messages.date(date)}</time>`
    : date !== "" && html`<span>${date}</span>`
  return html`<article class="update"${attributes({ id: isDate ? `update-${date}` : undefined })}><header>${dateHtml}${each(names, (name) => html`<span class="tag">${name}</span>`)}</header><div class="update-body">${blocks(nodes)}</div></article>`
}

export const expandable: RenderBlock = (node, renderer) => {
  const title = fragmentOf(node, "expandable-title")
  const body = [...fragmentOf(node, "expandable-body"), ...blocksOf(node.nodes)]
  const isOpen = node.data?.["defaultExpanded"] === true
  const notes = each(title, ({ nodes }) => renderNotes(nodes, renderer))
  return html`<details class="expandable"${attributes({ id: node.meta?.id, open: isOpen })}><summary><span>${each(title, ({ nodes = [] }) => renderInlines(nodes, renderer))}</span></summary><div class="body">${notes}${renderer.blocks(body)}</div></details>`
}

export const prompt: RenderBlock = ({ data, nodes = [] }, { blocks, icon, messages }) => {
  const description = textOf(data?.["description"]) || messages.prompt
  const isOpen = data?.["defaultExpanded"] === "full" || data?.["defaultExpanded"] === "partial"
  return html`<details class="prompt"${attributes({ open: isOpen })}><summary>${icon(textOf(data?.["icon"]))}<span>${description}</span></summary><div class="body">${blocks(nodes)}</div></details>`
}

/**
 * Renders both branches of a condition. A visitor's document has only the branch that applies, since conditions are
 * evaluated before rendering.
 */
export const condition: RenderBlock = (node, { blocks }) =>
  html`${blocks(node.nodes ?? [])}${blocks(fragmentOf(node, "else"))}`
