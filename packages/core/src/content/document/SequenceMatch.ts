/**
 * Which items of two sequences correspond, in order.
 *
 * A difference of at most 256 items is found exactly; a larger one is divided at the items that
 * occur once in either sequence, and where nothing divides it, equal items are paired first come,
 * first served. Work therefore grows about linearly, on any input.
 */
import { diffArrays } from "diff"

export type Pair = readonly [previous: number, next: number]

const maxEditLength = 256

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

/** Pairs of equal items, rising in both sequences. */
export const matchEqual = (previous: ReadonlyArray<number>, next: ReadonlyArray<number>): Array<Pair> => {
  const shorter = Math.min(previous.length, next.length)
  let head = 0
  while (head < shorter && previous[head] === next[head]) head++
  let tail = 0
  while (tail < shorter - head && previous[previous.length - 1 - tail] === next[next.length - 1 - tail]) tail++

  const pairs: Array<Pair> = []
  for (let i = 0; i < head; i++) pairs.push([i, i])
  // What occurs on one side only can't be part of any pair.
  const inNext = new Set(next.slice(head, next.length - tail))
  const inPrevious = new Set(previous.slice(head, previous.length - tail))
  const from = positions(previous, head, previous.length - tail, inNext)
  const to = positions(next, head, next.length - tail, inPrevious)
  pairs.push(...middle(previous, next, from, to))
  for (let i = tail; i > 0; i--) pairs.push([previous.length - i, next.length - i])
  return pairs
}

const positions = (items: ReadonlyArray<number>, start: number, end: number, wanted: ReadonlySet<number>) => {
  const found: Array<number> = []
  for (let i = start; i < end; i++) if (wanted.has(items[i]!)) found.push(i)
  return found
}

type Items = ReadonlyArray<number>

const middle = (previous: Items, next: Items, from: Items, to: Items): Array<Pair> => {
  const exact = difference(previous, next, from, to)
  if (exact !== undefined) return exact
  const pairs: Array<Pair> = []
  let i = 0
  let j = 0
  const anchors = [...nthOccurrences(previous, next, from, to, true), [from.length, to.length] as const]
  for (const [a, b] of anchors) {
    const gap = [from.slice(i, a), to.slice(j, b)] as const
    pairs.push(...(difference(previous, next, ...gap) ?? inTurn(previous, next, ...gap)))
    if (a < from.length) pairs.push([from[a]!, to[b]!])
    i = a + 1
    j = b + 1
  }
  return pairs
}

const inTurn = (previous: Items, next: Items, from: Items, to: Items): Array<Pair> =>
  nthOccurrences(previous, next, from, to, false).map(([a, b]) => [from[a]!, to[b]!])

const difference = (previous: Items, next: Items, from: Items, to: Items): Array<Pair> | undefined => {
  if (from.length === 0 || to.length === 0) return []
  const changes = diffArrays(
    from.map((i) => previous[i]!),
    to.map((j) => next[j]!),
    { maxEditLength }
  )
  if (changes === undefined) return undefined
  const pairs: Array<Pair> = []
  let a = 0
  let b = 0
  for (const { added, count, removed } of changes) {
    if (!added && !removed) for (let k = 0; k < count; k++) pairs.push([from[a + k]!, to[b + k]!])
    if (!added) a += count
    if (!removed) b += count
  }
  return pairs
}

/** Pairs the first with the first, the second with the second of each item, as far as order allows. */
const nthOccurrences = (previous: Items, next: Items, from: Items, to: Items, onlyUnique: boolean): Array<Pair> => {
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
    const found = places.get(item)!
    const n = seen.get(item) ?? 0
    seen.set(item, n + 1)
    if (onlyUnique ? counts.get(item) === 1 && found.length === 1 : n < found.length) candidates.push([a, found[n]!])
  }
  return increasing(candidates.map(([, b]) => b)).map((k) => candidates[k]!)
}
