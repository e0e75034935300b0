/** Reverts single blocks of a document to an earlier version. */
import * as BlockTree from "./BlockTree.ts"
import type { Block, Document } from "./Document.ts"

/**
 * Reverts the blocks with these keys:
 *
 * - A block in both documents gets its earlier version.
 * - A block that was added since is removed.
 * - A block that was removed since is restored after the sibling that it followed. If its parent no longer exists, it
 *   is appended at the end of the document.
 */
export const revert = (now: Document, before: Document, keys: ReadonlySet<string>): Document => {
  const earlier = new Map(BlockTree.entries(before).map((entry) => [entry.block.key, entry]))
  const present = new Set(BlockTree.entries(now).map(({ block }) => block.key))
  const missing = Array.from(earlier.values()).filter(({ block }) => keys.has(block.key) && !present.has(block.key))
  const comingBack = new Set(missing.map(({ block }) => block.key))

  const reset = BlockTree.mapBlocks(now, (rebuilt, original) =>
    keys.has(original.key) ? (earlier.get(original.key)?.block ?? []) : rebuilt
  )

  const lost: Array<Block> = []
  const grown = new Set<string>()
  let atTop = false
  for (const { block, parent } of missing) {
    if (parent === undefined) atTop = true
    // The parent is restored or reverted together with its children.
    else if (comingBack.has(parent.key) || keys.has(parent.key)) continue
    else if (present.has(parent.key)) grown.add(parent.key)
    else lost.push(block)
  }
  const refilled = BlockTree.mapBlocks(reset, (rebuilt, original) => {
    const old = grown.has(original.key) ? earlier.get(original.key)?.block : undefined
    return old === undefined ? rebuilt : refill(rebuilt, old, comingBack)
  })
  const complete = atTop ? refill(refilled, before, comingBack) : refilled
  return BlockTree.withUniqueKeys(lost.length === 0 ? complete : { ...complete, nodes: [...complete.nodes, ...lost] })
}

const refill = <P extends BlockTree.Parent>(parent: P, old: BlockTree.Parent, comingBack: ReadonlySet<string>): P => {
  const current = new Map(BlockTree.slots(parent).map(({ name, blocks }) => [name, blocks]))
  const earlier = new Map(BlockTree.slots(old).map(({ name, blocks }) => [name, blocks]))
  return BlockTree.withBlocks(parent, (slot) => {
    const blocks = current.get(slot) ?? []
    const there = new Set(blocks.map(({ key }) => key))
    const behind = new Map<string | undefined, Array<Block>>()
    let anchor: string | undefined
    for (const block of earlier.get(slot) ?? []) {
      if (there.has(block.key)) anchor = block.key
      else if (comingBack.has(block.key)) {
        const others = behind.get(anchor)
        if (others === undefined) behind.set(anchor, [block])
        else others.push(block)
      }
    }
    return [...(behind.get(undefined) ?? []), ...blocks.flatMap((block) => [block, ...(behind.get(block.key) ?? [])])]
  })
}
