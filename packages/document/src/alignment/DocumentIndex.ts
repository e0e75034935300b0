/** Indexes the blocks of a document by key, and the keys in each slot. */
import type { Block, Document } from "../Document.ts"
import { entries } from "../BlockTree.ts"

export interface BlockPosition {
  /** Key of the parent block. Undefined at the top level. */
  readonly parent: string | undefined
  readonly slot: string
  /** Id of the slot, equal for all blocks in one slot. */
  readonly slotId: string
}

export interface DocumentIndex {
  readonly blocks: ReadonlyMap<string, Block>
  readonly positions: ReadonlyMap<string, BlockPosition>
  readonly keysBySlot: ReadonlyMap<string, ReadonlyArray<string>>
}

export const slotId = (parent: string | undefined, slot: string): string =>
  parent === undefined ? slot : `${slot}\u0000${parent}`

const indexes = new WeakMap<Document, DocumentIndex>()

/** Returns the index of a document, which is built once per document object. */
export const indexOf = (document: Document): DocumentIndex => {
  let index = indexes.get(document)
  if (index === undefined) indexes.set(document, (index = buildIndex(document)))
  return index
}

const buildIndex = (document: Document): DocumentIndex => {
  const blocks = new Map<string, Block>()
  const positions = new Map<string, BlockPosition>()
  const keysBySlot = new Map<string, Array<string>>()
  for (const { block, parent, slot } of entries(document)) {
    const id = slotId(parent?.key, slot)
    blocks.set(block.key, block)
    positions.set(block.key, { parent: parent?.key, slot, slotId: id })
    const keys = keysBySlot.get(id)
    if (keys === undefined) keysBySlot.set(id, [block.key])
    else keys.push(block.key)
  }
  return { blocks, positions, keysBySlot }
}
