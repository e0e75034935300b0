/**
 * Finds the heading that repeats the title of a page. Many sources repeat the title in their first heading, often a
 * `##` if the title comes from the table of contents. A site shows the title once.
 */
import * as TitleHeading from "@lectern/core/content/documents/TitleHeading"
import type { Document } from "@lectern/document/Document"
import * as DocumentText from "@lectern/document/DocumentText"
import { toLine } from "@lectern/document/Text"

export interface TitledDocument {
  readonly document: Document
  /** Anchor of the omitted heading. */
  readonly titleId?: string
}

/**
 * Returns the document without its first heading if that heading is text that differs from the title in case at most.
 * HTML comments may precede the heading.
 */
export const omitRepeatedTitle = (document: Document, title: string): TitledDocument => {
  const index = TitleHeading.countLeadingComments(document)
  const heading = document.nodes[index]
  if (heading === undefined || DocumentText.headingLevel(heading) === undefined) return { document }
  const nodes = heading.nodes ?? []
  if (!nodes.every(({ object }) => object === "text")) return { document }
  if (normalize(DocumentText.inlinesText(nodes)) !== normalize(title)) return { document }
  return {
    document: { ...document, nodes: document.nodes.toSpliced(index, 1) },
    ...(heading.meta !== undefined && { titleId: heading.meta.id })
  }
}

const normalize = (text: string): string => toLine(text).toLowerCase()
