/** Footnotes that represent the annotations of a page in Markdown. Each has a label of its own. */
import type { Block, Document } from "../Document.ts"
import { Labels, ofFootnotes } from "./AnnotationLabels.ts"
import { normalise } from "./LinkReferences.ts"

export class AnnotationFootnotes {
  readonly added: Array<{ readonly label: string; readonly body: ReadonlyArray<Block> }> = []
  readonly #document: Document
  readonly #written: WrittenFootnotes
  #labels: Labels | undefined

  constructor(document: Document, written: WrittenFootnotes = new Map()) {
    this.#document = document
    this.#written = written
  }

  add(label: unknown, body: ReadonlyArray<Block>): string {
    if (typeof label === "string" && this.#written.get(normalise(label)) === contentOf(body)) return label
    this.#labels ??= new Labels([...ofFootnotes(this.#document), ...this.#written.keys()])
    const own = this.#labels.own(label)
    this.added.push({ label: own, body })
    return own
  }
}

/** Content of annotation footnotes that a text already contains, by normalized label. */
export type WrittenFootnotes = ReadonlyMap<string, string>

/** Serializes blocks without their keys. */
export const contentOf = (blocks: ReadonlyArray<Block>): string =>
  JSON.stringify(blocks, (name, value: unknown) => (name === "key" ? undefined : value))
