/** Footnotes that represent the annotations of a page in Markdown. Each has a label of its own. */
import type { Block, Document } from "../Document.ts"
import { LabelAllocator, footnoteLabels } from "./AnnotationLabels.ts"
import { normalizeLabel } from "./LinkReferences.ts"

export class AnnotationFootnotes {
  readonly added: Array<{ readonly label: string; readonly body: ReadonlyArray<Block> }> = []
  readonly #document: Document
  readonly #existing: ExistingFootnotes
  #labels: LabelAllocator | undefined

  constructor(document: Document, existing: ExistingFootnotes = new Map()) {
    this.#document = document
    this.#existing = existing
  }

  add(label: unknown, body: ReadonlyArray<Block>): string {
    if (typeof label === "string" && this.#existing.get(normalizeLabel(label)) === serializeContent(body)) return label
    this.#labels ??= new LabelAllocator([...footnoteLabels(this.#document), ...this.#existing.keys()])
    const uniqueLabel = this.#labels.allocate(label)
    this.added.push({ label: uniqueLabel, body })
    return uniqueLabel
  }
}

/** Content of annotation footnotes that a text already contains, by normalized label. */
export type ExistingFootnotes = ReadonlyMap<string, string>

/** Serializes blocks without their keys. */
export const serializeContent = (blocks: ReadonlyArray<Block>): string =>
  JSON.stringify(blocks, (name, value: unknown) => (name === "key" ? undefined : value))
