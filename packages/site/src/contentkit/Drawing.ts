/**
 * One drawing of a program as HTML: the elements within each other, within bounds.
 *
 * Limits: 1,000 elements, nested 32 deep, 64 Ki characters of text; what is beyond is left out.
 */
import { empty, type Html, html, join } from "../html/Html.ts"
import type { Rendering } from "../document/Rendering.ts"
import { type Fields, isFields, listOf, valueIn } from "./Component.ts"

const maxElements = 1_000
const maxDepth = 32
const maxCharacters = 64 * 1024

export interface Surroundings {
  readonly rendering: Rendering
  /** Origin that frames are shown from, and no other. */
  readonly framesFrom: string
  /** Path of the site, which frames lead the reader about in. */
  readonly site: string
  /** Name of the block, for those who do not see its frames. */
  readonly name: string
  /** A dialog that stands in place of a block, and is left for that. */
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
  /** Something was drawn that is sent. */
  isForm = false
  /** Name of the control that is drawn next; "" where it has none. */
  label = ""

  constructor(state: Fields, around: Surroundings, render: (type: string) => Render | undefined) {
    this.state = state
    this.around = around
    this.#render = render
  }

  /** Text as it is, or as the state has it; shorter where there is no room for all of it. */
  text(value: unknown): string {
    const found = valueIn(this.state, value)
    const text = typeof found === "number" ? String(found) : found
    if (typeof text !== "string") return ""
    const kept = text.slice(0, maxCharacters - this.#characters).toWellFormed()
    this.#characters += kept.length
    return kept
  }

  /** Texts and elements, one behind the other. */
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
