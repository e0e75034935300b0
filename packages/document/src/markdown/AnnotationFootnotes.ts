/** The footnotes of a page that its annotations are written as, each with a label of its own. */
import type { Block, Document, Node } from "../Document.ts"
import { normalise } from "./LinkReferences.ts"

export class AnnotationFootnotes {
  readonly added: Array<{ readonly label: string; readonly body: ReadonlyArray<Block> }> = []
  readonly #document: Document
  readonly #written: WrittenFootnotes
  #taken: Set<string> | undefined
  /** The numbers before this one are taken. */
  #next = 1

  constructor(document: Document, written: WrittenFootnotes = new Map()) {
    this.#document = document
    this.#written = written
  }

  add(label: unknown, body: ReadonlyArray<Block>): string {
    if (typeof label === "string" && this.#written.get(normalise(label)) === contentOf(body)) return label
    this.#taken ??= new Set([...footnoteLabels(this.#document), ...this.#written.keys()])
    let own = typeof label === "string" && /^[\w-]{1,64}$/.test(label) ? label : "1"
    while (this.#taken.has(normalise(own))) own = String(this.#next++)
    this.#taken.add(normalise(own))
    this.added.push({ label: own, body })
    return own
  }
}

/** Footnotes of annotations that stand in a text already: what they hold, by label. */
export type WrittenFootnotes = ReadonlyMap<string, string>

/** Of a document, those that its text has. */
export const writtenIn = (document: Document): WrittenFootnotes =>
  new Map(Array.from(bodiesIn(document), ([label, body]) => [label, contentOf(body)]))

/** The bodies of a document's annotations, by label. */
export const bodiesIn = (document: Document): ReadonlyMap<string, ReadonlyArray<Block>> => {
  const found = new Map<string, ReadonlyArray<Block>>()
  const open: Array<Node> = [...document.nodes]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.object === "text") continue
    if (node.type === "annotation" && typeof node.data?.label === "string") {
      found.set(normalise(node.data.label), node.fragments?.[0]?.nodes ?? [])
    }
    for (const child of node.nodes ?? []) open.push(child)
    for (const { nodes } of node.fragments ?? []) for (const child of nodes) open.push(child)
  }
  return found
}

/** Blocks without their keys. */
export const contentOf = (blocks: ReadonlyArray<Block>): string =>
  JSON.stringify(blocks, (name, value: unknown) => (name === "key" ? undefined : value))

/** The labels of ordinary footnotes. */
const footnoteLabels = (document: Document): Set<string> => {
  const labels = new Set<string>()
  const open: Array<Node> = [...document.nodes]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.object === "text") continue
    if (node.type === "footnote-definition" || node.type === "footnote-reference") {
      labels.add(normalise(String(node.data?.label ?? "")))
    }
    for (const child of node.nodes ?? []) open.push(child)
    for (const { nodes } of node.fragments ?? []) for (const child of nodes) open.push(child)
  }
  return labels
}
