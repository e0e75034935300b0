/**
 * Decides which blocks a merged document has, and the position of each.
 *
 * - A block is deleted if one side deleted it and the other side did not edit it.
 * - A deleted block stays if the other side edited it, or put a block that stays into it. It then stays whole, as on
 *   the other side. Blocks that the deleting side had moved out of it keep their new position.
 * - A block that one side moved takes the position on that side.
 * - If both sides moved a block to different parents, or two moves would form a cycle, the position whose id sorts
 *   first wins. The result therefore does not depend on which side is `main`.
 */
import { slots } from "../BlockTree.ts"
import { type DocumentIndex, type BlockPosition, slotId } from "./DocumentIndex.ts"

export interface Sides {
  readonly base: DocumentIndex
  readonly main: DocumentIndex
  readonly ours: DocumentIndex
  /** Sort keys of blocks that both sides inserted. The key is the block's key on `main`. */
  readonly sortNames: ReadonlyMap<string, string>
}

export interface BlockPositions {
  readonly positions: ReadonlyMap<string, BlockPosition>
  /** Blocks that stay although one side deleted them. */
  readonly retained: ReadonlySet<string>
}

/**
 * Returns the positions of the blocks. `isEdited` returns true if a side that still has the block changed the block's
 * own content.
 */
export const positionBlocks = (
  sides: Sides,
  isEdited: (key: string, side: DocumentIndex) => boolean
): BlockPositions => {
  const { base, main, ours } = sides
  const positions = new Map<string, BlockPosition>()
  const retained = new Set<string>()

  const retain = (start: string) => {
    for (let key: string | undefined = start; key !== undefined && !positions.has(key);) {
      const position = positionOf(key, sides)
      positions.set(key, position)
      if (base.blocks.has(key) && !(main.blocks.has(key) && ours.blocks.has(key))) retained.add(key)
      key = position.parent
    }
  }
  for (const key of new Set([...main.blocks.keys(), ...ours.blocks.keys()])) {
    const inMain = main.blocks.has(key)
    const survives = !base.blocks.has(key) || (inMain && ours.blocks.has(key)) || isEdited(key, inMain ? main : ours)
    if (survives) retain(key)
  }
  resolveCycles(positions, sides, retain)
  retainDescendants(sides, retained, retain)
  return { positions, retained }
}

/**
 * Adds the remaining descendants of retained blocks, from the side that did not delete the block. No block with a
 * position is inside an added block, so no cycle can arise.
 */
const retainDescendants = (
  { main, ours }: Sides,
  retained: ReadonlySet<string>,
  retain: (key: string) => void
): void => {
  const pendingKeys = new Set(retained)
  for (const key of pendingKeys) {
    const [holder, other] = main.blocks.has(key) ? [main, ours] : [ours, main]
    for (const { name } of slots(holder.blocks.get(key)!)) {
      for (const child of holder.keysBySlot.get(slotId(key, name)) ?? []) {
        if (other.blocks.has(child)) continue
        retain(child)
        pendingKeys.add(child)
      }
    }
  }
}

const sortNameOf = ({ sortNames: names }: Sides, key: string): string => names.get(key) ?? key

const sortsFirst = (sides: Sides, one: BlockPosition, other: BlockPosition): boolean => {
  const name = ({ parent, slot }: BlockPosition) =>
    slotId(parent === undefined ? undefined : sortNameOf(sides, parent), slot)
  return name(one) < name(other)
}

const positionOf = (key: string, sides: Sides): BlockPosition => {
  const { base, main, ours } = sides
  const inBase = base.positions.get(key)
  const inMain = main.positions.get(key)
  const inOurs = ours.positions.get(key)
  if (inMain === undefined || inOurs === undefined) return (inMain ?? inOurs)!
  if (inBase?.slotId === inOurs.slotId) return inMain
  if (inBase?.slotId === inMain.slotId) return inOurs
  return sortsFirst(sides, inMain, inOurs) ? inMain : inOurs
}

/** Resolves cycles that moves of both sides form. Neither side has a cycle of its own. */
const resolveCycles = (positions: Map<string, BlockPosition>, sides: Sides, retain: (key: string) => void): void => {
  const { main } = sides
  const acyclicKeys = new Set<string>()
  let attempts = 0
  // The loop also visits positions that are added during iteration.
  for (const start of positions.keys()) {
    const path: Array<string> = []
    const keysOnPath = new Set<string>()
    for (let key: string | undefined = start; key !== undefined && !acyclicKeys.has(key);) {
      if (!keysOnPath.has(key)) {
        path.push(key)
        keysOnPath.add(key)
        key = positions.get(key)!.parent
        continue
      }
      const cycle = path.slice(path.indexOf(key))
      // Alternating between the sides might never end. Taking `main` always ends.
      const side = attempts++ < maxAttempts ? firstSide(cycle, sides) : main
      for (const cycleKey of cycle) {
        const position = side.positions.get(cycleKey)
        if (position === undefined) continue
        positions.set(cycleKey, position)
        if (position.parent !== undefined) retain(position.parent)
      }
      path.length = 0
      keysOnPath.clear()
      key = start
    }
    for (const key of path) acyclicKeys.add(key)
  }
}

const maxAttempts = 16

/**
 * Returns the side whose position sorts first, for the first block of a cycle that has different positions on the
 * sides.
 */
const firstSide = (cycle: ReadonlyArray<string>, sides: Sides): DocumentIndex => {
  const { main, ours } = sides
  const named = cycle
    .map((key) => [sortNameOf(sides, key), key] as const)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
  for (const [, key] of named) {
    const [inMain, inOurs] = [main.positions.get(key), ours.positions.get(key)]
    if (inMain !== undefined && inOurs !== undefined && inMain.slotId !== inOurs.slotId) {
      return sortsFirst(sides, inMain, inOurs) ? main : ours
    }
  }
  return main
}
