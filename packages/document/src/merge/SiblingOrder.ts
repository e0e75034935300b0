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
export const mergeOrder = (base: Keys, main: Keys, ours: Keys, survives: (key: string) => boolean): Array<string> => {
  const isSame = (keys: Keys) => keys.length === base.length && keys.every((key, i) => key === base[i])
  if (isSame(main) && isSame(ours)) return base.filter(survives)
  const {
    known: baseKeys,
    left,
    right,
    inLeft,
    inRight,
    movedLeft,
    movedRight
  } = comparedSides(base, main, ours, survives)

  const unmovedKeys = baseKeys.filter(
    (key) => (inLeft.has(key) || inRight.has(key)) && !movedLeft.has(key) && !movedRight.has(key)
  )
  const frame = withSharedMoves(unmovedKeys, left, right, inLeft)

  const frameKeys = new Set(frame)
  const unmovedInRight = new Set(baseKeys.filter((key) => inRight.has(key) && !movedRight.has(key)))
  const takesMainPosition = (key: string) => !inRight.has(key) || (unmovedInRight.has(key) && movedLeft.has(key))
  const inBase = new Set(base)
  const isInserted = (key: string) => !inBase.has(key) && inLeft.has(key) !== inRight.has(key)
  const [lastLeft, lastRight] = [left, right].map((keys) => keys.findLast((key) => inLeft.has(key) && inRight.has(key)))
  const isAppendedLast = lastLeft !== lastRight
  const fromMain = groupFollowers(left, frameKeys, takesMainPosition, isInserted, isAppendedLast)
  const fromOurs = groupFollowers(
    right,
    frameKeys,
    (key) => !inLeft.has(key) || !takesMainPosition(key),
    isInserted,
    isAppendedLast
  )
  const order: Array<string> = []
  // Recursion is bounded: inserted keys may be placed after a key that follows an unmoved key, but nothing is placed
  // after an inserted key.
  const addFollowers = (key: string | undefined) => {
    const followersBySide = [fromMain.get(key) ?? [], fromOurs.get(key) ?? []].map((keys) => {
      const moved = keys.findIndex((one) => !isInserted(one))
      return moved === -1 ? [keys, []] : [keys.slice(0, moved), keys.slice(moved)]
    })
    // Keys that were inserted directly after the key come before keys that were moved.
    for (const part of [0, 1]) {
      for (const keys of followersBySide) {
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
  return order.filter(survives)
}

const comparedSides = (base: Keys, main: Keys, ours: Keys, survives: (key: string) => boolean) => {
  const compareSides = (includes: (key: string) => boolean) => {
    const [baseKeys, left, right] = [base.filter(includes), main.filter(includes), ours.filter(includes)]
    const [inLeft, inRight] = [positionsByKey(left), positionsByKey(right)]
    const [movedLeft, movedRight] = [movedKeys(baseKeys, inLeft), movedKeys(baseKeys, inRight)]
    return { known: baseKeys, left, right, inLeft, inRight, movedLeft, movedRight }
  }
  const surviving = compareSides(survives)
  if (surviving.known.length === base.length) return surviving
  // Blocks that one side removed still indicate positions, unless they make other blocks look moved.
  const [inBase, inMain, inOurs] = [new Set(base), new Set(main), new Set(ours)]
  const all = compareSides((key) => survives(key) || (inBase.has(key) && inMain.has(key) !== inOurs.has(key)))
  const isSame = (some: ReadonlySet<string>, more: ReadonlySet<string>) =>
    more.size === some.size && Array.from(more).every((key) => some.has(key))
  return isSame(surviving.movedLeft, all.movedLeft) && isSame(surviving.movedRight, all.movedRight) ? all : surviving
}

const positionsByKey = (keys: Keys): ReadonlyMap<string, number> =>
  new Map(keys.map((key, position) => [key, position]))

/** Returns a minimal set of keys of `base` whose moves explain the order of a side. */
const movedKeys = (base: Keys, side: ReadonlyMap<string, number>): ReadonlySet<string> => {
  const present = base.filter((key) => side.has(key))
  const result = new Set(present)
  for (const k of longestIncreasingSubsequence(present.map((key) => side.get(key)!))) result.delete(present[k]!)
  return result
}

/**
 * Returns the unmoved keys together with the keys that both sides placed between the same unmoved keys in the same
 * order.
 */
const withSharedMoves = (
  unmovedKeys: Keys,
  left: Keys,
  right: Keys,
  inLeft: ReadonlyMap<string, number>
): Array<string> => {
  const unmovedSet = new Set(unmovedKeys)
  const gapsLeft = precedingFrameKeys(left, unmovedSet)
  const gapsRight = precedingFrameKeys(right, unmovedSet)
  const shared = right.filter(
    (key) => !unmovedSet.has(key) && inLeft.has(key) && gapsLeft.get(key) === gapsRight.get(key)
  )
  const chosen = new Set(longestIncreasingSubsequence(shared.map((key) => inLeft.get(key)!)).map((k) => shared[k]!))
  const after = groupFollowers(
    right,
    unmovedSet,
    (key) => chosen.has(key),
    () => false,
    false
  )
  return [undefined, ...unmovedKeys].flatMap((key) => [...(key === undefined ? [] : [key]), ...(after.get(key) ?? [])])
}

/** Returns, for each key that is not in `frame`, the last key of `frame` before it. Undefined at the start. */
const precedingFrameKeys = (keys: Keys, frame: ReadonlySet<string>): ReadonlyMap<string, string | undefined> => {
  const result = new Map<string, string | undefined>()
  let last: string | undefined
  for (const key of keys) {
    if (frame.has(key)) last = key
    else result.set(key, last)
  }
  return result
}

/**
 * Groups the accepted keys of a side by the key after which they are placed. Default: the last key of `frame` before the
 * key. An inserted key is placed after the key directly before it if the other side places that key. If
 * `isAppendedLast`, appended keys go to the end instead.
 */
const groupFollowers = (
  keys: Keys,
  frame: ReadonlySet<string>,
  accepts: (key: string) => boolean,
  isInserted: (key: string) => boolean,
  isAppendedLast: boolean
) => {
  const result = new Map<string | typeof end | undefined, Array<string>>()
  const appendedFrom = keys.findLastIndex((key) => !isInserted(key)) + 1
  let last: string | undefined
  /** Key that an inserted key currently follows. */
  let anchor: string | undefined
  for (const [i, key] of keys.entries()) {
    if (frame.has(key)) last = anchor = key
    else if (!accepts(key)) anchor = key
    else {
      if (!isInserted(key)) anchor = last
      const anchorKey = isAppendedLast && i >= appendedFrom ? end : anchor
      const list = result.get(anchorKey)
      if (list === undefined) result.set(anchorKey, [key])
      else list.push(key)
    }
  }
  return result
}
