/** Checks for matchings of two sequences, and a simple, slow algorithm that finds the longest matching. */
import { assert } from "@effect/vitest"
import * as fc from "fast-check"
import { WorkBudget } from "@lectern/document/alignment/WorkBudget"
import { matchEqual } from "@lectern/document/alignment/SequenceMatch"

export type Items = ReadonlyArray<number>

/** Returns the length of the longest common subsequence. */
const longest = (previous: Items, next: Items): number => {
  let row = new Uint32Array(next.length + 1)
  for (const item of previous) {
    const below = new Uint32Array(next.length + 1)
    for (let j = 0; j < next.length; j++) {
      below[j + 1] = item === next[j] ? row[j]! + 1 : Math.max(row[j + 1]!, below[j]!)
    }
    row = below
  }
  return row[next.length]!
}

/** Asserts that all pairs are of equal items, in ascending order. Returns the number of pairs. */
export const checkedMatch = (previous: Items, next: Items, effort = new WorkBudget()): number => {
  const pairs = matchEqual(previous, next, effort)
  let [i, j] = [-1, -1]
  for (const [a, b] of pairs) {
    if (!(a > i && b > j && a < previous.length && b < next.length && previous[a] === next[b])) {
      assert.fail(`[${a}, ${b}] after [${i}, ${j}]`)
    }
    ;[i, j] = [a, b]
  }
  return pairs.length
}

/** Number of differences up to which `matchEqual` returns the longest matching. */
const exactly = 256

export const checkAgainstNaive = (previous: Items, next: Items): void => {
  const found = checkedMatch(previous, next)
  const most = longest(previous, next)
  assert.isAtMost(found, most)
  if (previous.length + next.length - 2 * most <= exactly) assert.strictEqual(found, most)
}

const rotated = (items: Items, by: number): Items => [...items.slice(by), ...items.slice(0, by)]

const chanceFrom = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * Math.max(1, below))
  }
}

/**
 * Generates two sequences with few or many distinct items. The second is new, reversed, rotated, repeated, edited, or
 * has its groups moved.
 */
export const twoSequences = (maxLength: number): fc.Arbitrary<readonly [Items, Items]> =>
  fc
    .record({
      kinds: fc.constantFrom(1, 2, 3, 10, maxLength * 4),
      length: fc.nat({ max: maxLength }),
      change: fc.constantFrom("anew", "reversed", "rotated", "groups", "repeated", "edited"),
      seed: fc.nat({ max: 0x3fffffff })
    })
    .map(({ change, kinds, length, seed }) => {
      const chance = chanceFrom(seed)
      const anew = () => Array.from({ length: chance(length + 1) }, () => chance(kinds))
      const previous: Items = Array.from({ length }, () => chance(kinds))
      const by = chance(length)
      switch (change) {
        case "anew":
          return [previous, anew()] as const
        case "reversed":
          return [previous, previous.toReversed()] as const
        case "rotated":
          return [previous, rotated(previous, by)] as const
        case "groups":
          return [previous, [...previous.slice(by).toReversed(), ...previous.slice(0, by).toReversed()]] as const
        case "repeated":
          return [previous, [...previous.slice(by), ...previous.slice(by), ...previous]] as const
        default:
          return [
            previous,
            previous.flatMap((item) => [[item], [item], [], [item, chance(kinds)]][chance(4)]!)
          ] as const
      }
    })
