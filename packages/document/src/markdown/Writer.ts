/** Context of a serialization to Markdown: options, and facts about the whole document. */
import type { Block, ContentRef, Data, Document, Node } from "../Document.ts"
import { isRef } from "../DocumentRefs.ts"
import * as AnnotationLabels from "./AnnotationLabels.ts"
import { AnnotationFootnotes, type WrittenFootnotes } from "./AnnotationFootnotes.ts"
import { normalise } from "./LinkReferences.ts"
import type { Definition } from "./print/Resources.ts"

export interface Writer {
  readonly href: (ref: ContentRef) => string
  /** Returns the URL that data refers to. */
  readonly urlOf: (data: Data | undefined) => string
  readonly definition: (label: string) => Definition | undefined
  /** Returns true if the document has an ordinary footnote with this label. */
  readonly hasFootnote: (label: string) => boolean
  /** True in a table cell, in which a line break must be HTML. */
  readonly inCell: boolean
  /** True to write tables as HTML, except those that HTML cannot express completely. */
  readonly hasHtmlTables: boolean
  /** Records the body of an annotation for the end of the page. Returns the label of its footnote. */
  readonly annotate: (label: unknown, body: ReadonlyArray<Block>) => string
}

/** `whole`: document that contains the printed document. */
export const make = (
  document: Document,
  whole: Document,
  href: (ref: ContentRef) => string,
  hasHtmlTables: boolean,
  footnotes?: WrittenFootnotes
): { readonly writer: Writer; readonly annotations: AnnotationFootnotes } => {
  const urlOf = (data: Data | undefined) =>
    isRef(data?.ref) ? href(data.ref) : typeof data?.url === "string" ? data.url : ""
  let definitions: ReadonlyMap<string, Definition> | undefined
  let defined: ReadonlySet<string> | undefined
  const annotations = new AnnotationFootnotes(document, footnotes)
  const writer: Writer = {
    href,
    urlOf,
    definition: (label) => (definitions ??= definitionsOf(whole, urlOf)).get(normalise(label)),
    hasFootnote: (label) => (defined ??= AnnotationLabels.defined(whole)).has(normalise(label)),
    inCell: false,
    hasHtmlTables,
    annotate: (label, body) => annotations.add(label, body)
  }
  return { writer, annotations }
}

/** Returns the link definition of a block. */
export const definitionOf = ({ data }: Block, urlOf: Writer["urlOf"]): Definition => ({
  label: text(data?.label),
  url: urlOf(data),
  title: text(data?.title) || undefined
})

/**
 * Returns link definitions by label. Definitions in blocks take precedence over those in annotation bodies, since the
 * printer writes these bodies after the text.
 */
const definitionsOf = (document: Document, urlOf: Writer["urlOf"]): ReadonlyMap<string, Definition> => {
  const found = new Map<string, Definition>()
  const explaining: Array<Node> = []
  for (const nodes of [document.nodes, explaining]) {
    const open: Array<Node> = nodes.toReversed()
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (node.object === "text") continue
      if (node.type === "definition" && node.object === "block") {
        const definition = definitionOf(node, urlOf)
        const label = normalise(definition.label)
        if (!found.has(label)) found.set(label, definition)
      }
      const within = (node.fragments ?? []).flatMap((fragment) => fragment.nodes)
      if (node.object === "inline") explaining.push(...within)
      else open.push(...within.toReversed())
      open.push(...(node.nodes ?? []).toReversed())
    }
  }
  return found
}

const text = (value: unknown): string => (typeof value === "string" ? value : "")
