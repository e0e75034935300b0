/**
 * Three-way merge of a document: combines the changes of main and ours since base. Blocks are matched by key, and
 * different blocks never conflict. Within one block, data is merged property by property, text word by word (code line
 * by line), and children block by block.
 *
 * - If both sides changed the same value, the document has our value, and a conflict holds main's.
 * - If one side deleted a block that the other edited, the document keeps the edited block.
 *
 * So the merge loses no text unless the side that wrote it deleted it: any other text is in the document or in a
 * conflict. Without a base, all blocks of both sides count as inserted.
 *
 * Blocks are processed without recursion, so deep documents can't overflow the stack.
 */
import type { Block, Document } from "../Document.ts"
import { ancestorFinder } from "./BlockAncestors.ts"
import type { BlockConflict } from "./BlockConflict.ts"
import * as BlockSplits from "./BlockSplits.ts"
import { fragmentsByName, mergeBlock, type MergedBlock, contentFingerprint } from "./BlockMerge.ts"
import { type BlockPositions, positionBlocks, type Sides } from "../alignment/BlockPositions.ts"
import { fragmentNames, nodesSlot, slots, withBlocks, withUniqueKeys } from "../BlockTree.ts"
import { mergeData } from "./DataMerge.ts"
import { type DocumentIndex, indexOf, slotId } from "../alignment/DocumentIndex.ts"
import { Fingerprints } from "../alignment/Fingerprints.ts"
import { withSharedInsertions } from "./SharedInsertions.ts"
import { withSharedMoves } from "./SharedMoves.ts"
import { mergeOrder } from "./SiblingOrder.ts"
import * as TableContent from "../table/TableContent.ts"
import * as TableParts from "../table/TableParts.ts"
import * as TableReconciliation from "./TableReconciliation.ts"
import { blockSpec } from "../vocabulary/BlockTypes.ts"

export {
  type BlockConflict,
  type ResolutionError as ConflictRefused,
  type Resolution as Keep,
  resolveConflict as resolve
} from "./BlockConflict.ts"

export interface MergedDocument {
  readonly document: Document
  /** Conflicts in document order, those of a block before those of its descendants. */
  readonly conflicts: ReadonlyArray<BlockConflict>
}

export const mergeDocuments = (input: {
  readonly base: Document | undefined
  readonly main: Document
  readonly ours: Document
}): MergedDocument => {
  const fingerprints = new Fingerprints()
  const uniqueMain = withUniqueKeys(input.main)
  const uniqueBase = input.base === undefined ? { ...uniqueMain, nodes: [] } : withUniqueKeys(input.base)
  const movesResolved = withSharedMoves(
    { base: uniqueBase, main: uniqueMain, ours: withUniqueKeys(input.ours) },
    fingerprints
  )
  const splitsAligned = BlockSplits.alignSplits(movesResolved, fingerprints)
  const { base, main: splitMain } = splitsAligned
  const sharedInsertions = withSharedInsertions(base, splitMain, splitsAligned.ours, fingerprints)
  const {
    main,
    ours,
    conflicts: tableConflicts
  } = TableReconciliation.reconcileTables(base, splitMain, sharedInsertions.ours, fingerprints)
  const sides: Sides = {
    base: indexOf(base),
    main: indexOf(main),
    ours: indexOf(ours),
    sortNames: sharedInsertions.sortNames
  }

  const positions = positionBlocks(sides, (key, side) => {
    const baseBlock = sides.base.blocks.get(key)!
    return contentFingerprint(baseBlock, fingerprints) !== contentFingerprint(side.blocks.get(key)!, fingerprints)
  })
  const children = orderSlots(sides, positions)
  const order = topDownOrder(children)
  const conflicts = new Set(outermostRetained(positions))
  const parts = new Map(tableConflicts)
  const mergedBlocks = new Map<string, Block>()
  for (const key of order) {
    const [baseBlock, mainBlock, ourBlock] = versions(key, sides)
    const mergedBlock: MergedBlock =
      mainBlock === undefined || ourBlock === undefined
        ? { value: (mainBlock ?? ourBlock)!, conflict: false }
        : mergeBlock(baseBlock, mainBlock, ourBlock, fingerprints)
    if (mergedBlock.conflict) conflicts.add(key)
    if (mergedBlock.parts !== undefined && mergedBlock.parts.length > 0) {
      parts.set(key, [...(parts.get(key) ?? []), ...partConflicts(key, mergedBlock.parts, sides)])
    }
    mergedBlocks.set(key, mergedBlock.value)
  }

  const builtBlocks = buildBlocks(order, mergedBlocks, children, sides, conflicts, fingerprints)
  const ancestorsOf = ancestorFinder({
    positionOf: (key) => positions.positions.get(key),
    blockOf: (key) => builtBlocks.get(key)
  })
  const data = mergeData(base.data, main.data, ours.data, fingerprints).value as Document["data"]
  const ourRoot = { ...ours, data }
  const nodes = (children.get(nodesSlot) ?? []).flatMap((key) => builtBlocks.get(key) ?? [])
  return {
    document: withUniqueKeys(withBlocks(ourRoot, () => nodes)),
    conflicts: order.flatMap((block) => {
      const isConflict = conflicts.has(block) && builtBlocks.has(block)
      const blockConflicts = [...(isConflict ? [blockConflict(block, sides)] : []), ...(parts.get(block) ?? [])]
      const ancestors = blockConflicts.length === 0 ? [] : ancestorsOf(block)
      return ancestors.length === 0
        ? blockConflicts
        : blockConflicts.map((conflict) => ({ ...conflict, inside: ancestors }))
    })
  }
}

const versions = (key: string, { base, main, ours }: Sides) =>
  [base.blocks.get(key), main.blocks.get(key), ours.blocks.get(key)] as const

const blockConflict = (block: string, sides: Sides): BlockConflict => {
  const [base, main, ours] = versions(block, sides)
  return { block, base, main, ours }
}

const maxExtractedCells = 100_000

const partConflicts = (block: string, parts: ReadonlyArray<TableParts.Part>, sides: Sides) => {
  const extractors = versions(block, sides).map((extractor) => extractor && TableParts.tablePartExtractor(extractor))
  const width = Math.max(...extractors.map((extractor) => extractor?.columns.size ?? 0))
  const withRow = parts.length * width <= maxExtractedCells
  return parts.map((part): BlockConflict => {
    // A cell is shown with its row, since a cell's content does not identify it. Very wide rows are not repeated for
    // each cell.
    const isCell = part.row !== undefined && withRow
    const [base, main, ours] = extractors.map((extractor) => extractor?.extract(isCell ? { row: part.row! } : part))
    return { block, ...part, base, main, ours }
  })
}

type Children = ReadonlyMap<string, ReadonlyArray<string>>

const orderSlots = ({ base, main, ours }: Sides, { positions }: BlockPositions): Children => {
  const ids = new Set(Array.from(positions.values(), ({ slotId: id }) => id))
  const keysOf = (side: DocumentIndex, id: string) => side.keysBySlot.get(id) ?? []
  return new Map(
    Array.from(ids, (id) => [
      id,
      mergeOrder(keysOf(base, id), keysOf(main, id), keysOf(ours, id), (key) => positions.get(key)?.slotId === id)
    ])
  )
}

/** Returns the names of the slots (nodes or a fragment) in which a block has children, by the block's key. */
const slotNames = (children: Children): ReadonlyMap<string, ReadonlyArray<string>> => {
  const names = new Map<string, Array<string>>()
  for (const id of children.keys()) {
    const end = id.lastIndexOf("\u0000")
    // An id without a key is a slot of the document itself.
    if (end < 0) continue
    const key = id.slice(end + 1)
    const existingNames = names.get(key)
    if (existingNames === undefined) names.set(key, [id.slice(0, end)])
    else existingNames.push(id.slice(0, end))
  }
  return names
}

/** Returns the keys of all blocks, parents before their children. */
const topDownOrder = (children: Children): ReadonlyArray<string> => {
  const names = slotNames(children)
  const order = [...(children.get(nodesSlot) ?? [])]
  for (let i = 0; i < order.length; i++) {
    for (const name of names.get(order[i]!) ?? []) {
      for (const child of children.get(slotId(order[i]!, name)) ?? []) order.push(child)
    }
  }
  return order
}

/** Returns the retained blocks (deleted by one side, edited by the other) that have no retained ancestor. */
const outermostRetained = ({ retained, positions }: BlockPositions): Array<string> => {
  const isInRetainedByKey = new Map<string, boolean>()
  const isInRetained = (start: string) => {
    const path: Array<string> = []
    let key: string | undefined = positions.get(start)!.parent
    let result = false
    for (; key !== undefined && !result; key = positions.get(key)!.parent) {
      const cachedResult = isInRetainedByKey.get(key)
      if (cachedResult !== undefined || retained.has(key)) {
        result = retained.has(key) || cachedResult!
        break
      }
      path.push(key)
    }
    for (const visitedKey of path) isInRetainedByKey.set(visitedKey, result)
    return result
  }
  return [...retained].filter((key) => !isInRetained(key))
}

const buildBlocks = (
  order: ReadonlyArray<string>,
  mergedBlocks: ReadonlyMap<string, Block>,
  children: Children,
  sides: Sides,
  conflicts: ReadonlySet<string>,
  fingerprints: Fingerprints
): ReadonlyMap<string, Block> => {
  const names = slotNames(children)
  const built = new Map<string, Block>()
  for (const key of order.toReversed()) {
    const childrenBySlot = new Map<string, ReadonlyArray<Block>>()
    for (const name of names.get(key) ?? []) {
      const blocks = children.get(slotId(key, name))!.flatMap((child) => built.get(child) ?? [])
      if (blocks.length > 0) childrenBySlot.set(name, blocks)
    }
    const [, main, ours] = versions(key, sides)
    const holders = [ours, main].filter((block) => block !== undefined)
    const merged = mergedBlocks.get(key)!
    if (childrenBySlot.size === 0 && isRemovable(merged, holders, conflicts.has(key), fingerprints)) continue
    const withNeededSlots = withSlots(merged, childrenBySlot.keys(), holders)
    const block = withBlocks(withNeededSlots, (slot) => childrenBySlot.get(slot) ?? [])
    const isMixed = withNeededSlots !== merged || !holders.includes(merged)
    built.set(key, isMixed ? TableContent.restoreCellParts(block, holders) : block)
  }
  return built
}

/**
 * Returns the block with the fragments of `neededSlots` that one side removed. `holders`: the versions of the block.
 */
const withSlots = (block: Block, neededSlots: Iterable<string>, holders: ReadonlyArray<Block>): Block => {
  const presentNames = new Set([nodesSlot, ...fragmentNames(block.fragments ?? [])])
  const fragmentsBySide = holders.map((holder) => fragmentsByName(holder.fragments ?? []))
  const missingFragments = Array.from(neededSlots).flatMap((name) =>
    presentNames.has(name)
      ? []
      : (fragmentsBySide.map((fragments) => fragments.get(name)).find((fragment) => fragment) ?? [])
  )
  return missingFragments.length === 0
    ? block
    : { ...block, fragments: [...(block.fragments ?? []), ...missingFragments] }
}

const isEmpty = (block: Block): boolean => slots(block).every(({ blocks }) => blocks.length === 0)

/** Returns true if an empty merged block is removed, because the two sides together removed its content. */
const isRemovable = (
  merged: Block,
  holders: ReadonlyArray<Block>,
  isConflict: boolean,
  fingerprints: Fingerprints
): boolean => {
  const lostAllChildren = holders.every((block) => blockSpec(block.type).contentKind === "frame" && !isEmpty(block))
  if (lostAllChildren && !isConflict) return true
  // A type that requires children, such as a list, can't be empty. An empty block of such a type stays only if one side
  // has exactly that block, or if both versions in a conflict are empty.
  if (blockSpec(merged.type).content?.minBlocks === undefined) return false
  return isConflict
    ? !holders.every(isEmpty)
    : !holders.some(
        (block) =>
          isEmpty(block) && contentFingerprint(block, fingerprints) === contentFingerprint(merged, fingerprints)
      )
}
