/**
 * Which blocks a merged document has, and where each stands.
 *
 * A block is gone when one side deleted it and the other left what it says alone. It stays when
 * the other side edited it, or put something into it that stays. A block that one side moved goes
 * where that side has it. Where both moved it into different blocks, or two moves would put blocks
 * into one another, the place whose id sorts first holds, so that which blocks there are does not
 * depend on which side is called main.
 */
import type { DocumentIndex, Place } from "./DocumentIndex.ts"

export interface Sides {
  readonly base: DocumentIndex
  readonly main: DocumentIndex
  readonly ours: DocumentIndex
}

export interface BlockPlaces {
  readonly places: ReadonlyMap<string, Place>
  /** The blocks that stay although one side deleted them. */
  readonly contested: ReadonlySet<string>
}

/** `isEdited`: whether a side that still has the block changed what it says. */
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
  return { places, contested }
}

const placeOf = (key: string, { base, main, ours }: Sides): Place => {
  const inBase = base.places.get(key)
  const inMain = main.places.get(key)
  const inOurs = ours.places.get(key)
  if (inMain === undefined || inOurs === undefined) return (inMain ?? inOurs)!
  if (inBase?.id === inOurs.id) return inMain
  if (inBase?.id === inMain.id) return inOurs
  return inMain.id < inOurs.id ? inMain : inOurs
}

/** Takes apart the cycles that moves of both sides may have made: no side by itself has one. */
const untangle = (places: Map<string, Place>, { main, ours }: Sides, keep: (key: string) => void): void => {
  const clear = new Set<string>()
  let attempts = 0
  // Places that are added on the way are visited too.
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
      // Changing sides again and again may go round in circles; always to main can't.
      const side = attempts++ < maxAttempts ? winner(cycle, main, ours) : main
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

/** The side whose place sorts first, for the first block of a cycle that the sides have in two places. */
const winner = (cycle: ReadonlyArray<string>, main: DocumentIndex, ours: DocumentIndex): DocumentIndex => {
  for (const key of cycle.toSorted()) {
    const [inMain, inOurs] = [main.places.get(key)?.id, ours.places.get(key)?.id]
    if (inMain !== undefined && inOurs !== undefined && inMain !== inOurs) return inMain < inOurs ? main : ours
  }
  return main
}
