/**
 * Dependencies for rendering parts of an API, and limits. A specification is untrusted input, which may be large or
 * recursive. So the limits apply to a page as a whole.
 *
 * Limits per page: 300 operations, 4,000 schemas and 500,000 characters of descriptions. Parts beyond the limits are
 * only named. One body uses at most half of the remaining schemas, so that later bodies have some left.
 */
import type { Spec, SpecOperation } from "@lectern/core/computed/SpecParser"
import type { SchemaReader } from "@lectern/core/computed/SpecSchema"
import * as VisitorDocument from "@lectern/document/VisitorDocument"
import * as Markdown from "@lectern/document/markdown/Markdown"
import * as Phrase from "@lectern/document/markdown/Phrase"
import type { Block } from "@lectern/document/Document"
import * as Inlines from "../document/Inlines.ts"
import type { BlockRenderer } from "../document/BlockRenderer.ts"
import { empty, type Html, html } from "../html/Html.ts"
import type { ApiMessages, SchemaMessages } from "../page/messages/Messages.ts"

const maxText = 500_000
const maxDescription = 10_000
const maxSchemas = 4_000
const minSchemas = 200
const maxOperations = 300

export class Budget {
  #remainingSchemas = maxSchemas
  /** Schemas that the current body may still render. */
  #remainingBodySchemas = maxSchemas
  #remainingCharacters = maxText
  #remainingOperations = maxOperations
  #keyCount = 0

  /** Returns false if the page may render no more operations. */
  takeOperation(): boolean {
    return --this.#remainingOperations >= 0
  }

  /** Starts a request or response body, which may render half of the remaining schemas, and at least 200. */
  startBody(): void {
    this.#remainingBodySchemas = Math.max(minSchemas, this.#remainingSchemas / 2)
  }

  /** Returns false if the page, or its current body, may render no more schemas. */
  takeSchema(): boolean {
    return --this.#remainingBodySchemas >= 0 && --this.#remainingSchemas >= 0
  }

  /** Returns a text, cut to 10,000 characters and to the rest of the page's limit. */
  takeText(text: string): string {
    const excerpt = text.slice(0, Math.min(maxDescription, this.#remainingCharacters)).toWellFormed()
    this.#remainingCharacters -= excerpt.length
    return excerpt
  }

  /** Returns a key for a block that belongs to no document. */
  nextKey(): string {
    return `api-${++this.#keyCount}`
  }
}

export interface ApiRenderContext {
  readonly spec: Spec
  readonly reader: SchemaReader
  /** URL that the specification was loaded from, if any. */
  readonly source?: string | undefined
  readonly renderer: BlockRenderer
  readonly messages: ApiMessages & SchemaMessages
  readonly budget: Budget
  /** Level of the section headings. */
  readonly level: 2 | 3
  /** Renders the button that tries an operation; undefined if the operation cannot be tried. */
  readonly tryButton?: (specOperation: SpecOperation) => Html | undefined
}

/** Renders Markdown of a specification as visitors see Markdown: without raw HTML. */
export const renderDescription = ({ budget, renderer }: ApiRenderContext, text: unknown): Html => {
  if (typeof text !== "string" || text.trim() === "") return empty
  const { document } = Markdown.parse(budget.takeText(text), { nextKey: () => budget.nextKey() })
  const { nodes } = VisitorDocument.visitorDocument(document)
  return html`<div class="api-text">${renderer.blocks(nodes)}</div>`
}

/** Renders Markdown on one line without links, for the summary of a collapsed part. */
export const renderPhrase = ({ renderer }: ApiRenderContext, text: string): Html =>
  Inlines.renderInlines(Phrase.withoutLinks(Phrase.parse(text)), renderer)

/** Creates a code block, rendered like code blocks of pages. */
export const codeBlock = ({ budget }: ApiRenderContext, text: string, syntax: string, title?: string): Block => ({
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

/** Renders blocks as tabs; a single block without tabs. */
export const renderTabs = (
  { budget, renderer }: ApiRenderContext,
  tabs: ReadonlyArray<{ readonly title: string; readonly block: Block }>
): Html => {
  const [first] = tabs
  if (first === undefined) return empty
  if (tabs.length === 1) return renderer.blocks([first.block])
  const items = tabs.map(({ title, block }): Block => ({
    object: "block",
    type: "tabs-item",
    key: budget.nextKey(),
    data: { title },
    nodes: [block]
  }))
  return renderer.blocks([{ object: "block", type: "tabs", key: budget.nextKey(), nodes: items }])
}
