/**
 * The nodes of a `Trie`, and the way through them to a key.
 *
 * A way is taken at each level by a digit of the key's path: 5 bits of its SHA-256. The path of a
 * key with a group starts with four digits of the group's hash.
 */
import { Effect } from "effect"
import type { ObjectHash } from "../../storage/ObjectStore.ts"
import { Slice } from "../../storage/Slice.ts"
import type { StorageError } from "../../storage/Storage.ts"
import type { ObjectReader } from "./Objects.ts"

export type Entry<V> = readonly [key: string, value: V]

export interface Leaf<V> {
  readonly entries: ReadonlyArray<Entry<V>>
}
export interface Branch {
  readonly size: number
  /** Which of the 32 ways are taken, a bit for each. */
  readonly ways: number
  /** The nodes behind the ways that are taken, in order. */
  readonly nodes: ReadonlyArray<ObjectHash>
}
export type Node<V> = Leaf<V> | Branch

export const leafSize = 16
export const groupDepth = 4
/** Two texts of which this many digits agree have the same hash for all we will ever see. */
export const maxDepth = 40

export const isLeaf = <V>(node: Node<V>): node is Leaf<V> => "entries" in node
export const emptyLeaf: Leaf<never> = { entries: [] }
export const sizeOf = <V>(node: Node<V>) => (isLeaf(node) ? node.entries.length : node.size)

export const groupOf = (key: string) => {
  const slash = key.indexOf("/")
  return slash < 0 ? undefined : key.slice(0, slash)
}

export type Path = string

export const groupPath = (reader: ObjectReader, group: string): Path => reader.sha256(group).slice(0, groupDepth)

/** The way to one key. */
export const pathTo = (reader: ObjectReader, key: string): Path => {
  const group = groupOf(key)
  return group === undefined ? reader.sha256(key) : groupPath(reader, group) + reader.sha256(key)
}

/** The ways to keys, remembered for one operation: keys of one group share its hash. */
export const pathsOf = (reader: ObjectReader): ((key: string) => Path) => {
  const groups = new Map<string, Path>()
  const paths = new Map<string, Path>()
  return (key) => {
    const known = paths.get(key)
    if (known !== undefined) return known
    const group = groupOf(key)
    let path = reader.sha256(key)
    if (group !== undefined) {
      const start = groups.get(group) ?? groupPath(reader, group)
      groups.set(group, start)
      path = start + path
    }
    paths.set(key, path)
    return path
  }
}

const digits = new Uint8Array(128)
for (const [i, char] of Array.from("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_").entries()) {
  digits[char.charCodeAt(0)] = i & 31
}
export const digitAt = (path: Path, depth: number): number => digits[path.charCodeAt(depth)]!

const popCount = (bits: number): number => {
  let n = bits - ((bits >>> 1) & 0x55555555)
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333)
  return Math.imul((n + (n >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
export const behind = (branch: Branch, way: number): ObjectHash | null =>
  (branch.ways & (1 << way)) === 0 ? null : branch.nodes[popCount(branch.ways & ((1 << way) - 1))]!

export const byKey = <V>([a]: Entry<V>, [b]: Entry<V>) => (a < b ? -1 : a > b ? 1 : 0)

/** How many nodes are read at once. */
const batchSize = 128

/** The nodes of these hashes, in their order. */
export const readNodes = <V>(
  reader: ObjectReader,
  hashes: ReadonlyArray<ObjectHash>
): Effect.Effect<ReadonlyArray<Node<V>>, StorageError> =>
  hashes.length <= batchSize ? reader.readAll<Node<V>>(hashes) : readBatches(reader, hashes)

const readBatches = Effect.fnUntraced(function* <V>(
  reader: ObjectReader,
  hashes: ReadonlyArray<ObjectHash>
): Effect.fn.Return<ReadonlyArray<Node<V>>, StorageError> {
  const slice = yield* Slice.start
  const nodes: Array<Node<V>> = []
  for (let i = 0; i < hashes.length; i += batchSize) {
    for (const node of yield* reader.readAll<Node<V>>(hashes.slice(i, i + batchSize))) {
      nodes.push(node)
      if (slice.isOver()) yield* slice.pause
    }
  }
  return nodes
})

export const pushTo = <K, A>(parts: Map<K, Array<A>>, key: K, item: A) => {
  const part = parts.get(key)
  if (part === undefined) parts.set(key, [item])
  else part.push(item)
}
