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
export const revertBlocks = (current: Document, earlier: Document, keys: ReadonlySet<string>): Document => {
  const earlierEntries = new Map(BlockTree.entries(earlier).map((entry) => [entry.block.key, entry]))
  const currentKeys = new Set(BlockTree.entries(current).map(({ block }) => block.key))
  const missingEntries = Array.from(earlierEntries.values()).filter(
    ({ block }) => keys.has(block.key) && !currentKeys.has(block.key)
  )
  const restoredKeys = new Set(missingEntries.map(({ block }) => block.key))

  const resetDocument = BlockTree.mapBlocks(current, (rebuilt, original) =>
    keys.has(original.key) ? (earlierEntries.get(original.key)?.block ?? []) : rebuilt
  )

  const orphans: Array<Block> = []
  const parentsToRefill = new Set<string>()
  let restoresTopLevel = false
  for (const { block, parent } of missingEntries) {
    if (parent === undefined) restoresTopLevel = true
    // The parent is restored or reverted together with its children.
    else if (restoredKeys.has(parent.key) || keys.has(parent.key)) continue
    else if (currentKeys.has(parent.key)) parentsToRefill.add(parent.key)
    else orphans.push(block)
  }
  const refilledDocument = BlockTree.mapBlocks(resetDocument, (rebuilt, original) => {
    const earlierBlock = parentsToRefill.has(original.key) ? earlierEntries.get(original.key)?.block : undefined
    return earlierBlock === undefined ? rebuilt : restoreChildren(rebuilt, earlierBlock, restoredKeys)
  })
  const completeDocument = restoresTopLevel
    ? restoreChildren(refilledDocument, earlier, restoredKeys)
    : refilledDocument
  return BlockTree.withUniqueKeys(
    orphans.length === 0 ? completeDocument : { ...completeDocument, nodes: [...completeDocument.nodes, ...orphans] }
  )
}

const restoreChildren = <P extends BlockTree.Parent>(
  parent: P,
  earlierParent: BlockTree.Parent,
  restoredKeys: ReadonlySet<string>
): P => {
  const currentBlocks = new Map(BlockTree.slots(parent).map(({ name, blocks }) => [name, blocks]))
  const earlierBlocks = new Map(BlockTree.slots(earlierParent).map(({ name, blocks }) => [name, blocks]))
  return BlockTree.withBlocks(parent, (slot) => {
    const blocks = currentBlocks.get(slot) ?? []
    const presentKeys = new Set(blocks.map(({ key }) => key))
    const restoredByAnchor = new Map<string | undefined, Array<Block>>()
    let anchor: string | undefined
    for (const block of earlierBlocks.get(slot) ?? []) {
      if (presentKeys.has(block.key)) anchor = block.key
      else if (restoredKeys.has(block.key)) {
        const restoredBlocks = restoredByAnchor.get(anchor)
        if (restoredBlocks === undefined) restoredByAnchor.set(anchor, [block])
        else restoredBlocks.push(block)
      }
    }
    return [
      ...(restoredByAnchor.get(undefined) ?? []),
      ...blocks.flatMap((block) => [block, ...(restoredByAnchor.get(block.key) ?? [])])
    ]
  })
}
