/** The blocks that stand in a block, in its text as well. Those of an expandable block are a part of it. */
import type { Block } from "../Document.ts"
import * as EmptyBlock from "../EmptyBlock.ts"
import { blockSpec } from "../vocabulary/BlockTypes.ts"

/** Undefined for a block that can't hold any, or holds other nodes. A paragraph there for want of others is none. */
export const blocksIn = (block: Block): ReadonlyArray<Block> | undefined => {
  const body = block.fragments?.find(isBody)?.nodes
  const nodes = body ?? EmptyBlock.contentOf(block)
  if (nodes.length === 0) return body ?? (blockSpec(block.type).contents === undefined ? undefined : [])
  return nodes.every((node) => node.object === "block") ? (nodes as ReadonlyArray<Block>) : undefined
}

/** The block with others in their place. */
export const withBlocksIn = (block: Block, nodes: ReadonlyArray<Block>): Block =>
  nodes === blocksIn(block)
    ? block
    : block.fragments?.some(isBody) === true
      ? { ...block, fragments: block.fragments.map((each) => (isBody(each) ? { ...each, nodes } : each)) }
      : { ...block, nodes }

const isBody = ({ type }: NonNullable<Block["fragments"]>[number]): boolean => type === "expandable-body"

/** The other parts of a block, without keys. */
export const besides = ({ fragments = [] }: Block): unknown =>
  JSON.stringify(
    fragments.filter((fragment) => !isBody(fragment)),
    (name, value: unknown) => (name === "key" ? undefined : value)
  )
