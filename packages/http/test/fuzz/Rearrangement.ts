/**
 * Random edits of a sequence of blocks, rows, list items or words: parts are reversed, moved, removed, repeated or
 * rewritten. They are plain data, so that a failing edit can be shrunk.
 */
import * as fc from "fast-check"

const kinds = [
  "reverse",
  "rotate",
  "swap",
  "mirror",
  "interleave",
  "shuffle",
  "remove",
  "thin",
  "repeat",
  "insert",
  "rewrite",
  "scatter"
] as const

export interface Rearrangement {
  readonly kind: (typeof kinds)[number]
  /** Start and length of the part, in hundredths of the sequence. */
  readonly from: number
  readonly length: number
  readonly count: number
}

const part = { from: fc.nat(100), length: fc.nat(100), count: fc.integer({ min: 1, max: 300 }) }
const small = { from: fc.nat(100), length: fc.nat(10), count: fc.integer({ min: 1, max: 3 }) }

export const rearrangement: fc.Arbitrary<Rearrangement> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom(...kinds), ...small }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom(...kinds), ...part }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constantFrom(...kinds),
      from: fc.constant(0),
      length: fc.constant(100),
      count: part.count
    })
  }
)

/** Applies the edits. `fresh` creates a new item, `rewritten` a variant of an item. */
export const rearranged = <A>(
  items: ReadonlyArray<A>,
  { count, from, kind, length }: Rearrangement,
  fresh: () => A,
  rewritten: (item: A) => A
): ReadonlyArray<A> => {
  const start = Math.floor((items.length * from) / 100)
  const end = Math.min(items.length, start + Math.max(1, Math.ceil((items.length * length) / 100)))
  const part = items.slice(start, end)
  return [...items.slice(0, start), ...changed(part, kind, count, fresh, rewritten), ...items.slice(end)]
}

const changed = <A>(
  part: ReadonlyArray<A>,
  kind: Rearrangement["kind"],
  count: number,
  fresh: () => A,
  rewritten: (item: A) => A
): ReadonlyArray<A> => {
  const half = part.length >> 1
  const place = count % (part.length + 1)
  switch (kind) {
    case "reverse":
      return part.toReversed()
    case "rotate":
      return [...part.slice(place), ...part.slice(0, place)]
    case "swap":
      return [...part.slice(half + 1), ...part.slice(half, half + 1), ...part.slice(0, half)]
    case "mirror": {
      // Two items in the middle keep their order, the items around them do not.
      const [first, last] = [part.slice(0, Math.max(0, half - 1)), part.slice(half + 1)]
      return [...last.toReversed(), ...part.slice(first.length, half + 1), ...first.toReversed()]
    }
    case "interleave":
      return part.slice(0, half).flatMap((item, i) => [part[part.length - 1 - i]!, item])
    case "shuffle":
      return part
        .map((item, i) => [item, Math.imul(i + count, 0x9e3779b1) >>> 0] as const)
        .toSorted(([, a], [, b]) => a - b)
        .map(([item]) => item)
    case "remove":
      return []
    case "thin":
      return part.filter((_, i) => i % (count + 1) !== 0)
    case "repeat":
      return [...part, ...part]
    case "insert":
      return [...part.slice(0, place), ...Array.from({ length: count }, fresh), ...part.slice(place)]
    case "rewrite":
      return part.map(rewritten)
    case "scatter":
      return part.map((item, i) => (i % (count + 1) === 0 ? rewritten(item) : item))
  }
}
