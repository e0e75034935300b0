/** Assigns the labels of annotations. In Markdown each annotation has a unique label. */
import type { Block, Document, Inline, Node } from "../Document.ts"
import { mapList, withNodes, withParts } from "../DocumentMapping.ts"
import { normalizeLabel } from "./LinkReferences.ts"

/**
 * Assigns labels to annotations. An annotation keeps its label if the label is valid and free, and otherwise gets the
 * next free number.
 */
export class LabelAllocator {
  readonly #used: Set<string>
  /** Next number to try. Lower numbers are taken. */
  #next = 1

  /** `used`: labels that no annotation may have, normalized by `normalizeLabel`. */
  constructor(used: Iterable<string>) {
    this.#used = new Set(used)
  }

  allocate(label: unknown): string {
    let candidate = typeof label === "string" && /^\S{1,999}$/.test(label) ? label : "1"
    while (this.#used.has(normalizeLabel(candidate))) candidate = String(this.#next++)
    this.#used.add(normalizeLabel(candidate))
    return candidate
  }
}

/**
 * Assigns the labels that a document has after a round trip through Markdown. New annotations have no label, and
 * annotations created independently may share one: the first keeps it. Returns the same document if each annotation has
 * its own label.
 */
export const withUniqueLabels = (document: Document): Document => {
  const { annotations, footnotes, potential } = labelsIn(document)
  const retainedLabels = new Set(annotations.filter((label) => label !== "" && !footnotes.has(label)))
  if (retainedLabels.size === annotations.length) return document
  const labels = new LabelAllocator([...footnotes, ...retainedLabels, ...potential])
  const labelFor = (label: unknown): unknown =>
    retainedLabels.delete(normalizedLabel(label)) ? label : labels.allocate(undefined)
  // Documents are at most 100 levels deep, so the call stack cannot overflow.
  const relabel = <A extends Block | Inline>(node: A): A => {
    const label = isAnnotation(node) ? labelFor(node.data?.label) : undefined
    return withParts(node, {
      data: label === undefined || label === node.data?.label ? node.data : { ...node.data, label },
      nodes: node.nodes && mapList(node.nodes, (child) => (child.object === "text" ? child : relabel(child))),
      fragments: node.fragments && mapList(node.fragments, (each) => withNodes(each, mapList(each.nodes, relabel)))
    })
  }
  return withNodes(document, mapList(document.nodes, relabel))
}

/** Returns the labels of ordinary footnotes, from definitions and references. */
export const footnoteLabels = (document: Document): ReadonlySet<string> => labelsIn(document).footnotes

/** Returns the labels of ordinary footnotes that a document defines. */
export const definedFootnoteLabels = (document: Document): ReadonlySet<string> => labelsIn(document).defined

/** Returns the labels of the annotations in blocks. */
export const annotationLabels = (nodes: ReadonlyArray<Block>): ReadonlySet<string> =>
  new Set(labelsIn({ nodes }).annotations)

const isAnnotation = (node: Block | Inline): boolean => node.object === "inline" && node.type === "annotation"

const normalizedLabel = (label: unknown): string => (typeof label === "string" ? normalizeLabel(label) : "")

const referencePattern = /\[\^([^\s[\]]{1,999})\]/g

interface DocumentLabels {
  readonly annotations: ReadonlyArray<string>
  readonly footnotes: ReadonlySet<string>
  /** Labels in `footnotes` that have a definition. */
  readonly defined: ReadonlySet<string>
  /** Labels in texts and link references that would be parsed as footnote references if such footnotes existed. */
  readonly potential: ReadonlySet<string>
}

const labelsIn = (document: Pick<Document, "nodes">): DocumentLabels => {
  const annotations: Array<string> = []
  const footnotes = new Set<string>()
  const defined = new Set<string>()
  const potential = new Set<string>()
  const pendingNodes: Array<Node> = [...document.nodes]
  for (let node = pendingNodes.pop(); node !== undefined; node = pendingNodes.pop()) {
    if (node.object === "text") {
      for (const { text } of node.leaves)
        for (const [, label] of text.matchAll(referencePattern)) potential.add(normalizedLabel(label))
      continue
    }
    if (isAnnotation(node)) annotations.push(normalizedLabel(node.data?.label))
    else if (node.type === "footnote-definition" || node.type === "footnote-reference") {
      footnotes.add(normalizedLabel(node.data?.label))
      if (node.object === "block") defined.add(normalizedLabel(node.data?.label))
    }
    const link = node.type === "definition" ? node.data?.label : node.data?.reference
    if (typeof link === "string" && link.startsWith("^")) potential.add(normalizeLabel(link.slice(1)))
    for (const child of node.nodes ?? []) pendingNodes.push(child)
    for (const { nodes } of node.fragments ?? []) for (const child of nodes) pendingNodes.push(child)
  }
  return { annotations, footnotes, defined, potential }
}
