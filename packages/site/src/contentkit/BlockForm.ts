/**
 * An integration's block on a page, in a form if the block has input fields or buttons. The form contains the block's
 * props and state, which the integration needs to render again. A forged form affects only its sender: the page
 * determines the integration and the reader.
 *
 * Limit: 256 KiB per form.
 */
import { attributes, type Html, html } from "../html/Html.ts"
import { draw } from "./Components.ts"
import { type Fields, isFields, type Output, resolved } from "./Component.ts"
import { filledIn } from "./FormState.ts"
import type { Surroundings } from "./ContentKitRenderer.ts"

/** Path that forms are sent to, below the path of the space. */
export const blockPath = "~block"

/** Maximum bytes of a form. */
export const maxForm = 256 * 1024

/** Maximum number of nested dialogs. Outer openers beyond this number are dropped. */
const maxAround = 5

/** State of a block or dialog at the time when it opened another dialog. */
export interface Opener {
  readonly component?: string | undefined
  readonly props: Fields
  readonly state: Fields
}

/** A dialog that a block opened. */
export interface Dialog {
  /** Component of the integration. */
  readonly component: string
  /** Blocks and dialogs that the dialog replaces, the most recent opener last. */
  readonly openers: ReadonlyArray<Opener>
}

export interface Place {
  /** Path of the space. */
  readonly base: string
  readonly page: string
  /** Key of the block. */
  readonly block: string
  /** Default: the block itself. */
  readonly dialog?: Dialog | undefined
}

export const form = (output: Output, place: Place, around: Surroundings): Html => {
  const { base, page, block, dialog } = place
  const { content, isForm } = draw(output.element, output.state, around)
  const hidden = (name: string, value: string) => html`<input${attributes({ type: "hidden", name, value })}>`
  const { notDrawn, pressedOften } = around.rendering.words
  return html`<lectern-block class="ck">${
    isForm
      ? html`<form method="post" action="${base}${blockPath}"${attributes({ "data-failed": notDrawn, "data-often": pressedOften })}>${hidden("page", page)}${hidden("block", block)}${dialog && html`${hidden("component", dialog.component)}${hidden("openers", JSON.stringify(dialog.openers.slice(-maxAround)))}`}${hidden("props", JSON.stringify(output.props))}${hidden("state", JSON.stringify(output.state))}${content}</form>`
      : content
  }</lectern-block>`
}

export interface Sent {
  readonly page: string
  readonly block: string
  readonly component: string | undefined
  /** Blocks and dialogs that the dialog replaces, the most recent opener last. */
  readonly openers: ReadonlyArray<Opener>
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

const openersIn = (text: string | null): ReadonlyArray<Opener> | undefined => {
  try {
    const all: unknown = JSON.parse(text ?? "[]")
    if (!Array.isArray(all) || all.length > maxAround) return undefined
    return all.map((one: unknown): Opener => {
      const { component, props, state } = isFields(one) ? one : {}
      return {
        ...(typeof component === "string" && { component }),
        props: isFields(props) ? props : {},
        state: isFields(state) ? state : {}
      }
    })
  } catch {
    return undefined
  }
}

/** Parses a sent form; undefined if the form is invalid. */
export const read = (sent: URLSearchParams): Sent | undefined => {
  const [page, block] = [sent.get("page"), sent.get("block")]
  const [props, before, action] = ["props", "state", "action"].map((name) => fieldsIn(sent.get(name)))
  const openers = openersIn(sent.get("openers"))
  if (page === null || block === null || !props || !before || !openers) return undefined
  if (typeof action?.["action"] !== "string") return undefined
  const state: Fields = { ...before, ...Object.fromEntries(filledIn(sent)) }
  const component = sent.get("component") ?? undefined
  return { page, block, component, openers, props, state, action: resolved(state, action) as Fields }
}
