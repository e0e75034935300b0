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
import { aroundIn } from "./Around.ts"
import type { BlockConflict } from "./BlockConflict.ts"
import * as BlockCuts from "./BlockCuts.ts"
import { byName, mergeBlock, type MergedBlock, ownPrint } from "./BlockMerge.ts"
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

export { type BlockConflict, type ConflictRefused, type Keep, resolve } from "./BlockConflict.ts"

export interface MergedDocument {
  readonly document: Document
  /** Conflicts in document order, those of a block before those of its descendants. */
  readonly conflicts: ReadonlyArray<BlockConflict>
}

export const merge = (input: {
  readonly base: Document | undefined
  readonly main: Document
  readonly ours: Document
}): MergedDocument => {
  const prints = new Fingerprints()
  const given = withUniqueKeys(input.main)
  const start = input.base === undefined ? { ...given, nodes: [] } : withUniqueKeys(input.base)
  const moved = withSharedMoves({ base: start, main: given, ours: withUniqueKeys(input.ours) }, prints)
  const cut = BlockCuts.alike(moved, prints)
  const { base, main: left } = cut
  const shared = withSharedInsertions(base, left, cut.ours, prints)
  const { main, ours, conflicts: ofParts } = TableReconciliation.reconcile(base, left, shared.ours, prints)
  const sides: Sides = { base: indexOf(base), main: indexOf(main), ours: indexOf(ours), sortNames: shared.names }

  const placed = positionBlocks(sides, (key, side) => {
    const before = sides.base.blocks.get(key)!
    return ownPrint(before, prints) !== ownPrint(side.blocks.get(key)!, prints)
  })
  const children = orderSlots(sides, placed)
  const order = topDown(children)
  const conflicts = new Set(outermost(placed))
  const parts = new Map(ofParts)
  const own = new Map<string, Block>()
  for (const key of order) {
    const [before, left, right] = versions(key, sides)
    const merged: MergedBlock =
      left === undefined || right === undefined
        ? { value: (left ?? right)!, conflict: false }
        : mergeBlock(before, left, right, prints)
    if (merged.conflict) conflicts.add(key)
    if (merged.parts !== undefined && merged.parts.length > 0) {
      parts.set(key, [...(parts.get(key) ?? []), ...partConflicts(key, merged.parts, sides)])
    }
    own.set(key, merged.value)
  }

  const built = build(order, own, children, sides, conflicts, prints)
  const around = aroundIn({ place: (key) => placed.positions.get(key), block: (key) => built.get(key) })
  const data = mergeData(base.data, main.data, ours.data, prints).value as Document["data"]
  const top = { ...ours, data }
  const nodes = (children.get(nodesSlot) ?? []).flatMap((key) => built.get(key) ?? [])
  return {
    document: withUniqueKeys(withBlocks(top, () => nodes)),
    conflicts: order.flatMap((block) => {
      const isConflict = conflicts.has(block) && built.has(block)
      const found = [...(isConflict ? [record(block, sides)] : []), ...(parts.get(block) ?? [])]
      const inside = found.length === 0 ? [] : around(block)
      return inside.length === 0 ? found : found.map((conflict) => ({ ...conflict, inside }))
    })
  }
}

const versions = (key: string, { base, main, ours }: Sides) =>
  [base.blocks.get(key), main.blocks.get(key), ours.blocks.get(key)] as const

const record = (block: string, sides: Sides): BlockConflict => {
  const [base, main, ours] = versions(block, sides)
  return { block, base, main, ours }
}

const maxShownCells = 100_000

const partConflicts = (block: string, parts: ReadonlyArray<TableParts.Part>, sides: Sides) => {
  const shown = versions(block, sides).map((each) => each && TableParts.of(each))
  const width = Math.max(...shown.map((each) => each?.columns.size ?? 0))
  const withRow = parts.length * width <= maxShownCells
  return parts.map((part): BlockConflict => {
    // A cell is shown with its row, since a cell's content does not identify it. Very wide rows are not repeated for
    // each cell.
    const isCell = part.row !== undefined && withRow
    const [base, main, ours] = shown.map((each) => each?.show(isCell ? { row: part.row! } : part))
    return { block, ...part, base, main, ours }
  })
}

type Children = ReadonlyMap<string, ReadonlyArray<string>>

const orderSlots = ({ base, main, ours }: Sides, { positions: places }: BlockPositions): Children => {
  const ids = new Set(Array.from(places.values(), ({ slotId: id }) => id))
  const keysOf = (side: DocumentIndex, id: string) => side.keysBySlot.get(id) ?? []
  return new Map(
    Array.from(ids, (id) => [
      id,
      mergeOrder(keysOf(base, id), keysOf(main, id), keysOf(ours, id), (key) => places.get(key)?.slotId === id)
    ])
  )
}

/** Returns the names of the slots in which a block has children, by the block's key. */
const slotNames = (children: Children): ReadonlyMap<string, ReadonlyArray<string>> => {
  const names = new Map<string, Array<string>>()
  for (const id of children.keys()) {
    const end = id.lastIndexOf("\u0000")
    // An id without a key is a slot of the document itself.
    if (end < 0) continue
    const key = id.slice(end + 1)
    const known = names.get(key)
    if (known === undefined) names.set(key, [id.slice(0, end)])
    else known.push(id.slice(0, end))
  }
  return names
}

/** Returns the keys of all blocks, parents before their children. */
const topDown = (children: Children): ReadonlyArray<string> => {
  const names = slotNames(children)
  const order = [...(children.get(nodesSlot) ?? [])]
  for (let i = 0; i < order.length; i++) {
    for (const name of names.get(order[i]!) ?? []) {
      for (const child of children.get(slotId(order[i]!, name)) ?? []) order.push(child)
    }
  }
  return order
}

/** Returns the contested blocks that have no contested ancestor. */
const outermost = ({ retained: contested, positions: places }: BlockPositions): Array<string> => {
  const inside = new Map<string, boolean>()
  const isInside = (start: string) => {
    const path: Array<string> = []
    let key: string | undefined = places.get(start)!.parent
    let result = false
    for (; key !== undefined && !result; key = places.get(key)!.parent) {
      const known = inside.get(key)
      if (known !== undefined || contested.has(key)) {
        result = contested.has(key) || known!
        break
      }
      path.push(key)
    }
    for (const passed of path) inside.set(passed, result)
    return result
  }
  return [...contested].filter((key) => !isInside(key))
}

const build = (
  order: ReadonlyArray<string>,
  own: ReadonlyMap<string, Block>,
  children: Children,
  sides: Sides,
  conflicts: ReadonlySet<string>,
  prints: Fingerprints
): ReadonlyMap<string, Block> => {
  const names = slotNames(children)
  const built = new Map<string, Block>()
  for (const key of order.toReversed()) {
    const filled = new Map<string, ReadonlyArray<Block>>()
    for (const name of names.get(key) ?? []) {
      const blocks = children.get(slotId(key, name))!.flatMap((child) => built.get(child) ?? [])
      if (blocks.length > 0) filled.set(name, blocks)
    }
    const [, main, ours] = versions(key, sides)
    const holders = [ours, main].filter((block) => block !== undefined)
    const merged = own.get(key)!
    if (filled.size === 0 && isNothing(merged, holders, conflicts.has(key), prints)) continue
    const roomy = withSlots(merged, filled.keys(), holders)
    const block = withBlocks(roomy, (slot) => filled.get(slot) ?? [])
    const isMixed = roomy !== merged || !holders.includes(merged)
    built.set(key, isMixed ? TableContent.restored(block, holders) : block)
  }
  return built
}

/** Adds the fragments that contain children and that one side removed. */
const withSlots = (block: Block, wanted: Iterable<string>, holders: ReadonlyArray<Block>): Block => {
  const present = new Set([nodesSlot, ...fragmentNames(block.fragments ?? [])])
  const known = holders.map((holder) => byName(holder.fragments ?? []))
  const missing = Array.from(wanted).flatMap((name) =>
    present.has(name) ? [] : (known.map((fragments) => fragments.get(name)).find((found) => found) ?? [])
  )
  return missing.length === 0 ? block : { ...block, fragments: [...(block.fragments ?? []), ...missing] }
}

const isEmpty = (block: Block): boolean => slots(block).every(({ blocks }) => blocks.length === 0)

/** Returns true if an empty merged block is removed, because the two sides together removed its content. */
const isNothing = (
  merged: Block,
  holders: ReadonlyArray<Block>,
  isConflict: boolean,
  prints: Fingerprints
): boolean => {
  const saysNothing = holders.every((block) => blockSpec(block.type).is === "frame" && !isEmpty(block))
  if (saysNothing && !isConflict) return true
  // A type that requires children, such as a list, can't be empty. An empty block of such a type stays only if one side
  // has exactly that block, or if both versions in a conflict are empty.
  if (blockSpec(merged.type).contents?.atLeast === undefined) return false
  return isConflict
    ? !holders.every(isEmpty)
    : !holders.some((block) => isEmpty(block) && ownPrint(block, prints) === ownPrint(merged, prints))
}
