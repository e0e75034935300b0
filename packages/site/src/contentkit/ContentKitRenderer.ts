/**
 * Renders one result of an integration, with nested elements.
 *
 * Limits: 1,000 elements, nested 32 deep, with 64 Ki characters of text. Elements and text beyond the limits are
 * omitted.
 */
import { empty, type Html, html, join } from "../html/Html.ts"
import type { BlockRenderer } from "../document/BlockRenderer.ts"
import { type Fields, isFields, listOf, resolveValue } from "./Component.ts"

const maxElements = 1_000
const maxDepth = 32
const maxCharacters = 64 * 1024

export interface BlockContext {
  readonly renderer: BlockRenderer
  /** The only origin from which an `iframe` may load. */
  readonly frameOrigin: string
  /** Path of the site, within which frames may navigate the reader. */
  readonly site: string
  /** Accessible name of the block's frames. */
  readonly name: string
  /** True if a dialog replaces the block and can be closed. */
  readonly isDialog: boolean
}

export type ElementRenderer = (element: Fields, renderer: ContentKitRenderer) => Html

export class ContentKitRenderer {
  readonly state: Fields
  readonly context: BlockContext
  readonly #render: (type: string) => ElementRenderer | undefined
  #depth = 0
  #elementCount = 0
  #characterCount = 0
  /** True if the rendered elements include input fields, buttons or frames. */
  isForm = false
  /** Label of the next rendered control; "" if the control has no label. */
  label = ""

  constructor(state: Fields, context: BlockContext, render: (type: string) => ElementRenderer | undefined) {
    this.state = state
    this.context = context
    this.#render = render
  }

  /** Returns a text, or the text of a binding in the state. The text is cut to the rest of the limit. */
  text(value: unknown): string {
    const resolved = resolveValue(this.state, value)
    const text = typeof resolved === "number" ? String(resolved) : resolved
    if (typeof text !== "string") return ""
    const excerpt = text.slice(0, maxCharacters - this.#characterCount).toWellFormed()
    this.#characterCount += excerpt.length
    return excerpt
  }

  /** Renders texts and elements in order. */
  renderAll(children: unknown): Html {
    return join(listOf(children).map((child) => this.renderOne(child)))
  }

  renderOne(child: unknown): Html {
    if (!isFields(child) || "$state" in child) {
      if (Array.isArray(child)) return this.#depth > maxDepth ? empty : this.renderNested(() => this.renderAll(child))
      const text = this.text(child)
      return text === "" ? empty : html`${text}`
    }
    const render = typeof child["type"] === "string" ? this.#render(child["type"]) : undefined
    if (render === undefined || this.#depth > maxDepth || ++this.#elementCount > maxElements) return empty
    return this.renderNested(() => render(child, this))
  }

  renderNested(render: () => Html): Html {
    this.#depth++
    const content = render()
    this.#depth--
    return content
  }
}
