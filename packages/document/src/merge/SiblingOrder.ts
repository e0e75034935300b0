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

/**
 * Merges the order of `main` and `ours`, and returns the keys for which `survives` returns true. A key occurs once in
 * each list.
 */
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
  const fixedKeys = withSharedMoves(unmovedKeys, left, right, inLeft)

  const fixedKeySet = new Set(fixedKeys)
  const unmovedInRight = new Set(baseKeys.filter((key) => inRight.has(key) && !movedRight.has(key)))
  const takesMainPosition = (key: string) => !inRight.has(key) || (unmovedInRight.has(key) && movedLeft.has(key))
  const inBase = new Set(base)
  const isInserted = (key: string) => !inBase.has(key) && inLeft.has(key) !== inRight.has(key)
  const [lastLeft, lastRight] = [left, right].map((keys) => keys.findLast((key) => inLeft.has(key) && inRight.has(key)))
  const isAppendedLast = lastLeft !== lastRight
  const fromMain = groupFollowers(left, fixedKeySet, takesMainPosition, isInserted, isAppendedLast)
  const ourFollowers = groupFollowers(
    right,
    fixedKeySet,
    (key) => !inLeft.has(key) || !takesMainPosition(key),
    isInserted,
    isAppendedLast
  )
  const order: Array<string> = []
  // Recursion is bounded: inserted keys may be placed after a key that follows an unmoved key, but nothing is placed
  // after an inserted key.
  const addFollowers = (key: string | undefined) => {
    const followersBySide = [fromMain.get(key) ?? [], ourFollowers.get(key) ?? []].map((keys) => {
      const firstMovedIndex = keys.findIndex((one) => !isInserted(one))
      return firstMovedIndex === -1 ? [keys, []] : [keys.slice(0, firstMovedIndex), keys.slice(firstMovedIndex)]
    })
    // Keys that were inserted directly after the key come before keys that were moved.
    for (const partIndex of [0, 1]) {
      for (const keys of followersBySide) {
        for (const follower of keys[partIndex]!) {
          order.push(follower)
          addFollowers(follower)
        }
      }
    }
  }
  for (const key of [undefined, ...fixedKeys]) {
    if (key !== undefined) order.push(key)
    addFollowers(key)
  }
  order.push(...(fromMain.get(end) ?? []), ...(ourFollowers.get(end) ?? []))
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
  const withRemoved = compareSides((key) => survives(key) || (inBase.has(key) && inMain.has(key) !== inOurs.has(key)))
  const isSame = (subset: ReadonlySet<string>, superset: ReadonlySet<string>) =>
    superset.size === subset.size && Array.from(superset).every((key) => subset.has(key))
  return isSame(surviving.movedLeft, withRemoved.movedLeft) && isSame(surviving.movedRight, withRemoved.movedRight)
    ? withRemoved
    : surviving
}

const positionsByKey = (keys: Keys): ReadonlyMap<string, number> =>
  new Map(keys.map((key, position) => [key, position]))

/** Returns a minimal set of keys of `base` whose moves explain the order of a side. */
const movedKeys = (base: Keys, side: ReadonlyMap<string, number>): ReadonlySet<string> => {
  const presentKeys = base.filter((key) => side.has(key))
  const result = new Set(presentKeys)
  for (const k of longestIncreasingSubsequence(presentKeys.map((key) => side.get(key)!))) result.delete(presentKeys[k]!)
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
  const gapsLeft = precedingFixedKeys(left, unmovedSet)
  const gapsRight = precedingFixedKeys(right, unmovedSet)
  const sharedKeys = right.filter(
    (key) => !unmovedSet.has(key) && inLeft.has(key) && gapsLeft.get(key) === gapsRight.get(key)
  )
  const chosenKeys = new Set(
    longestIncreasingSubsequence(sharedKeys.map((key) => inLeft.get(key)!)).map((k) => sharedKeys[k]!)
  )
  const followersByKey = groupFollowers(
    right,
    unmovedSet,
    (key) => chosenKeys.has(key),
    () => false,
    false
  )
  return [undefined, ...unmovedKeys].flatMap((key) => [
    ...(key === undefined ? [] : [key]),
    ...(followersByKey.get(key) ?? [])
  ])
}

/** Returns, for each key that is not in `fixedKeys`, the last key of `fixedKeys` before it. Undefined at the start. */
const precedingFixedKeys = (keys: Keys, fixedKeys: ReadonlySet<string>): ReadonlyMap<string, string | undefined> => {
  const result = new Map<string, string | undefined>()
  let last: string | undefined
  for (const key of keys) {
    if (fixedKeys.has(key)) last = key
    else result.set(key, last)
  }
  return result
}

/**
 * Groups the accepted keys of a side by the key after which they are placed: by default the last key of `fixedKeys`
 * before the key. An inserted key is placed after the key directly before it if the other side places that key. If
 * `isAppendedLast`, appended keys go to the end instead.
 */
const groupFollowers = (
  keys: Keys,
  fixedKeys: ReadonlySet<string>,
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
    if (fixedKeys.has(key)) last = anchor = key
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
