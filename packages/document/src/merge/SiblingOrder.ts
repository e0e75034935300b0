/**
 * Merges the order of siblings that two sides changed.
 *
 * - A sibling that neither side moved keeps its position.
 * - A sibling that one side moved is placed after the last unmoved sibling before it on that side.
 * - An inserted sibling stays after the sibling that it was inserted after, even if the other side moved that sibling.
 * - An appended sibling stays last if the other side changed which sibling is last.
 * - If both sides place siblings at one position, main's siblings come first.
 * - If both sides moved a sibling, our position wins.
 * - If one side replaced a block, the new block takes the position of the old block on the other side. Blocks that the
 *   other side inserted after the old block come after the new block.
 */
import { longestIncreasingSubsequence } from "../alignment/SequenceMatch.ts"

type Keys = ReadonlyArray<string>

/** Key of the position of appended siblings, which stay last. */
const end = Symbol()

/** Merges the order of `main` and `ours`, and returns the keys that `keeps` accepts. A key occurs once in each list. */
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
  const inBase = new Set(base)
  const isInserted = (key: string) => !inBase.has(key) && inLeft.has(key) !== inRight.has(key)
  const [lastLeft, lastRight] = [left, right].map((keys) => keys.findLast((key) => inLeft.has(key) && inRight.has(key)))
  const isAppendedLast = lastLeft !== lastRight
  const fromMain = following(left, frameKeys, isMain, isInserted, isAppendedLast)
  const fromOurs = following(right, frameKeys, (key) => !inLeft.has(key) || !isMain(key), isInserted, isAppendedLast)
  const order: Array<string> = []
  // Recursion is bounded: inserted keys may be placed after a key that follows an unmoved key, but nothing is placed
  // after an inserted key.
  const addFollowers = (key: string | undefined) => {
    const behind = [fromMain.get(key) ?? [], fromOurs.get(key) ?? []].map((keys) => {
      const moved = keys.findIndex((one) => !isInserted(one))
      return moved === -1 ? [keys, []] : [keys.slice(0, moved), keys.slice(moved)]
    })
    // Keys that were inserted directly after the key come before keys that were moved.
    for (const part of [0, 1]) {
      for (const keys of behind) {
        for (const follower of keys[part]!) {
          order.push(follower)
          addFollowers(follower)
        }
      }
    }
  }
  for (const key of [undefined, ...frame]) {
    if (key !== undefined) order.push(key)
    addFollowers(key)
  }
  order.push(...(fromMain.get(end) ?? []), ...(fromOurs.get(end) ?? []))
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
  // Blocks that one side removed still indicate positions, unless they make other blocks look moved.
  const [inBase, inMain, inOurs] = [new Set(base), new Set(main), new Set(ours)]
  const all = of((key) => keeps(key) || (inBase.has(key) && inMain.has(key) !== inOurs.has(key)))
  const isSame = (some: ReadonlySet<string>, more: ReadonlySet<string>) =>
    more.size === some.size && Array.from(more).every((key) => some.has(key))
  return isSame(kept.movedLeft, all.movedLeft) && isSame(kept.movedRight, all.movedRight) ? all : kept
}

const places = (keys: Keys): ReadonlyMap<string, number> => new Map(keys.map((key, place) => [key, place]))

/** Returns a minimal set of keys of `base` whose moves explain the order of a side. */
const moved = (base: Keys, side: ReadonlyMap<string, number>): ReadonlySet<string> => {
  const present = base.filter((key) => side.has(key))
  const result = new Set(present)
  for (const k of longestIncreasingSubsequence(present.map((key) => side.get(key)!))) result.delete(present[k]!)
  return result
}

/**
 * Returns the unmoved keys together with the keys that both sides placed between the same unmoved keys in the same
 * order.
 */
const withShared = (fast: Keys, left: Keys, right: Keys, inLeft: ReadonlyMap<string, number>): Array<string> => {
  const fastKeys = new Set(fast)
  const gapsLeft = gaps(left, fastKeys)
  const gapsRight = gaps(right, fastKeys)
  const shared = right.filter(
    (key) => !fastKeys.has(key) && inLeft.has(key) && gapsLeft.get(key) === gapsRight.get(key)
  )
  const chosen = new Set(longestIncreasingSubsequence(shared.map((key) => inLeft.get(key)!)).map((k) => shared[k]!))
  const after = following(
    right,
    fastKeys,
    (key) => chosen.has(key),
    () => false,
    false
  )
  return [undefined, ...fast].flatMap((key) => [...(key === undefined ? [] : [key]), ...(after.get(key) ?? [])])
}

/** Returns, for each key that is not in `frame`, the last key of `frame` before it. Undefined at the start. */
const gaps = (keys: Keys, frame: ReadonlySet<string>): ReadonlyMap<string, string | undefined> => {
  const found = new Map<string, string | undefined>()
  let last: string | undefined
  for (const key of keys) {
    if (frame.has(key)) last = key
    else found.set(key, last)
  }
  return found
}

/**
 * Groups the wanted keys of a side by the key after which they are placed. Default: the last key of `frame` before the
 * key. An inserted key is placed after the key directly before it if the other side places that key. If
 * `isAppendedLast`, appended keys go to the end instead.
 */
const following = (
  keys: Keys,
  frame: ReadonlySet<string>,
  wanted: (key: string) => boolean,
  isInserted: (key: string) => boolean,
  isAppendedLast: boolean
) => {
  const found = new Map<string | typeof end | undefined, Array<string>>()
  const appendedFrom = keys.findLastIndex((key) => !isInserted(key)) + 1
  let last: string | undefined
  /** Key that an inserted key currently follows. */
  let anchor: string | undefined
  for (const [i, key] of keys.entries()) {
    if (frame.has(key)) last = anchor = key
    else if (!wanted(key)) anchor = key
    else {
      if (!isInserted(key)) anchor = last
      const place = isAppendedLast && i >= appendedFrom ? end : anchor
      const list = found.get(place)
      if (list === undefined) found.set(place, [key])
      else list.push(key)
    }
  }
  return found
}
