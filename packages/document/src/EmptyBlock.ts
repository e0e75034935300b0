/** Empty paragraphs in blocks that are never empty, such as a hint or a list item. */
import type { Block, Node } from "./Document.ts"
import { blockSpec } from "./vocabulary/BlockTypes.ts"

/** Returns true if a block of this type requires a paragraph and has no content. */
export const isParagraphMissing = (type: string, nodes: ReadonlyArray<unknown> | undefined): boolean =>
  blockSpec(type).requiresContent === true && (nodes === undefined || nodes.length === 0)

export const emptyParagraph = (key: string): Block => ({ object: "block", type: "paragraph", key, nodes: [] })

/** Returns the block, with an empty paragraph if it requires one. The paragraph's key derives from the block's key. */
export const withRequiredParagraph = (block: Block): Block =>
  isParagraphMissing(block.type, block.nodes) ? { ...block, nodes: [emptyParagraph(`${block.key}-empty`)] } : block

/** Returns the content of a block, without the paragraph that stands for empty content. */
export const nonPlaceholderNodes = ({ type, nodes = [] }: Block): ReadonlyArray<Node> => {
  const [first] = nodes
  const isEmpty =
    nodes.length === 1 &&
    first?.object === "block" &&
    first.type === "paragraph" &&
    (first.nodes ?? []).length === 0 &&
    first.data?.align === undefined
  return isEmpty && blockSpec(type).requiresContent === true ? [] : nodes
}
