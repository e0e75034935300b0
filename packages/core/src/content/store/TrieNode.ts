/**
 * The nodes of a `Trie`, and the paths of its keys.
 *
 * Each digit of a path selects a child at one level: 5 bits of the SHA-256 of the key. The path of a key with a group
 * starts with four digits of the hash of the group.
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
  /** Bit set of the children that exist, out of 32. */
  readonly ways: number
  /** Hashes of the existing children, in order. */
  readonly nodes: ReadonlyArray<ObjectHash>
}
export type Node<V> = Leaf<V> | Branch

export const leafSize = 16
export const groupDepth = 4
/**
 * Maximum depth. Paths with this many equal digits are treated as equal, since different texts with such hashes do not
 * occur in practice.
 */
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

/** Returns the path to a key. */
export const pathTo = (reader: ObjectReader, key: string): Path => {
  const group = groupOf(key)
  return group === undefined ? reader.sha256(key) : groupPath(reader, group) + reader.sha256(key)
}

/** Returns a function that computes paths and caches them for one operation. Keys of a group share its hash. */
export const pathsOf = (reader: ObjectReader): ((key: string) => Path) => {
  const groups = new Map<string, Path>()
  const paths = new Map<string, Path>()
  return (key) => {
    const cachedPath = paths.get(key)
    if (cachedPath !== undefined) return cachedPath
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
export const childAt = (branch: Branch, slot: number): ObjectHash | null =>
  (branch.ways & (1 << slot)) === 0 ? null : branch.nodes[popCount(branch.ways & ((1 << slot) - 1))]!

export const byKey = <V>([a]: Entry<V>, [b]: Entry<V>) => (a < b ? -1 : a > b ? 1 : 0)

/** Number of nodes that are read at once. */
const batchSize = 128

/** Returns the nodes with these hashes, in order. */
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
