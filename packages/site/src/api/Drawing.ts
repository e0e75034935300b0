/**
 * Everything that the parts of an API are drawn with, and how much of it there may be. Specs are anybody's, and may
 * be large or name themselves: what one page draws of them is bounded as a whole.
 *
 * Limits of a page: 300 operations, 4,000 schemas and 500,000 characters of descriptions. What is beyond is named and
 * not shown. One body takes at most half of the schemas that are left, so that the bodies after it have some.
 */
import type { Spec, SpecOperation } from "@lectern/core/computed/SpecReading"
import type { SchemaReader } from "@lectern/core/computed/SpecSchema"
import * as VisitorDocument from "@lectern/document/VisitorDocument"
import * as Markdown from "@lectern/document/markdown/Markdown"
import * as Phrase from "@lectern/document/markdown/Phrase"
import type { Block } from "@lectern/document/Document"
import * as Inlines from "../document/Inlines.ts"
import type { Rendering } from "../document/Rendering.ts"
import { empty, type Html, html } from "../html/Html.ts"
import type { ApiMessages, SchemaMessages } from "../page/words/Messages.ts"

const maxText = 500_000
const maxPiece = 10_000
const maxSchemas = 4_000
const minSchemas = 200
const maxOperations = 300

export class Budget {
  #schemas = maxSchemas
  /** Schemas that the current body may still render. */
  #ofBody = maxSchemas
  #text = maxText
  #operations = maxOperations
  #keys = 0

  /** False where no more operations are to be drawn. */
  takeOperation(): boolean {
    return --this.#operations >= 0
  }

  /** Begins a body of a request or a response: it may render half of the remaining schemas, and at least 200. */
  beginBody(): void {
    this.#ofBody = Math.max(minSchemas, this.#schemas / 2)
  }

  /** Returns false if the page, or its current body, may render no more schemas. */
  takeSchema(): boolean {
    return --this.#ofBody >= 0 && --this.#schemas >= 0
  }

  /** A text as far as it may still be shown. */
  takeText(text: string): string {
    const taken = text.slice(0, Math.min(maxPiece, this.#text)).toWellFormed()
    this.#text -= taken.length
    return taken
  }

  /** A key for a block that stands in no document. */
  nextKey(): string {
    return `api-${++this.#keys}`
  }
}

export interface Drawing {
  readonly spec: Spec
  readonly reader: SchemaReader
  /** URL that the spec came from, where it came from one. */
  readonly source?: string | undefined
  readonly rendering: Rendering
  readonly words: ApiMessages & SchemaMessages
  readonly budget: Budget
  /** Of the headings of its parts. */
  readonly level: 2 | 3
  /** Begins a call; undefined for an operation that is not to be tried. */
  readonly tryButton?: (found: SpecOperation) => Html | undefined
}

/** Markdown that somebody wrote in a spec, drawn as visitors get any Markdown: without HTML. */
export const described = ({ budget, rendering }: Drawing, text: unknown): Html => {
  if (typeof text !== "string" || text.trim() === "") return empty
  const { document } = Markdown.parse(budget.takeText(text), { nextKey: () => budget.nextKey() })
  const { nodes } = VisitorDocument.of(document)
  return html`<div class="api-text">${rendering.blocks(nodes)}</div>`
}

/** The same on one line, without links: for what is folded below it. */
export const phrase = ({ rendering }: Drawing, text: string): Html =>
  Inlines.inlines(Phrase.withoutLinks(Phrase.parse(text)), rendering)

/** Lines of code, drawn like those of a page. */
export const code = ({ budget }: Drawing, text: string, syntax: string, title?: string): Block => ({
  object: "block",
  type: "code",
  key: budget.nextKey(),
  data: { syntax, ...(title !== undefined && { title }) },
  nodes: text.split("\n").map((line) => ({
    object: "block",
    type: "code-line",
    key: budget.nextKey(),
    nodes: [{ object: "text", leaves: [{ object: "leaf", text: line, marks: [] }] }]
  }))
})

/** Blocks of which one is shown at a time; the block alone where there is one. */
export const choice = (
  { budget, rendering }: Drawing,
  all: ReadonlyArray<{ readonly title: string; readonly block: Block }>
): Html => {
  const [only] = all
  if (only === undefined) return empty
  if (all.length === 1) return rendering.blocks([only.block])
  const items = all.map(({ title, block }): Block => ({
    object: "block",
    type: "tabs-item",
    key: budget.nextKey(),
    data: { title },
    nodes: [block]
  }))
  return rendering.blocks([{ object: "block", type: "tabs", key: budget.nextKey(), nodes: items }])
}
