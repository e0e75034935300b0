/**
 * Reads and replaces the child blocks of a block whose source is within the source of the block. For an expandable
 * block these are the blocks of its body.
 */
import type { Block } from "../Document.ts"
import * as EmptyBlock from "../EmptyBlock.ts"
import { blockSpec } from "../vocabulary/BlockTypes.ts"

/**
 * Returns the child blocks; undefined if the block cannot have any or contains other nodes. A placeholder paragraph is
 * omitted.
 */
export const childBlocks = (block: Block): ReadonlyArray<Block> | undefined => {
  const body = block.fragments?.find(isBody)?.nodes
  const nodes = body ?? EmptyBlock.nonPlaceholderNodes(block)
  if (nodes.length === 0) return body ?? (blockSpec(block.type).content === undefined ? undefined : [])
  return nodes.every((node) => node.object === "block") ? (nodes as ReadonlyArray<Block>) : undefined
}

/** Returns the block with other child blocks. */
export const withChildBlocks = (block: Block, nodes: ReadonlyArray<Block>): Block =>
  nodes === childBlocks(block)
    ? block
    : block.fragments?.some(isBody) === true
      ? { ...block, fragments: block.fragments.map((each) => (isBody(each) ? { ...each, nodes } : each)) }
      : { ...block, nodes }

const isBody = ({ type }: NonNullable<Block["fragments"]>[number]): boolean => type === "expandable-body"

/** Returns the JSON of the fragments of a block, without the body and without keys. */
export const serializeOtherFragments = ({ fragments = [] }: Block): unknown =>
  JSON.stringify(
    fragments.filter((fragment) => !isBody(fragment)),
    (name, value: unknown) => (name === "key" ? undefined : value)
  )
