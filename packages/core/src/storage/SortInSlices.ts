/**
 * Sorts a long list with rests for others: runs of 1,024 items are sorted, and merged two by two.
 *
 * Limit: a slice ends after a run, or after 1,024 items of a merge.
 */
import { Effect } from "effect"
import { Slice } from "./Slice.ts"

const runLength = 1024

/** The items in the order of their keys. Items with one key keep their order. */
export const sortBy = Effect.fnUntraced(function* <A>(items: ReadonlyArray<A>, keyOf: (item: A) => string) {
  const slice = yield* Slice.begin
  const compare = (a: A, b: A) => (keyOf(a) < keyOf(b) ? -1 : keyOf(a) > keyOf(b) ? 1 : 0)
  let sorted: Array<A> = []
  for (let at = 0; at < items.length; at += runLength) {
    for (const item of items.slice(at, at + runLength).sort(compare)) sorted.push(item)
    if (slice.isOver()) yield* slice.rest
  }
  for (let length = runLength; length < sorted.length; length *= 2) {
    const merged: Array<A> = []
    for (let from = 0; from < sorted.length; from += 2 * length) {
      const middle = Math.min(from + length, sorted.length)
      const end = Math.min(from + 2 * length, sorted.length)
      let [left, right] = [from, middle]
      while (left < middle || right < end) {
        const isLeft = right >= end || (left < middle && compare(sorted[left]!, sorted[right]!) <= 0)
        merged.push(sorted[isLeft ? left++ : right++]!)
        if (merged.length % runLength === 0 && slice.isOver()) yield* slice.rest
      }
    }
    sorted = merged
  }
  return sorted
})
