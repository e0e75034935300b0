/**
 * An integration's block on a page, in a form if the block has input fields or buttons. The form contains the block's
 * props and state, which the integration needs to render again. A forged form affects only its sender: the page
 * determines the integration and the reader.
 *
 * Limit: 256 KiB per form.
 */
import { attributes, type Html, html } from "../html/Html.ts"
import { renderElement } from "./Components.ts"
import { type Fields, isFields, type Output, resolveBindings } from "./Component.ts"
import { formState } from "./FormState.ts"
import type { BlockContext } from "./ContentKitRenderer.ts"

/** Path that forms are sent to, below the path of the space. */
export const blockPath = "~block"

/** Maximum bytes of a form. */
export const maxForm = 256 * 1024

/** Maximum number of nested dialogs. Outer openers beyond this number are dropped. */
const maxOpeners = 5

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

export interface BlockLocation {
  /** Path of the space. */
  readonly base: string
  readonly page: string
  /** Key of the block. */
  readonly block: string
  /** Dialog that replaces the block. Default: no dialog. */
  readonly dialog?: Dialog | undefined
}

export const renderForm = (output: Output, location: BlockLocation, context: BlockContext): Html => {
  const { base, page, block, dialog } = location
  const { content, isForm } = renderElement(output.element, output.state, context)
  const hiddenInput = (name: string, value: string) => html`<input${attributes({ type: "hidden", name, value })}>`
  const { notDrawn, pressedOften } = context.renderer.messages
  return html`<lectern-block class="ck">${
    isForm
      ? html`<form method="post" action="${base}${blockPath}"${attributes({ "data-failed": notDrawn, "data-often": pressedOften })}>${hiddenInput("page", page)}${hiddenInput("block", block)}${dialog && html`${hiddenInput("component", dialog.component)}${hiddenInput("openers", JSON.stringify(dialog.openers.slice(-maxOpeners)))}`}${hiddenInput("props", JSON.stringify(output.props))}${hiddenInput("state", JSON.stringify(output.state))}${content}</form>`
      : content
  }</lectern-block>`
}

export interface BlockSubmission {
  readonly page: string
  readonly block: string
  readonly component: string | undefined
  /** Blocks and dialogs that the dialog replaces, the most recent opener last. */
  readonly openers: ReadonlyArray<Opener>
  readonly props: Fields
  readonly state: Fields
  readonly action: Fields
}

const parseFields = (text: string | null): Fields | undefined => {
  try {
    const value: unknown = JSON.parse(text ?? "{}")
    return isFields(value) ? value : undefined
  } catch {
    return undefined
  }
}

const parseOpeners = (text: string | null): ReadonlyArray<Opener> | undefined => {
  try {
    const all: unknown = JSON.parse(text ?? "[]")
    if (!Array.isArray(all) || all.length > maxOpeners) return undefined
    return all.map((opener: unknown): Opener => {
      const { component, props, state } = isFields(opener) ? opener : {}
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
export const parseSubmission = (form: URLSearchParams): BlockSubmission | undefined => {
  const [page, block] = [form.get("page"), form.get("block")]
  const [props, previousState, action] = ["props", "state", "action"].map((name) => parseFields(form.get(name)))
  const openers = parseOpeners(form.get("openers"))
  if (page === null || block === null || !props || !previousState || !openers) return undefined
  if (typeof action?.["action"] !== "string") return undefined
  const state: Fields = { ...previousState, ...Object.fromEntries(formState(form)) }
  const component = form.get("component") ?? undefined
  return { page, block, component, openers, props, state, action: resolveBindings(state, action) as Fields }
}
