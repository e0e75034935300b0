/**
 * Documents of pages that are computed from a specification. The document has a block for each operation and for
 * schemas. Headings and tables repeat their content for renderers that do not support these blocks.
 */
import type { Block, Document } from "@lectern/document/Document"
import * as DocumentText from "@lectern/document/DocumentText"

const types: ReadonlySet<string> = new Set(["swagger", "openapi-operation", "openapi-webhook", "openapi-schemas"])

/** True if the block renders parts of a specification. */
export const isSpecBlock = ({ type }: Block): boolean => types.has(type)

/**
 * Returns the document of a computed page without the headings and tables that repeat the rendered blocks. Headings of
 * operations stay. `isRendered` is true for blocks that the reader renders. Default: every block of a specification.
 */
export const withoutTables = (document: Document, isRendered: (block: Block) => boolean = isSpecBlock): Document => {
  const { nodes } = document
  const isRetained = (block: Block, next: Block | undefined) =>
    isRendered(block) || (DocumentText.headingLevel(block) !== undefined && next !== undefined && isRendered(next))
  const first = nodes.findIndex(isRendered)
  if (first < 0) return document
  return { ...document, nodes: nodes.filter((block, i) => i < first || isRetained(block, nodes[i + 1])) }
}
