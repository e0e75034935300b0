/**
 * A block of an integration on a page: what its program drew, within a form where something of it is sent. The form
 * holds what the program needs to draw again, as it was answered: properties and state. Whoever sends something else
 * says it of themselves alone; which program is asked, and for whom, is for the page to say.
 *
 * Limit: 256 KiB of a form.
 */
import { attributes, type Html, html } from "../html/Html.ts"
import { draw } from "./Components.ts"
import { type Fields, isFields, type Output, resolved } from "./Component.ts"
import type { Surroundings } from "./Drawing.ts"

/** Path that forms are sent to, below that of the space. */
export const blockPath = "~block"

/** Bytes. */
export const maxForm = 256 * 1024

export interface Place {
  /** Path of the space. */
  readonly base: string
  readonly page: string
  /** Key of the block. */
  readonly block: string
  /** Of the program: a dialog that the block has opened. Default: the block's own. */
  readonly component?: string | undefined
}

export const form = (output: Output, place: Place, around: Surroundings): Html => {
  const { base, page, block, component } = place
  const { content, isForm } = draw(output.element, output.state, around)
  const hidden = (name: string, value: string) => html`<input${attributes({ type: "hidden", name, value })}>`
  return html`<lectern-block class="ck">${
    isForm
      ? html`<form method="post" action="${base}${blockPath}">${hidden("page", page)}${hidden("block", block)}${component !== undefined && hidden("component", component)}${hidden("props", JSON.stringify(output.props))}${hidden("state", JSON.stringify(output.state))}${content}</form>`
      : content
  }</lectern-block>`
}

export interface Sent {
  readonly page: string
  readonly block: string
  readonly component: string | undefined
  readonly props: Fields
  readonly state: Fields
  readonly action: Fields
}

const fieldsIn = (text: string | null): Fields | undefined => {
  try {
    const value: unknown = JSON.parse(text ?? "{}")
    return isFields(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Undefined where it is none of these forms. */
export const read = (sent: URLSearchParams): Sent | undefined => {
  const [page, block] = [sent.get("page"), sent.get("block")]
  const [props, before, action] = ["props", "state", "action"].map((name) => fieldsIn(sent.get(name)))
  if (page === null || block === null || !props || !before || typeof action?.["action"] !== "string") return undefined
  const state: Record<string, unknown> = Object.assign(Object.create(null), before)
  for (const [name, value] of sent) {
    const [kind, key] = [name.slice(0, 2), name.slice(2)]
    if (kind === "t.") state[key] = value
    else if (kind === "b.") state[key] = value === "1"
    else if (kind === "l.") state[key] = value === "" ? [] : [...(Array.isArray(state[key]) ? state[key] : []), value]
  }
  const component = sent.get("component") ?? undefined
  return { page, block, component, props, state: { ...state }, action: resolved(state, action) as Fields }
}
