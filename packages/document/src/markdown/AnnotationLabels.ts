/** Labels of annotations. In Markdown each annotation has a unique label. */
import type { Block, Document, Inline, Node } from "../Document.ts"
import { mapList, withNodes, withParts } from "../DocumentMapping.ts"
import { normalise } from "./LinkReferences.ts"

/**
 * Assigns labels to annotations. An annotation keeps its label if the label is valid and free, and otherwise gets the
 * next free number.
 */
export class Labels {
  readonly #taken: Set<string>
  /** Next number to try. Lower numbers are taken. */
  #next = 1

  /** `taken`: labels that no annotation may have, normalized by `normalise`. */
  constructor(taken: Iterable<string>) {
    this.#taken = new Set(taken)
  }

  own(label: unknown): string {
    let own = typeof label === "string" && /^\S{1,999}$/.test(label) ? label : "1"
    while (this.#taken.has(normalise(own))) own = String(this.#next++)
    this.#taken.add(normalise(own))
    return own
  }
}

/**
 * Assigns the labels that a document has after a round trip through Markdown. New annotations have no label, and
 * annotations created independently may share one: the first keeps it. Returns the same document if each annotation has
 * its own label.
 */
export const settled = (document: Document): Document => {
  const { annotations, footnotes, likely } = labelsIn(document)
  const kept = new Set(annotations.filter((label) => label !== "" && !footnotes.has(label)))
  if (kept.size === annotations.length) return document
  const labels = new Labels([...footnotes, ...kept, ...likely])
  const own = (label: unknown): unknown => (kept.delete(nameOf(label)) ? label : labels.own(undefined))
  // Recursion is bounded: documents nest at most 100 deep.
  const labelled = <A extends Block | Inline>(node: A): A => {
    const label = isAnnotation(node) ? own(node.data?.label) : undefined
    return withParts(node, {
      data: label === undefined || label === node.data?.label ? node.data : { ...node.data, label },
      nodes: node.nodes && mapList(node.nodes, (child) => (child.object === "text" ? child : labelled(child))),
      fragments: node.fragments && mapList(node.fragments, (each) => withNodes(each, mapList(each.nodes, labelled)))
    })
  }
  return withNodes(document, mapList(document.nodes, labelled))
}

/** Returns the labels of ordinary footnotes, from definitions and references. */
export const ofFootnotes = (document: Document): ReadonlySet<string> => labelsIn(document).footnotes

/** Returns the labels of ordinary footnotes that a document defines. */
export const defined = (document: Document): ReadonlySet<string> => labelsIn(document).defined

/** Returns the labels of the annotations in blocks. */
export const ofAnnotations = (nodes: ReadonlyArray<Block>): ReadonlySet<string> =>
  new Set(labelsIn({ nodes }).annotations)

const isAnnotation = (node: Block | Inline): boolean => node.object === "inline" && node.type === "annotation"

const nameOf = (label: unknown): string => (typeof label === "string" ? normalise(label) : "")

const marks = /\[\^([^\s[\]]{1,999})\]/g

interface Found {
  readonly annotations: ReadonlyArray<string>
  readonly footnotes: ReadonlySet<string>
  /** Labels in `footnotes` that have a definition. */
  readonly defined: ReadonlySet<string>
  /** Labels in texts and link references that would be parsed as footnote references if such footnotes existed. */
  readonly likely: ReadonlySet<string>
}

const labelsIn = (document: Pick<Document, "nodes">): Found => {
  const annotations: Array<string> = []
  const footnotes = new Set<string>()
  const defined = new Set<string>()
  const likely = new Set<string>()
  const open: Array<Node> = [...document.nodes]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.object === "text") {
      for (const { text } of node.leaves) for (const [, label] of text.matchAll(marks)) likely.add(nameOf(label))
      continue
    }
    if (isAnnotation(node)) annotations.push(nameOf(node.data?.label))
    else if (node.type === "footnote-definition" || node.type === "footnote-reference") {
      footnotes.add(nameOf(node.data?.label))
      if (node.object === "block") defined.add(nameOf(node.data?.label))
    }
    const link = node.type === "definition" ? node.data?.label : node.data?.reference
    if (typeof link === "string" && link.startsWith("^")) likely.add(normalise(link.slice(1)))
    for (const child of node.nodes ?? []) open.push(child)
    for (const { nodes } of node.fragments ?? []) for (const child of nodes) open.push(child)
  }
  return { annotations, footnotes, defined, likely }
}
