/**
 * Renders one result of an integration, with nested elements.
 *
 * Limits: 1,000 elements, nested 32 deep, with 64 Ki characters of text. Elements and text beyond the limits are
 * omitted.
 */
import { empty, type Html, html, join } from "../html/Html.ts"
import type { Rendering } from "../document/BlockRenderer.ts"
import { type Fields, isFields, listOf, valueIn } from "./Component.ts"

const maxElements = 1_000
const maxDepth = 32
const maxCharacters = 64 * 1024

export interface Surroundings {
  readonly rendering: Rendering
  /** The only origin from which an `iframe` may load. */
  readonly framesFrom: string
  /** Path of the site, within which frames may navigate the reader. */
  readonly site: string
  /** Accessible name of the block's frames. */
  readonly name: string
  /** True if a dialog replaces the block and can be closed. */
  readonly isDialog: boolean
}

export type Render = (element: Fields, drawing: Drawing) => Html

export class Drawing {
  readonly state: Fields
  readonly around: Surroundings
  readonly #render: (type: string) => Render | undefined
  #depth = 0
  #elements = 0
  #characters = 0
  /** True if the rendered elements include input fields, buttons or frames. */
  isForm = false
  /** Label of the next rendered control; "" if it has none. */
  label = ""

  constructor(state: Fields, around: Surroundings, render: (type: string) => Render | undefined) {
    this.state = state
    this.around = around
    this.#render = render
  }

  /** Returns a text, or the text of a binding in the state. The text is cut to the rest of the limit. */
  text(value: unknown): string {
    const found = valueIn(this.state, value)
    const text = typeof found === "number" ? String(found) : found
    if (typeof text !== "string") return ""
    const kept = text.slice(0, maxCharacters - this.#characters).toWellFormed()
    this.#characters += kept.length
    return kept
  }

  /** Renders texts and elements in order. */
  all(children: unknown): Html {
    return join(listOf(children).map((child) => this.one(child)))
  }

  one(child: unknown): Html {
    if (!isFields(child) || "$state" in child) {
      if (Array.isArray(child)) return this.#depth > maxDepth ? empty : this.#deeper(() => this.all(child))
      const text = this.text(child)
      return text === "" ? empty : html`${text}`
    }
    const render = typeof child["type"] === "string" ? this.#render(child["type"]) : undefined
    if (render === undefined || this.#depth > maxDepth || ++this.#elements > maxElements) return empty
    return this.#deeper(() => render(child, this))
  }

  #deeper(draw: () => Html): Html {
    this.#depth++
    const drawn = draw()
    this.#depth--
    return drawn
  }
}
