/** Comparison of documents in the editor. */
import type { Block, Document, Inline, Text } from "@lectern/document/Document"
import { isBlock, mapBlocks } from "@lectern/document/BlockTree"
import { canonical } from "@lectern/editor/Inlines"
import type { Node } from "prosemirror-model"

/** Returns the document with the texts as the editor has them. */
export const canonicalDocument = (document: Document): Document =>
  mapBlocks(document, (block: Block) => {
    if (block.nodes === undefined || block.nodes.some(isBlock)) return block
    return { ...block, nodes: canonical(block.nodes as ReadonlyArray<Inline | Text>) }
  })

/** Returns the blocks and inlines that the editor can't express. */
export const opaqueBlocks = (root: Node): ReadonlyArray<Block | Inline> => {
  const found: Array<Block | Inline> = []
  root.descendants(({ type, attrs }) => {
    if (type.name === "opaque") found.push(attrs["block"])
    if (type.name === "opaque-inline") found.push(attrs["inline"])
  })
  return found
}
