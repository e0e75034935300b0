/**
 * Differences between two tries. Nodes with equal hashes are not read. Tries that have nothing in common are still read
 * and compared in slices.
 */
import { Effect, Equal, Option, Stream } from "effect"
import type { ObjectHash } from "../../storage/ObjectStore.ts"
import { Slice } from "../../storage/Slice.ts"
import type { StorageError } from "../../storage/Storage.ts"
import type { Root } from "../Content.ts"
import type { ObjectReader } from "./Objects.ts"
import {
  childAt,
  digitAt,
  emptyLeaf,
  type Entry,
  isLeaf,
  type Node,
  type Path,
  pathsOf,
  readNodes
} from "./TrieNode.ts"

export interface Difference<V> {
  readonly key: string
  readonly before: V | undefined
  readonly after: V | undefined
}

/** Number of node pairs that are compared at once. */
const sliceSize = 32

/** A part of a map: a stored node, or the entries of a leaf if the other map has a branch at the same position. */
type Part = Root | ReadonlyArray<Entry<unknown>>

interface Pair {
  readonly before: Part
  readonly after: Part
  readonly depth: number
}

/** Returns all differences, sorted by key. */
export const all = Effect.fnUntraced(function* <V>(
  reader: ObjectReader,
  before: Root,
  after: Root
): Effect.fn.Return<ReadonlyArray<Difference<V>>, StorageError> {
  const slice = yield* Slice.start
  const differences: Array<Difference<V>> = []
  yield* inSlices<V>(reader, before, after).pipe(
    Stream.runForEach((partDifferences) => {
      for (const difference of partDifferences) differences.push(difference)
      return slice.isOver() ? slice.pause : Effect.void
    })
  )
  return differences.sort((a, b) => (a.key < b.key ? -1 : 1))
})

/** Returns the differences in parts, unordered. Each part takes a bounded time. */
export const inSlices = <V>(
  reader: ObjectReader,
  before: Root,
  after: Root
): Stream.Stream<ReadonlyArray<Difference<V>>, StorageError> => {
  const paths = pathsOf(reader)
  const step = Effect.fnUntraced(function* (pending: Array<Pair>) {
    const slice = pending.splice(-sliceSize)
    const parts = slice.flatMap((pair) => [pair.before, pair.after])
    const nodes = yield* nodesOf(reader, parts)
    const differences: Array<Difference<unknown>> = []
    for (const [i, { depth }] of slice.entries()) {
      const [one, two] = [nodes[2 * i]!, nodes[2 * i + 1]!]
      if (isLeaf(one) && isLeaf(two)) {
        for (const difference of compare(one.entries, two.entries)) differences.push(difference)
        continue
      }
      for (let slot = 0; slot < 32; slot++) {
        const pair = {
          before: partAt(one, slot, depth, paths),
          after: partAt(two, slot, depth, paths),
          depth: depth + 1
        }
        if (pair.before !== pair.after) pending.push(pair)
      }
    }
    const rest = pending.length === 0 ? Option.none<Array<Pair>>() : Option.some(pending)
    return [[differences as Array<Difference<V>>], rest] as const
  })
  return Stream.suspend(() => (before === after ? Stream.empty : Stream.paginate([{ before, after, depth: 0 }], step)))
}

const nodesOf = Effect.fnUntraced(function* (reader: ObjectReader, parts: ReadonlyArray<Part>) {
  const storedNodes = yield* readNodes<unknown>(
    reader,
    parts.filter((part): part is ObjectHash => typeof part === "string")
  )
  let next = 0
  return parts.map((part): Node<unknown> => {
    if (part === null) return emptyLeaf
    return typeof part === "string" ? storedNodes[next++]! : { entries: part }
  })
})

const partAt = (node: Node<unknown>, slot: number, depth: number, paths: (key: string) => Path): Part => {
  if (!isLeaf(node)) return childAt(node, slot)
  const entries = node.entries.filter(([key]) => digitAt(paths(key), depth) === slot)
  return entries.length === 0 ? null : entries
}

const compare = (
  before: ReadonlyArray<Entry<unknown>>,
  after: ReadonlyArray<Entry<unknown>>
): ReadonlyArray<Difference<unknown>> => {
  if (before.length === 0) return after.map(([key, value]) => ({ key, before: undefined, after: value }))
  const values = new Map(before)
  const differences: Array<Difference<unknown>> = []
  for (const [key, value] of after) {
    const old = values.get(key)
    values.delete(key)
    if (!isSame(old, value)) differences.push({ key, before: old, after: value })
  }
  for (const [key, value] of values) differences.push({ key, before: value, after: undefined })
  return differences
}

/**
 * Compares texts first, which takes a tenth of the time: most values are equal, and equal values usually have equal
 * texts.
 */
const isSame = (a: unknown, b: unknown): boolean =>
  a === b || (a !== undefined && JSON.stringify(a) === JSON.stringify(b)) || Equal.equals(a, b)
