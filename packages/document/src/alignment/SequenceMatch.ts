/**
 * Matches equal items of two sequences, in order.
 *
 * Differences of up to 256 items are found exactly. A longer one is divided at items that occur once in both sequences,
 * up to three levels deep. If nothing divides it, equal items match in the order of their occurrence. With little
 * effort left, only differences of up to 16 items are found exactly. The work therefore grows about linearly for any
 * input.
 */
import { diffArrays } from "diff"
import type { Effort } from "./Effort.ts"

export type Pair = readonly [previous: number, next: number]

const maxEditLength = 256
const minEditLength = 16
const maxLevels = 3

/** Returns the positions of a longest strictly increasing subsequence. */
export const increasing = (values: ReadonlyArray<number>): Array<number> => {
  const tails: Array<number> = []
  const before: Array<number> = []
  for (const [i, value] of values.entries()) {
    let low = 0
    let high = tails.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (values[tails[middle]!]! < value) low = middle + 1
      else high = middle
    }
    before[i] = low > 0 ? tails[low - 1]! : -1
    tails[low] = i
  }
  const positions: Array<number> = []
  for (let i = tails.at(-1) ?? -1; i >= 0; i = before[i]!) positions.push(i)
  return positions.reverse()
}

type Items = ReadonlyArray<number>
/** Positions in one sequence, ascending. */
type Places = ReadonlyArray<number>

interface Sequences {
  readonly previous: Items
  readonly next: Items
  readonly effort: Effort
}

/** Returns pairs of equal items, ascending in both sequences. */
export const matchEqual = (previous: Items, next: Items, effort: Effort): Array<Pair> => {
  const shorter = Math.min(previous.length, next.length)
  let head = 0
  while (head < shorter && previous[head] === next[head]) head++
  let tail = 0
  while (tail < shorter - head && previous[previous.length - 1 - tail] === next[next.length - 1 - tail]) tail++

  const pairs: Array<Pair> = []
  for (let i = 0; i < head; i++) pairs.push([i, i])
  const from = Array.from({ length: previous.length - tail - head }, (_, i) => head + i)
  const to = Array.from({ length: next.length - tail - head }, (_, j) => head + j)
  matchWithin({ previous, next, effort }, from, to, maxLevels, pairs)
  for (let i = tail; i > 0; i--) pairs.push([previous.length - i, next.length - i])
  return pairs
}

/**
 * Adds pairs of positions of `from` and `to` to `into`.
 *
 * Invariants for any input: each pair has equal items, since all three methods compare the items. The pairs ascend:
 * pairs of the exact method and of the ordered occurrences ascend by construction. Anchors are an increasing
 * subsequence, and pairs between two anchors lie between the positions of both. An item whose counterpart lies between
 * other anchors gets no pair.
 */
const matchWithin = (
  { effort, next, previous }: Sequences,
  allFrom: Places,
  allTo: Places,
  levels: number,
  into: Array<Pair>
): void => {
  const from = having(previous, allFrom, next, allTo)
  const to = having(next, allTo, previous, allFrom)
  if (from.length === 0 || to.length === 0) return
  const exact = difference({ previous, next, effort }, from, to)
  if (exact !== undefined) {
    // The pairs are pushed one by one, since a spread into arguments would fail for very long lists.
    for (const pair of exact) into.push(pair)
    return
  }
  const anchors = levels === 0 ? [] : nthOccurrences(previous, next, from, to, true)
  if (anchors.length === 0) {
    for (const [a, b] of nthOccurrences(previous, next, from, to, false)) into.push([from[a]!, to[b]!])
    return
  }
  let i = 0
  let j = 0
  for (const [a, b] of anchors) {
    matchWithin({ previous, next, effort }, from.slice(i, a), to.slice(j, b), levels - 1, into)
    into.push([from[a]!, to[b]!])
    i = a + 1
    j = b + 1
  }
  matchWithin({ previous, next, effort }, from.slice(i), to.slice(j), levels - 1, into)
}

/** Returns the positions whose item also occurs at one of the positions of the other sequence. */
const having = (items: Items, places: Places, others: Items, otherPlaces: Places): Places => {
  const wanted = new Set<number>()
  for (const place of otherPlaces) wanted.add(others[place]!)
  return places.filter((place) => wanted.has(items[place]!))
}

/** Returns the pairs of a minimal difference. Undefined if the difference exceeds the limit. */
const difference = (
  { effort, next, previous }: Sequences,
  from: Places,
  to: Places
): ReadonlyArray<Pair> | undefined => {
  const length = from.length + to.length
  const limit = Math.min(maxEditLength, Math.max(minEditLength, Math.floor(effort.left / length)))
  const changes = diffArrays(
    from.map((i) => previous[i]!),
    to.map((j) => next[j]!),
    { maxEditLength: limit }
  )
  if (changes === undefined) {
    effort.take(Math.min(effort.left, length * limit))
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
  effort.take(Math.min(effort.left, length * edits))
  return pairs
}

/**
 * Pairs the first occurrences of each item, then the second ones and so on, as far as the order allows. With
 * `onlyUnique`, pairs only items that occur once on both sides. Pairs are indexes into `from` and `to`.
 */
const nthOccurrences = (
  previous: Items,
  next: Items,
  from: Places,
  to: Places,
  onlyUnique: boolean
): ReadonlyArray<Pair> => {
  const places = new Map<number, Array<number>>()
  for (const [b, j] of to.entries()) {
    const known = places.get(next[j]!)
    if (known === undefined) places.set(next[j]!, [b])
    else known.push(b)
  }
  const counts = new Map<number, number>()
  for (const i of from) counts.set(previous[i]!, (counts.get(previous[i]!) ?? 0) + 1)
  const seen = new Map<number, number>()
  const candidates: Array<Pair> = []
  for (const [a, i] of from.entries()) {
    const item = previous[i]!
    const found = places.get(item) ?? []
    const n = seen.get(item) ?? 0
    seen.set(item, n + 1)
    const isTaken = onlyUnique ? counts.get(item) === 1 && found.length === 1 : n < found.length
    if (isTaken) candidates.push([a, found[n]!])
  }
  return increasing(candidates.map(([, b]) => b)).map((k) => candidates[k]!)
}
