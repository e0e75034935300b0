/**
 * A persistent map from text to JSON: a hash trie of content-addressed objects. The same entries
 * give the same root whatever the order they came in, an edit writes the nodes on one path, and
 * two maps are compared by visiting only where their hashes differ.
 *
 * A node is a leaf while it holds at most 16 entries, else a branch of up to 32 ways. The way to a
 * key follows from its SHA-256, so nobody can craft keys that collide. What stands before the
 * first slash of a key is its group: the first four ways follow from the group's hash, so all keys
 * of a group lie in one subtree.
 *
 * Nodes are read level by level, with one batch for each level.
 */
import { Effect, Equal, Option, Stream } from "effect"
import type { ObjectHash } from "../storage/ObjectStore.ts"
import type { StorageError } from "../storage/Storage.ts"
import type { Root } from "./Content.ts"
import type { ObjectDraft, ObjectReader } from "./Objects.ts"
import {
  behind,
  type Branch,
  byKey,
  digitAt,
  emptyLeaf,
  type Entry,
  groupDepth,
  groupOf,
  groupPath,
  isLeaf,
  type Leaf,
  leafSize,
  maxDepth,
  type Node,
  type Path,
  pathsOf,
  readNodes,
  sizeOf
} from "./TrieNode.ts"

export type { Entry } from "./TrieNode.ts"

export interface Difference<V> {
  readonly key: string
  readonly before: V | undefined
  readonly after: V | undefined
}

export const size = (reader: ObjectReader, root: Root): Effect.Effect<number, StorageError> =>
  root === null ? Effect.succeed(0) : Effect.map(reader.read<Node<unknown>>(root), sizeOf)

export const get = Effect.fnUntraced(function* <V>(reader: ObjectReader, root: Root, key: string) {
  if (root === null) return undefined
  const path = pathsOf(reader)(key)
  let hash: ObjectHash | null = root
  for (let depth = 0; hash !== null; depth++) {
    const node: Node<V> = yield* reader.read<Node<V>>(hash)
    if (isLeaf(node)) return node.entries.find((entry) => entry[0] === key)?.[1]
    hash = behind(node, digitAt(path, depth))
  }
  return undefined
}) as <V>(reader: ObjectReader, root: Root, key: string) => Effect.Effect<V | undefined, StorageError>

export const has = (reader: ObjectReader, root: Root, key: string): Effect.Effect<boolean, StorageError> =>
  Effect.map(get(reader, root, key), (value) => value !== undefined)

/** The values of the keys in their order, undefined where there is none. */
export const getMany = Effect.fnUntraced(function* (reader: ObjectReader, root: Root, keys: ReadonlyArray<string>) {
  const values: Array<unknown> = Array.from({ length: keys.length })
  if (root === null || keys.length === 0) return values
  const paths = pathsOf(reader)
  let level: Array<{ readonly hash: ObjectHash; readonly wanted: Array<number> }> = [
    { hash: root, wanted: Array.from(keys.keys()) }
  ]
  for (let depth = 0; level.length > 0; depth++) {
    const nodes = yield* readNodes<unknown>(
      reader,
      level.map((visit) => visit.hash)
    )
    const next = new Map<ObjectHash, Array<number>>()
    for (const [n, { wanted }] of level.entries()) {
      const node = nodes[n]!
      const found = isLeaf(node) ? new Map(node.entries) : undefined
      for (const i of wanted) {
        if (isLeaf(node)) {
          values[i] = found!.get(keys[i]!)
          continue
        }
        const hash = behind(node, digitAt(paths(keys[i]!), depth))
        if (hash === null) continue
        const others = next.get(hash)
        if (others === undefined) next.set(hash, [i])
        else others.push(i)
      }
    }
    level = Array.from(next, ([hash, wanted]) => ({ hash, wanted }))
  }
  return values
}) as <V>(
  reader: ObjectReader,
  root: Root,
  keys: ReadonlyArray<string>
) => Effect.Effect<ReadonlyArray<V | undefined>, StorageError>

/** Every entry below these nodes, in no order. */
const collect = Effect.fnUntraced(function* <V>(reader: ObjectReader, hashes: ReadonlyArray<ObjectHash>) {
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
}) as <V>(reader: ObjectReader, hashes: ReadonlyArray<ObjectHash>) => Effect.Effect<Array<Entry<V>>, StorageError>

/** Every entry, by key. */
export const entries = <V>(reader: ObjectReader, root: Root): Effect.Effect<ReadonlyArray<Entry<V>>, StorageError> =>
  Effect.map(collect<V>(reader, root === null ? [] : [root]), (all) => all.sort(byKey))

/** Every value, in no order. */
export const values = <V>(reader: ObjectReader, root: Root): Effect.Effect<ReadonlyArray<V>, StorageError> =>
  Effect.map(collect<V>(reader, root === null ? [] : [root]), (all) => all.map(([, value]) => value))

/** For each group its entries by what stands behind the slash; reads the groups' subtrees alone. */
export const withinEach = Effect.fnUntraced(function* (
  reader: ObjectReader,
  root: Root,
  groups: ReadonlyArray<string>
) {
  const found = new Map<string, Array<Entry<unknown>>>(groups.map((group) => [group, []]))
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
          const hash = behind(node, digitAt(path, depth))
          if (hash === null) continue
          if (depth + 1 === groupDepth) subtrees.add(hash)
          else pushTo(next, hash, path)
        }
      }
    }
    level = next
  }
  for (const [key, value] of yield* collect<unknown>(reader, Array.from(subtrees))) {
    const group = groupOf(key)
    if (group !== undefined) found.get(group)?.push([key.slice(group.length + 1), value])
  }
  return groups.map((group) => found.get(group)!.sort(byKey))
}) as <V>(
  reader: ObjectReader,
  root: Root,
  groups: ReadonlyArray<string>
) => Effect.Effect<ReadonlyArray<ReadonlyArray<Entry<V>>>, StorageError>

/** The entries of one group. */
export const within = <V>(
  reader: ObjectReader,
  root: Root,
  group: string
): Effect.Effect<ReadonlyArray<Entry<V>>, StorageError> =>
  Effect.map(withinEach<V>(reader, root, [group]), (found) => found[0]!)

/** What `update` does at one node. */
interface Visit {
  readonly hash: Root
  readonly depth: number
  readonly changes: ReadonlyArray<Entry<unknown>>
  readonly inner: Map<number, Visit>
  node: Node<unknown>
  after: Subtree
}

/** A map that is not a node yet: a small one is kept in hand until its parent stays a branch. */
type Subtree =
  | { readonly size: number; readonly entries: ReadonlyArray<Entry<unknown>> }
  | { readonly size: number; readonly hash: ObjectHash }

const nothing: Subtree = { size: 0, entries: [] }

const store = (draft: ObjectDraft, subtree: Subtree): ObjectHash =>
  "hash" in subtree ? subtree.hash : draft.write({ entries: subtree.entries.toSorted(byKey) } satisfies Leaf<unknown>)

const branch = (draft: ObjectDraft, total: number, ways: ReadonlyMap<number, ObjectHash>): Subtree => {
  let bits = 0
  const nodes: Array<ObjectHash> = []
  for (let way = 0; way < 32; way++) {
    const hash = ways.get(way)
    if (hash === undefined) continue
    bits |= 1 << way
    nodes.push(hash)
  }
  return { size: total, hash: draft.write({ size: total, ways: bits >>> 0, nodes } satisfies Branch) }
}

/** A subtree of these entries. Its depth is bounded, since no path is longer than `maxDepth`. */
const grow = (
  draft: ObjectDraft,
  paths: (key: string) => Path,
  all: ReadonlyArray<Entry<unknown>>,
  depth: number
): Subtree => {
  if (all.length <= leafSize || depth >= maxDepth) return { size: all.length, entries: all }
  const parts = new Map<number, Array<Entry<unknown>>>()
  for (const entry of all) pushTo(parts, digitAt(paths(entry[0]), depth), entry)
  const ways = new Map<number, ObjectHash>()
  for (const [way, part] of parts) ways.set(way, store(draft, grow(draft, paths, part, depth + 1)))
  return branch(draft, all.length, ways)
}

const pushTo = <K, A>(parts: Map<K, Array<A>>, key: K, item: A) => {
  const part = parts.get(key)
  if (part === undefined) parts.set(key, [item])
  else part.push(item)
}

/** Sets every key of `changes` to its value, removes those whose value is undefined; gives the new root. */
export const update = Effect.fnUntraced(function* (
  draft: ObjectDraft,
  root: Root,
  changes: ReadonlyMap<string, unknown>
) {
  if (changes.size === 0) return root
  const paths = pathsOf(draft)
  const visitOf = (hash: Root, depth: number, part: ReadonlyArray<Entry<unknown>>): Visit => ({
    hash,
    depth,
    changes: part,
    inner: new Map(),
    node: emptyLeaf,
    after: nothing
  })
  const top = visitOf(root, 0, Array.from(changes))
  const visits: Array<Visit> = []
  let level: Array<Visit> = [top]
  while (level.length > 0) {
    const there = level.filter((visit) => visit.hash !== null)
    const nodes = yield* readNodes<unknown>(
      draft,
      there.map((visit) => visit.hash!)
    )
    for (const [i, visit] of there.entries()) visit.node = nodes[i]!
    const next: Array<Visit> = []
    for (const visit of level) {
      visits.push(visit)
      const { node } = visit
      if (isLeaf(node)) continue
      const parts = new Map<number, Array<Entry<unknown>>>()
      for (const change of visit.changes) pushTo(parts, digitAt(paths(change[0]), visit.depth), change)
      for (const [way, part] of parts) {
        const inner = visitOf(behind(node, way), visit.depth + 1, part)
        visit.inner.set(way, inner)
        next.push(inner)
      }
    }
    level = next
  }
  for (let i = visits.length - 1; i >= 0; i--) {
    const visit = visits[i]!
    const { node } = visit
    if (isLeaf(node)) {
      const all = new Map(node.entries)
      for (const [key, value] of visit.changes) {
        if (value === undefined) all.delete(key)
        else all.set(key, value)
      }
      visit.after = grow(draft, paths, Array.from(all), visit.depth)
      continue
    }
    let total = node.size
    for (const inner of visit.inner.values()) total += inner.after.size - sizeOf(inner.node)
    const untouched: Array<ObjectHash> = []
    const ways = new Map<number, ObjectHash>()
    const small: Array<Entry<unknown>> = []
    for (let way = 0; way < 32; way++) {
      const inner = visit.inner.get(way)
      const hash = behind(node, way)
      if (inner === undefined) {
        if (hash === null) continue
        if (total > leafSize) ways.set(way, hash)
        else untouched.push(hash)
      } else if (inner.after.size > 0) {
        if (total > leafSize) ways.set(way, store(draft, inner.after))
        else if ("entries" in inner.after) small.push(...inner.after.entries)
      }
    }
    visit.after =
      total > leafSize
        ? branch(draft, total, ways)
        : { size: total, entries: small.concat(yield* collect(draft, untouched)) }
  }
  return top.after.size === 0 ? null : store(draft, top.after)
}) as <V>(
  draft: ObjectDraft,
  root: Root,
  changes: ReadonlyMap<string, V | undefined>
) => Effect.Effect<Root, StorageError>

/** What differs between two maps, by key. Where their nodes have the same hash nothing is read. */
export const diff = Effect.fnUntraced(function* (reader: ObjectReader, before: Root, after: Root) {
  const left: Array<ObjectHash> = []
  const right: Array<ObjectHash> = []
  let level: Array<readonly [Root, Root]> = before === after ? [] : [[before, after]]
  while (level.length > 0) {
    const pairs: Array<readonly [ObjectHash, ObjectHash]> = []
    for (const [a, b] of level) {
      if (a !== null && b !== null) pairs.push([a, b])
      else if (a !== null) left.push(a)
      else if (b !== null) right.push(b)
    }
    const nodes = yield* readNodes<unknown>(reader, pairs.flat())
    const next: Array<readonly [Root, Root]> = []
    for (const [i, [a, b]] of pairs.entries()) {
      const one = nodes[2 * i]!
      const two = nodes[2 * i + 1]!
      if (isLeaf(one) || isLeaf(two)) {
        left.push(a)
        right.push(b)
        continue
      }
      for (let way = 0; way < 32; way++) {
        const pair = [behind(one, way), behind(two, way)] as const
        if (pair[0] !== pair[1]) next.push(pair)
      }
    }
    level = next
  }
  const values = new Map(yield* collect<unknown>(reader, left))
  const differences: Array<Difference<unknown>> = []
  for (const [key, value] of yield* collect<unknown>(reader, right)) {
    const old = values.get(key)
    values.delete(key)
    if (!Equal.equals(old, value)) differences.push({ key, before: old, after: value })
  }
  for (const [key, value] of values) differences.push({ key, before: value, after: undefined })
  return differences.sort((a, b) => (a.key < b.key ? -1 : 1))
}) as <V>(reader: ObjectReader, before: Root, after: Root) => Effect.Effect<ReadonlyArray<Difference<V>>, StorageError>

/**
 * The hashes of all nodes below these roots, and with `refs` those the values refer to, in slices
 * of bounded size. `skip` says which nodes were seen before, so that what revisions share is
 * walked once.
 */
export const reachable = <V>(
  reader: ObjectReader,
  roots: ReadonlyArray<Root>,
  options: {
    readonly skip?: (hash: ObjectHash) => boolean
    readonly refs?: (value: V) => ReadonlyArray<ObjectHash>
  } = {}
): Stream.Stream<ObjectHash, StorageError> => {
  const unseen = (hash: Root): hash is ObjectHash => hash !== null && !(options.skip?.(hash) ?? false)
  const step = Effect.fnUntraced(function* (pending: Array<ObjectHash>) {
    const slice = pending.splice(-sliceSize)
    const found = [...slice]
    for (const node of yield* readNodes<V>(reader, slice)) {
      if (!isLeaf(node)) pending.push(...node.nodes.filter(unseen))
      else if (options.refs !== undefined) for (const [, value] of node.entries) found.push(...options.refs(value))
    }
    return [found, pending.length === 0 ? Option.none<Array<ObjectHash>>() : Option.some(pending)] as const
  })
  return Stream.suspend(() => Stream.paginate(roots.filter(unseen), step))
}

/** How many nodes `reachable` reads at once. */
const sliceSize = 256
