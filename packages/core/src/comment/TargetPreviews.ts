/** Previews of comment targets in a document: the first 200 characters of their text. */
import { entries } from "@lectern/document/BlockTree"
import type { Block } from "@lectern/document/Document"
import { plainText } from "@lectern/document/DocumentText"
import { isSmall, parseDocument, type StoredDocument } from "../content/documents/StoredDocument.ts"
import * as Computation from "../thread/Computation.ts"
import type { CommentRow } from "./Comment.ts"

const maxPreview = 200

/** A block of a page, a cell of a certain table, or a cell of any table on the page. */
export interface PreviewedTarget {
  readonly node: string | undefined
  readonly cell: CommentRow["tableCell"] | undefined
}

interface PreviewInput {
  readonly document: StoredDocument
  readonly targets: ReadonlyArray<PreviewedTarget>
}

/** Computes the preview of each target. The preview is undefined for a target that the document lacks. */
export const TargetPreviews = Computation.make({
  name: "preview-targets",
  isSmall: ({ document }: PreviewInput) => isSmall(document),
  run: ({ document, targets }): ReadonlyArray<string | undefined> => {
    const blocks = new Map(entries(parseDocument(document)).map(({ block }) => [block.key, block]))
    return targets.map((target) => {
      const block = blockAt(blocks, target)
      return block && truncate(plainText(block))
    })
  }
})

const truncate = (text: string): string =>
  Array.from(text.slice(0, maxPreview * 2))
    .slice(0, maxPreview)
    .join("")

const blockAt = (blocks: ReadonlyMap<string, Block>, { node, cell }: PreviewedTarget): Block | undefined => {
  const block = node === undefined ? undefined : blocks.get(node)
  if (cell === undefined) return block
  if (node !== undefined) return block !== undefined && hasCell(block, cell) ? block : undefined
  return blocks.values().find((one) => hasCell(one, cell))
}

const hasCell = ({ type, data }: Block, { record, definition }: NonNullable<CommentRow["tableCell"]>): boolean =>
  type === "table" && hasEntry(data?.records, record) && hasEntry(data?.definition, definition)

const hasEntry = (value: unknown, name: string): boolean =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name)
