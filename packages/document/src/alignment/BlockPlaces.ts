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
import { type DocumentIndex, type Place, slotId } from "./DocumentIndex.ts"

export interface Sides {
  readonly base: DocumentIndex
  readonly main: DocumentIndex
  readonly ours: DocumentIndex
  /** Names to sort by, for blocks that both sides inserted. The key is the block's key on `main`. */
  readonly names: ReadonlyMap<string, string>
}

export interface BlockPlaces {
  readonly places: ReadonlyMap<string, Place>
  /** Blocks that stay although one side deleted them. */
  readonly contested: ReadonlySet<string>
}

/**
 * Returns the positions of the blocks. `isEdited` returns true if a side that still has the block changed the block's
 * own content.
 */
export const placeBlocks = (sides: Sides, isEdited: (key: string, side: DocumentIndex) => boolean): BlockPlaces => {
  const { base, main, ours } = sides
  const places = new Map<string, Place>()
  const contested = new Set<string>()

  const keep = (start: string) => {
    for (let key: string | undefined = start; key !== undefined && !places.has(key);) {
      const place = placeOf(key, sides)
      places.set(key, place)
      if (base.blocks.has(key) && !(main.blocks.has(key) && ours.blocks.has(key))) contested.add(key)
      key = place.parent
    }
  }
  for (const key of new Set([...main.blocks.keys(), ...ours.blocks.keys()])) {
    const inMain = main.blocks.has(key)
    const survives = !base.blocks.has(key) || (inMain && ours.blocks.has(key)) || isEdited(key, inMain ? main : ours)
    if (survives) keep(key)
  }
  untangle(places, sides, keep)
  keepWhole(sides, contested, keep)
  return { places, contested }
}

/**
 * Adds the remaining descendants of contested blocks, from the side that kept the block. No placed block lies in one of
 * the added blocks yet, so no cycle can arise.
 */
const keepWhole = ({ main, ours }: Sides, contested: ReadonlySet<string>, keep: (key: string) => void): void => {
  const whole = new Set(contested)
  for (const key of whole) {
    const [keeper, other] = main.blocks.has(key) ? [main, ours] : [ours, main]
    for (const { name } of slots(keeper.blocks.get(key)!)) {
      for (const child of keeper.slots.get(slotId(key, name)) ?? []) {
        if (other.blocks.has(child)) continue
        keep(child)
        whole.add(child)
      }
    }
  }
}

const nameOf = ({ names }: Sides, key: string): string => names.get(key) ?? key

const isFirst = (sides: Sides, one: Place, other: Place): boolean => {
  const name = ({ parent, slot }: Place) => slotId(parent === undefined ? undefined : nameOf(sides, parent), slot)
  return name(one) < name(other)
}

const placeOf = (key: string, sides: Sides): Place => {
  const { base, main, ours } = sides
  const inBase = base.places.get(key)
  const inMain = main.places.get(key)
  const inOurs = ours.places.get(key)
  if (inMain === undefined || inOurs === undefined) return (inMain ?? inOurs)!
  if (inBase?.id === inOurs.id) return inMain
  if (inBase?.id === inMain.id) return inOurs
  return isFirst(sides, inMain, inOurs) ? inMain : inOurs
}

/** Resolves cycles that moves of both sides form. Neither side has a cycle of its own. */
const untangle = (places: Map<string, Place>, sides: Sides, keep: (key: string) => void): void => {
  const { main } = sides
  const clear = new Set<string>()
  let attempts = 0
  // The loop also visits places that are added during iteration.
  for (const start of places.keys()) {
    const path: Array<string> = []
    const onPath = new Set<string>()
    for (let key: string | undefined = start; key !== undefined && !clear.has(key);) {
      if (!onPath.has(key)) {
        path.push(key)
        onPath.add(key)
        key = places.get(key)!.parent
        continue
      }
      const cycle = path.slice(path.indexOf(key))
      // Alternating between the sides might never end. Taking `main` always ends.
      const side = attempts++ < maxAttempts ? winner(cycle, sides) : main
      for (const inCycle of cycle) {
        const place = side.places.get(inCycle)
        if (place === undefined) continue
        places.set(inCycle, place)
        if (place.parent !== undefined) keep(place.parent)
      }
      path.length = 0
      onPath.clear()
      key = start
    }
    for (const key of path) clear.add(key)
  }
}

const maxAttempts = 16

/**
 * Returns the side whose position sorts first, for the first block of a cycle that has different positions on the
 * sides.
 */
const winner = (cycle: ReadonlyArray<string>, sides: Sides): DocumentIndex => {
  const { main, ours } = sides
  const named = cycle
    .map((key) => [nameOf(sides, key), key] as const)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
  for (const [, key] of named) {
    const [inMain, inOurs] = [main.places.get(key), ours.places.get(key)]
    if (inMain !== undefined && inOurs !== undefined && inMain.id !== inOurs.id) {
      return isFirst(sides, inMain, inOurs) ? main : ours
    }
  }
  return main
}
