/**
 * The order of siblings that two sides changed. What neither side moved stands fast; what a side
 * moved or inserted follows what it follows on that side. Where both put something in one place,
 * main's comes first; what both moved goes where ours has it. What a side put in place of a block
 * stands where that block stands on the other side, so before what the other side put behind it.
 */
import { increasing } from "../alignment/SequenceMatch.ts"

type Keys = ReadonlyArray<string>

/**
 * Orders the keys of `main` and `ours` that `keeps` accepts. A key occurs once in each list.
 */
export const mergeOrder = (base: Keys, main: Keys, ours: Keys, keeps: (key: string) => boolean): Array<string> => {
  const isSame = (keys: Keys) => keys.length === base.length && keys.every((key, i) => key === base[i])
  if (isSame(main) && isSame(ours)) return base.filter(keeps)
  const { known, left, right, inLeft, inRight, movedLeft, movedRight } = sidesOf(base, main, ours, keeps)

  const fast = known.filter(
    (key) => (inLeft.has(key) || inRight.has(key)) && !movedLeft.has(key) && !movedRight.has(key)
  )
  const frame = withShared(fast, left, right, inLeft)

  const frameKeys = new Set(frame)
  const stayed = new Set(known.filter((key) => inRight.has(key) && !movedRight.has(key)))
  const isMain = (key: string) => !inRight.has(key) || (stayed.has(key) && movedLeft.has(key))
  const fromMain = following(left, frameKeys, (key) => isMain(key))
  const fromOurs = following(right, frameKeys, (key) => !inLeft.has(key) || !isMain(key))
  const order = [...(fromMain.get(undefined) ?? []), ...(fromOurs.get(undefined) ?? [])]
  for (const key of frame) {
    order.push(key)
    for (const follower of fromMain.get(key) ?? []) order.push(follower)
    for (const follower of fromOurs.get(key) ?? []) order.push(follower)
  }
  return order.filter(keeps)
}

const sidesOf = (base: Keys, main: Keys, ours: Keys, keeps: (key: string) => boolean) => {
  const of = (isIn: (key: string) => boolean) => {
    const [known, left, right] = [base.filter(isIn), main.filter(isIn), ours.filter(isIn)]
    const [inLeft, inRight] = [places(left), places(right)]
    const [movedLeft, movedRight] = [moved(known, inLeft), moved(known, inRight)]
    return { known, left, right, inLeft, inRight, movedLeft, movedRight }
  }
  const kept = of(keeps)
  if (kept.known.length === base.length) return kept
  // A block that one side removed tells where things stood, unless it makes others look moved.
  const [inBase, inMain, inOurs] = [new Set(base), new Set(main), new Set(ours)]
  const all = of((key) => keeps(key) || (inBase.has(key) && inMain.has(key) !== inOurs.has(key)))
  const isSame = (some: ReadonlySet<string>, more: ReadonlySet<string>) =>
    more.size === some.size && Array.from(more).every((key) => some.has(key))
  return isSame(kept.movedLeft, all.movedLeft) && isSame(kept.movedRight, all.movedRight) ? all : kept
}

const places = (keys: Keys): ReadonlyMap<string, number> => new Map(keys.map((key, place) => [key, place]))

/** The keys of `base` that a side put in another order: as few as explain it. */
const moved = (base: Keys, side: ReadonlyMap<string, number>): ReadonlySet<string> => {
  const present = base.filter((key) => side.has(key))
  const result = new Set(present)
  for (const k of increasing(present.map((key) => side.get(key)!))) result.delete(present[k]!)
  return result
}

/** Fixes also the blocks that both sides put between the same neighbours in the same order. */
const withShared = (fast: Keys, left: Keys, right: Keys, inLeft: ReadonlyMap<string, number>): Array<string> => {
  const fastKeys = new Set(fast)
  const gapsLeft = gaps(left, fastKeys)
  const gapsRight = gaps(right, fastKeys)
  const shared = right.filter(
    (key) => !fastKeys.has(key) && inLeft.has(key) && gapsLeft.get(key) === gapsRight.get(key)
  )
  const chosen = new Set(increasing(shared.map((key) => inLeft.get(key)!)).map((k) => shared[k]!))
  const after = following(right, fastKeys, (key) => chosen.has(key))
  return [undefined, ...fast].flatMap((key) => [...(key === undefined ? [] : [key]), ...(after.get(key) ?? [])])
}

/** By key, the last key of the frame before it. */
const gaps = (keys: Keys, frame: ReadonlySet<string>): ReadonlyMap<string, string | undefined> => {
  const found = new Map<string, string | undefined>()
  let last: string | undefined
  for (const key of keys) {
    if (frame.has(key)) last = key
    else found.set(key, last)
  }
  return found
}

const following = (keys: Keys, frame: ReadonlySet<string>, wanted: (key: string) => boolean) => {
  const found = new Map<string | undefined, Array<string>>()
  for (const [key, before] of gaps(keys, frame)) {
    if (!wanted(key)) continue
    const list = found.get(before)
    if (list === undefined) found.set(before, [key])
    else list.push(key)
  }
  return found
}
