/** Content of single cells of a table. */
import type { Block, ContentRef } from "../Document.ts"
import { isRef } from "../DocumentRefs.ts"
import type { Fingerprints } from "../alignment/Fingerprints.ts"
import { cellContent, objectOrEmpty, type Row, type Table } from "./TableContent.ts"

/** Returns a number for the content of a cell. Undefined for an absent cell and for a cell without content. */
export const cellFingerprint = (
  table: Table,
  row: Row | undefined,
  column: string,
  prints: Fingerprints
): number | undefined => {
  const content = row && cellContent(table, row, column)
  if (content === undefined || content === "") return undefined
  const nodes = objectOrEmpty(content)["nodes"]
  return Array.isArray(nodes) && (nodes as ReadonlyArray<Block>).every(isBlankBlock) ? undefined : prints.of(content)
}

export interface LabeledRef {
  readonly ref: ContentRef
  /** Text of the reference in Markdown. */
  readonly label?: string
}

/** Returns a value that is a reference or an object with a reference and a label. Undefined for any other value. */
export const labeledRef = (value: unknown): LabeledRef | undefined => {
  if (isRef(value)) return { ref: value }
  const { ref, label } = objectOrEmpty(value)
  return isRef(ref) ? { ref, ...(typeof label === "string" && { label }) } : undefined
}

const isBlankBlock = ({ fragments, nodes, type }: Block): boolean =>
  type === "paragraph" && fragments === undefined && (nodes ?? []).every((node) => isBlankText(node))

const isBlankText = (node: object): boolean =>
  "leaves" in node && (node.leaves as ReadonlyArray<{ readonly text: string }>).every(({ text }) => text === "")
