/**
 * Matches equal items of two sequences, in order.
 *
 * Differences of up to 256 items are found exactly. A longer difference is divided at items that occur once in both
 * sequences, up to three levels deep. If no such item exists, equal items match in the order of their occurrence. With
 * little budget left, only differences of up to 16 items are found exactly. The work therefore grows about linearly for
 * any input.
 */
import { diffArrays } from "diff"
import type { WorkBudget } from "./WorkBudget.ts"

export type Pair = readonly [previous: number, next: number]

const maxEditLength = 256
const minEditLength = 16
const maxLevels = 3

/** Returns the positions of a longest strictly increasing subsequence. */
export const longestIncreasingSubsequence = (values: ReadonlyArray<number>): Array<number> => {
  const tails: Array<number> = []
  const predecessors: Array<number> = []
  for (const [i, value] of values.entries()) {
    let low = 0
    let high = tails.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (values[tails[middle]!]! < value) low = middle + 1
      else high = middle
    }
    predecessors[i] = low > 0 ? tails[low - 1]! : -1
    tails[low] = i
  }
  const positions: Array<number> = []
  for (let i = tails.at(-1) ?? -1; i >= 0; i = predecessors[i]!) positions.push(i)
  return positions.reverse()
}

type Items = ReadonlyArray<number>
/** Ascending positions in one sequence. */
type Positions = ReadonlyArray<number>

interface Sequences {
  readonly previous: Items
  readonly next: Items
  readonly budget: WorkBudget
}

/** Returns pairs of equal items, ascending in both sequences. */
export const matchEqual = (previous: Items, next: Items, budget: WorkBudget): Array<Pair> => {
  const shorter = Math.min(previous.length, next.length)
  let head = 0
  while (head < shorter && previous[head] === next[head]) head++
  let tail = 0
  while (tail < shorter - head && previous[previous.length - 1 - tail] === next[next.length - 1 - tail]) tail++

  const pairs: Array<Pair> = []
  for (let i = 0; i < head; i++) pairs.push([i, i])
  const from = Array.from({ length: previous.length - tail - head }, (_, i) => head + i)
  const to = Array.from({ length: next.length - tail - head }, (_, j) => head + j)
  matchRange({ previous, next, budget }, from, to, maxLevels, pairs)
  for (let i = tail; i > 0; i--) pairs.push([previous.length - i, next.length - i])
  return pairs
}

/**
 * Adds pairs of positions of `allFrom` and `allTo` to `result`.
 *
 * Invariants for any input: the two items of each pair are equal, since each of the three methods compares items. The
 * pairs ascend in both sequences. The methods `minimalDifference` and `nthOccurrences` return ascending pairs. Anchors
 * are an increasing subsequence, and pairs between two anchors lie between the positions of both anchors. An item whose
 * counterpart lies between other anchors gets no pair.
 */
const matchRange = (
  { budget, next, previous }: Sequences,
  allFrom: Positions,
  allTo: Positions,
  levels: number,
  result: Array<Pair>
): void => {
  const from = commonPositions(previous, allFrom, next, allTo)
  const to = commonPositions(next, allTo, previous, allFrom)
  if (from.length === 0 || to.length === 0) return
  const exactPairs = minimalDifference({ previous, next, budget }, from, to)
  if (exactPairs !== undefined) {
    // The pairs are pushed one by one, since a spread into arguments would fail for very long lists.
    for (const pair of exactPairs) result.push(pair)
    return
  }
  const anchors = levels === 0 ? [] : nthOccurrences(previous, next, from, to, true)
  if (anchors.length === 0) {
    for (const [a, b] of nthOccurrences(previous, next, from, to, false)) result.push([from[a]!, to[b]!])
    return
  }
  let i = 0
  let j = 0
  for (const [a, b] of anchors) {
    matchRange({ previous, next, budget }, from.slice(i, a), to.slice(j, b), levels - 1, result)
    result.push([from[a]!, to[b]!])
    i = a + 1
    j = b + 1
  }
  matchRange({ previous, next, budget }, from.slice(i), to.slice(j), levels - 1, result)
}

/** Returns the positions whose item also occurs at one of the positions of the other sequence. */
const commonPositions = (
  items: Items,
  positions: Positions,
  otherItems: Items,
  otherPositions: Positions
): Positions => {
  const commonItems = new Set<number>()
  for (const position of otherPositions) commonItems.add(otherItems[position]!)
  return positions.filter((position) => commonItems.has(items[position]!))
}

/** Returns the pairs of a minimal difference. Undefined if the difference exceeds the limit. */
const minimalDifference = (
  { budget, next, previous }: Sequences,
  from: Positions,
  to: Positions
): ReadonlyArray<Pair> | undefined => {
  const length = from.length + to.length
  const limit = Math.min(maxEditLength, Math.max(minEditLength, Math.floor(budget.remaining / length)))
  const changes = diffArrays(
    from.map((i) => previous[i]!),
    to.map((j) => next[j]!),
    { maxEditLength: limit }
  )
  if (changes === undefined) {
    budget.consume(Math.min(budget.remaining, length * limit))
    return undefined
  }
  const pairs: Array<Pair> = []
  let a = 0
  let b = 0
  let edits = 0
  for (const { added, count, removed } of changes) {
    if (!added && !removed) for (let k = 0; k < count; k++) pairs.push([from[a + k]!, to[b + k]!])
    if (added || removed) edits += count
    if (!added) a += count
    if (!removed) b += count
  }
  budget.consume(Math.min(budget.remaining, length * edits))
  return pairs
}

/**
 * Pairs the n-th occurrence of each item in `from` with the n-th occurrence in `to`. Pairs that would cross are
 * omitted. If `onlyUnique`, pairs only items that occur once in both sequences. A pair holds indexes of `from` and
 * `to`.
 */
const nthOccurrences = (
  previous: Items,
  next: Items,
  from: Positions,
  to: Positions,
  onlyUnique: boolean
): ReadonlyArray<Pair> => {
  const positionsByItem = new Map<number, Array<number>>()
  for (const [b, j] of to.entries()) {
    const existing = positionsByItem.get(next[j]!)
    if (existing === undefined) positionsByItem.set(next[j]!, [b])
    else existing.push(b)
  }
  const counts = new Map<number, number>()
  for (const i of from) counts.set(previous[i]!, (counts.get(previous[i]!) ?? 0) + 1)
  const occurrences = new Map<number, number>()
  const candidates: Array<Pair> = []
  for (const [a, i] of from.entries()) {
    const item = previous[i]!
    const itemPositions = positionsByItem.get(item) ?? []
    const n = occurrences.get(item) ?? 0
    occurrences.set(item, n + 1)
    const isPaired = onlyUnique ? counts.get(item) === 1 && itemPositions.length === 1 : n < itemPositions.length
    if (isPaired) candidates.push([a, itemPositions[n]!])
  }
  return longestIncreasingSubsequence(candidates.map(([, b]) => b)).map((k) => candidates[k]!)
}
