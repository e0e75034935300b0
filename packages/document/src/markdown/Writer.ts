/** Context of a serialization to Markdown: the options, and the definitions and footnotes of the whole document. */
import type { Block, ContentRef, Data, Document, Node } from "../Document.ts"
import { isRef } from "../DocumentRefs.ts"
import * as AnnotationLabels from "./AnnotationLabels.ts"
import { AnnotationFootnotes, type ExistingFootnotes } from "./AnnotationFootnotes.ts"
import { normalizeLabel } from "./LinkReferences.ts"
import type { Definition } from "./print/Resources.ts"

export interface Writer {
  readonly urlOfRef: (ref: ContentRef) => string
  /** Returns the URL that data refers to. */
  readonly urlOfData: (data: Data | undefined) => string
  readonly definition: (label: string) => Definition | undefined
  /** Returns true if the document has an ordinary footnote with this label. */
  readonly hasFootnote: (label: string) => boolean
  /** True in a table cell, in which a line break must be HTML. */
  readonly isInCell: boolean
  /** True to write tables as HTML, except those that HTML cannot express completely. */
  readonly hasHtmlTables: boolean
  /** Records the body of an annotation for the end of the page. Returns the label of its footnote. */
  readonly annotate: (label: unknown, body: ReadonlyArray<Block>) => string
}

/** `contextDocument`: document that contains the printed document. */
export const createWriter = (
  document: Document,
  contextDocument: Document,
  urlOfRef: (ref: ContentRef) => string,
  hasHtmlTables: boolean,
  footnotes?: ExistingFootnotes
): { readonly writer: Writer; readonly annotations: AnnotationFootnotes } => {
  const urlOfData = (data: Data | undefined) =>
    isRef(data?.ref) ? urlOfRef(data.ref) : typeof data?.url === "string" ? data.url : ""
  let definitions: ReadonlyMap<string, Definition> | undefined
  let definedFootnotes: ReadonlySet<string> | undefined
  const annotations = new AnnotationFootnotes(document, footnotes)
  const writer: Writer = {
    urlOfRef,
    urlOfData,
    definition: (label) => (definitions ??= linkDefinitions(contextDocument, urlOfData)).get(normalizeLabel(label)),
    hasFootnote: (label) =>
      (definedFootnotes ??= AnnotationLabels.definedFootnoteLabels(contextDocument)).has(normalizeLabel(label)),
    isInCell: false,
    hasHtmlTables,
    annotate: (label, body) => annotations.add(label, body)
  }
  return { writer, annotations }
}

/** Returns the link definition of a block. */
export const linkDefinition = ({ data }: Block, urlOf: Writer["urlOfData"]): Definition => ({
  label: text(data?.label),
  url: urlOf(data),
  title: text(data?.title) || undefined
})

/**
 * Returns link definitions by label. Definitions in blocks take precedence over those in annotation bodies, since the
 * printer writes these bodies after the text.
 */
const linkDefinitions = (document: Document, urlOf: Writer["urlOfData"]): ReadonlyMap<string, Definition> => {
  const result = new Map<string, Definition>()
  const annotationNodes: Array<Node> = []
  for (const nodes of [document.nodes, annotationNodes]) {
    const pending: Array<Node> = nodes.toReversed()
    for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
      if (node.object === "text") continue
      if (node.type === "definition" && node.object === "block") {
        const definition = linkDefinition(node, urlOf)
        const label = normalizeLabel(definition.label)
        if (!result.has(label)) result.set(label, definition)
      }
      const fragmentNodes = (node.fragments ?? []).flatMap((fragment) => fragment.nodes)
      if (node.object === "inline") annotationNodes.push(...fragmentNodes)
      else pending.push(...fragmentNodes.toReversed())
      pending.push(...(node.nodes ?? []).toReversed())
    }
  }
  return result
}

const text = (value: unknown): string => (typeof value === "string" ? value : "")
