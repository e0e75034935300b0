/**
 * Which items of two sequences correspond, in order.
 *
 * A difference of at most 256 items is found exactly; a larger one is divided at the items that
 * occur once in either sequence, at most three times over, and where nothing divides it, equal items
 * are paired first come, first served. With little effort left only a difference of 16 items is
 * found exactly. Work therefore grows about linearly, on any input.
 */
import { diffArrays } from "diff"
import type { Effort } from "./Effort.ts"

export type Pair = readonly [previous: number, next: number]

const maxEditLength = 256
const minEditLength = 16
const maxLevels = 3

/** The positions of a longest strictly increasing run, not necessarily without gaps. */
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
/** Some places of one sequence, rising. */
type Places = ReadonlyArray<number>

interface Sequences {
  readonly previous: Items
  readonly next: Items
  readonly effort: Effort
}

/** Pairs of equal items, rising in both sequences. */
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
 * Adds pairs of places of `from` and `to` to `into`.
 *
 * They are right whatever the items are. Each pair is of equal items, since all three ways to find
 * one compare the items. And the pairs rise: those that are found exactly and those in turn rise by
 * themselves; anchors rise because a rising run of them is taken, and what is found between two of
 * them lies between the places of both. An item whose counterpart lies between other anchors has
 * none here: it is dropped, as everything that only one of the two lists has.
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
    // Not spread into arguments, of which there can't be very many.
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

/** Of some places of one sequence those whose item some places of the other have too. */
const having = (items: Items, places: Places, others: Items, otherPlaces: Places): Places => {
  const wanted = new Set<number>()
  for (const place of otherPlaces) wanted.add(others[place]!)
  return places.filter((place) => wanted.has(items[place]!))
}

/** The pairs of places that differ least; undefined where they differ in more than can be looked at. */
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
 * Pairs the first with the first, the second with the second of each item, as far as order allows;
 * `onlyUnique` takes only what occurs once on either side. By their index in `from` and `to`.
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
