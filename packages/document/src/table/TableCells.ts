/** Content of single cells of a table. */
import type { Block, ContentRef } from "../Document.ts"
import { isRef } from "../DocumentRefs.ts"
import type { Fingerprints } from "../alignment/Fingerprints.ts"
import { cell, properties, type Row, type Table } from "./TableContent.ts"

/** A number for what a cell says; none for a cell that isn't there and for one without content. */
export const said = (table: Table, row: Row | undefined, column: string, prints: Fingerprints): number | undefined => {
  const content = row && cell(table, row, column)
  if (content === undefined || content === "") return undefined
  const nodes = properties(content)["nodes"]
  return Array.isArray(nodes) && (nodes as ReadonlyArray<Block>).every(isBlank) ? undefined : prints.of(content)
}

export interface Labelled {
  readonly ref: ContentRef
  /** The text that Markdown gave it. */
  readonly label?: string
}

/** The reference that a value is, or that it holds with a label; undefined for any other. */
export const labelled = (value: unknown): Labelled | undefined => {
  if (isRef(value)) return { ref: value }
  const { ref, label } = properties(value)
  return isRef(ref) ? { ref, ...(typeof label === "string" && { label }) } : undefined
}

const isBlank = ({ fragments, nodes, type }: Block): boolean =>
  type === "paragraph" && fragments === undefined && (nodes ?? []).every((node) => isBlankText(node))

const isBlankText = (node: object): boolean =>
  "leaves" in node && (node.leaves as ReadonlyArray<{ readonly text: string }>).every(({ text }) => text === "")
