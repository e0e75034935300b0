/** The empty paragraph in a block that holds nothing else and is never empty: a hint, an item of a list. */
import type { Block, Node } from "./Document.ts"
import { blockSpec } from "./vocabulary/BlockTypes.ts"

/** Tells whether a block of this type lacks a paragraph. */
export const isMissing = (type: string, nodes: ReadonlyArray<unknown> | undefined): boolean =>
  blockSpec(type).isFilled === true && (nodes === undefined || nodes.length === 0)

export const paragraph = (key: string): Block => ({ object: "block", type: "paragraph", key, nodes: [] })

/** The block with an empty paragraph where it lacks one, whose key comes of the block's. */
export const filled = (block: Block): Block =>
  isMissing(block.type, block.nodes) ? { ...block, nodes: [paragraph(`${block.key}-empty`)] } : block

/** The content of a block without a paragraph that is there for want of anything else. */
export const contentOf = ({ type, nodes = [] }: Block): ReadonlyArray<Node> => {
  const [first] = nodes
  const isEmpty =
    nodes.length === 1 &&
    first?.object === "block" &&
    first.type === "paragraph" &&
    (first.nodes ?? []).length === 0 &&
    first.data?.align === undefined
  return isEmpty && blockSpec(type).isFilled === true ? [] : nodes
}
