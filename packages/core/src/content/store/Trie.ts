/**
 * A persistent map from text to JSON: a hash trie of content-addressed objects. Equal entries result in an equal root,
 * in any order of insertion. An edit writes the nodes on one path. A comparison of two maps reads only nodes with
 * different hashes.
 *
 * A node is a leaf if it holds at most 16 entries, otherwise a branch with up to 32 children. The path to a key follows
 * from its SHA-256, so callers cannot craft colliding keys. The text before the first slash of a key is its group. The
 * first four steps of the path follow from the hash of the group, so all keys of a group are in one subtree.
 *
 * Nodes are read level by level, in slices. `TrieUpdate` changes a map, `TrieDifferences` compares two.
 */
import { Effect, Option, Stream } from "effect"
import type { ObjectHash } from "../../storage/ObjectStore.ts"
import { Slice } from "../../storage/Slice.ts"
import type { StorageError } from "../../storage/Storage.ts"
import type { Root } from "../Content.ts"
import type { ObjectReader } from "./Objects.ts"
import {
  childAt,
  byKey,
  digitAt,
  type Entry,
  groupDepth,
  groupOf,
  groupPath,
  isLeaf,
  type Node,
  pathsOf,
  pathTo,
  pushTo,
  readNodes,
  sizeOf
} from "./TrieNode.ts"

export type { Entry } from "./TrieNode.ts"

export const size = (reader: ObjectReader, root: Root): Effect.Effect<number, StorageError> =>
  root === null ? Effect.succeed(0) : Effect.map(reader.read<Node<unknown>>(root), sizeOf)

export const get = Effect.fnUntraced(function* <V>(
  reader: ObjectReader,
  root: Root,
  key: string
): Effect.fn.Return<V | undefined, StorageError> {
  if (root === null) return undefined
  const path = pathTo(reader, key)
  let hash: ObjectHash | null = root
  for (let depth = 0; hash !== null; depth++) {
    const node: Node<V> = yield* reader.read<Node<V>>(hash)
    if (isLeaf(node)) return node.entries.find((entry) => entry[0] === key)?.[1]
    hash = childAt(node, digitAt(path, depth))
  }
  return undefined
})

export const has = (reader: ObjectReader, root: Root, key: string): Effect.Effect<boolean, StorageError> =>
  Effect.map(get(reader, root, key), (value) => value !== undefined)

/** Returns the values of the keys, in the order of the keys. Undefined for a missing key. */
export const getMany = Effect.fnUntraced(function* <V>(
  reader: ObjectReader,
  root: Root,
  keys: ReadonlyArray<string>
): Effect.fn.Return<ReadonlyArray<V | undefined>, StorageError> {
  const values: Array<V | undefined> = Array.from({ length: keys.length })
  if (root === null || keys.length === 0) return values
  if (keys.length === 1) return [yield* get<V>(reader, root, keys[0]!)]
  const slice = yield* Slice.start
  const paths = pathsOf(reader)
  let level: Array<{ readonly hash: ObjectHash; readonly keyIndexes: Array<number> }> = [
    { hash: root, keyIndexes: Array.from(keys.keys()) }
  ]
  for (let depth = 0; level.length > 0; depth++) {
    const nodes = yield* readNodes<V>(
      reader,
      level.map((visit) => visit.hash)
    )
    const next = new Map<ObjectHash, Array<number>>()
    for (const [n, { keyIndexes: requestedIndexes }] of level.entries()) {
      const node = nodes[n]!
      const valuesByKey = isLeaf(node) ? new Map(node.entries) : undefined
      for (const i of requestedIndexes) {
        if (slice.isOver()) yield* slice.pause
        if (isLeaf(node)) {
          values[i] = valuesByKey!.get(keys[i]!)
          continue
        }
        const hash = childAt(node, digitAt(paths(keys[i]!), depth))
        if (hash === null) continue
        pushTo(next, hash, i)
      }
    }
    level = Array.from(next, ([hash, keyIndexes]) => ({ hash, keyIndexes }))
  }
  return values
})

/** Returns all entries below these nodes, unordered. */
export const collect = Effect.fnUntraced(function* <V>(
  reader: ObjectReader,
  hashes: ReadonlyArray<ObjectHash>
): Effect.fn.Return<Array<Entry<V>>, StorageError> {
  const entries: Array<Entry<V>> = []
  let level = hashes
  while (level.length > 0) {
    const next: Array<ObjectHash> = []
    for (const node of yield* readNodes<V>(reader, level)) {
      if (isLeaf(node)) for (const entry of node.entries) entries.push(entry)
      else for (const hash of node.nodes) next.push(hash)
    }
    level = next
  }
  return entries
})

/** Returns all entries, sorted by key. */
export const entries = <V>(reader: ObjectReader, root: Root): Effect.Effect<ReadonlyArray<Entry<V>>, StorageError> =>
  Effect.map(collect<V>(reader, root === null ? [] : [root]), (all) => all.sort(byKey))

/** Returns all values, unordered. */
export const values = <V>(reader: ObjectReader, root: Root): Effect.Effect<ReadonlyArray<V>, StorageError> =>
  Effect.map(collect<V>(reader, root === null ? [] : [root]), (all) => all.map(([, value]) => value))

/**
 * Returns the entries of each group. Their keys are the parts after the first slash. Reads only the subtrees of the
 * groups.
 */
export const entriesOfGroups = Effect.fnUntraced(function* <V>(
  reader: ObjectReader,
  root: Root,
  groups: ReadonlyArray<string>
): Effect.fn.Return<ReadonlyArray<ReadonlyArray<Entry<V>>>, StorageError> {
  const slice = yield* Slice.start
  const entriesByGroup = new Map<string, Array<Entry<V>>>(groups.map((group) => [group, []]))
  const subtrees = new Set<ObjectHash>()
  let level = new Map<ObjectHash, ReadonlyArray<string>>()
  if (root !== null && groups.length > 0)
    level.set(
      root,
      groups.map((group) => groupPath(reader, group))
    )
  for (let depth = 0; level.size > 0; depth++) {
    const hashes = Array.from(level.keys())
    const nodes = yield* readNodes<unknown>(reader, hashes)
    const next = new Map<ObjectHash, Array<string>>()
    for (const [i, node] of nodes.entries()) {
      if (isLeaf(node)) subtrees.add(hashes[i]!)
      else {
        for (const path of level.get(hashes[i]!)!) {
          if (slice.isOver()) yield* slice.pause
          const hash = childAt(node, digitAt(path, depth))
          if (hash === null) continue
          if (depth + 1 === groupDepth) subtrees.add(hash)
          else pushTo(next, hash, path)
        }
      }
    }
    level = next
  }
  for (const [key, value] of yield* collect<V>(reader, Array.from(subtrees))) {
    const group = groupOf(key)
    if (group !== undefined) entriesByGroup.get(group)?.push([key.slice(group.length + 1), value])
  }
  return groups.map((group) => entriesByGroup.get(group)!.sort(byKey))
})

/** Returns the entries of one group. */
export const entriesOfGroup = <V>(
  reader: ObjectReader,
  root: Root,
  group: string
): Effect.Effect<ReadonlyArray<Entry<V>>, StorageError> =>
  Effect.map(entriesOfGroups<V>(reader, root, [group]), (entryLists) => entryLists[0]!)

/**
 * Returns the hashes of all nodes below these roots, in slices of limited size. With `refs`, also the hashes that the
 * values refer to. `skip` returns true for nodes that were visited before, so that shared parts of several revisions
 * are visited once.
 */
export const reachable = <V>(
  reader: ObjectReader,
  roots: ReadonlyArray<Root>,
  options: {
    readonly skip?: (hash: ObjectHash) => boolean
    readonly refs?: (value: V) => ReadonlyArray<ObjectHash>
  } = {}
): Stream.Stream<ObjectHash, StorageError> => {
  const isUnvisited = (hash: Root): hash is ObjectHash => hash !== null && !(options.skip?.(hash) ?? false)
  const step = Effect.fnUntraced(function* (pending: Array<ObjectHash>) {
    const slice = pending.splice(-sliceSize)
    const sliceHashes = [...slice]
    for (const node of yield* readNodes<V>(reader, slice)) {
      if (!isLeaf(node)) pending.push(...node.nodes.filter(isUnvisited))
      else if (options.refs !== undefined)
        for (const [, value] of node.entries) sliceHashes.push(...options.refs(value))
    }
    return [sliceHashes, pending.length === 0 ? Option.none<Array<ObjectHash>>() : Option.some(pending)] as const
  })
  return Stream.suspend(() => Stream.paginate(roots.filter(isUnvisited), step))
}

/** Number of nodes that `reachable` reads at once. */
const sliceSize = 256
