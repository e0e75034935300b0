/**
 * Changes a `Trie`. The update reads the paths of the changes level by level, then writes each changed node from the
 * bottom up. The cost is proportional to the number of changes, and the work is done in slices.
 */
import { Effect } from "effect"
import type { ObjectHash } from "../../storage/ObjectStore.ts"
import { Slice } from "../../storage/Slice.ts"
import type { StorageError } from "../../storage/Storage.ts"
import type { Root } from "../Content.ts"
import type { ObjectDraft } from "./Objects.ts"
import {
  childAt,
  type Branch,
  byKey,
  digitAt,
  emptyLeaf,
  type Entry,
  isLeaf,
  type Leaf,
  leafSize,
  maxDepth,
  type Node,
  pathsOf,
  pushTo,
  readNodes,
  sizeOf
} from "./TrieNode.ts"
import { collect } from "./Trie.ts"

/** Changes of one node. */
interface Visit {
  readonly hash: Root
  readonly depth: number
  readonly changes: ReadonlyArray<Entry<unknown>>
  readonly inner: Map<number, Visit>
  node: Node<unknown>
  /** Number of entries before the update. */
  before: number
  after: Subtree
}

/**
 * An updated part of a map: a written node, or a few entries. Entries are written as a leaf only if their parent
 * becomes a branch.
 */
type Subtree =
  | { readonly size: number; readonly entries: ReadonlyArray<Entry<unknown>> }
  | { readonly size: number; readonly hash: ObjectHash }

const emptySubtree: Subtree = { size: 0, entries: [] }
const emptyBranch: Branch = { size: 0, ways: 0, nodes: [] }

const visitOf = (hash: Root, depth: number, changes: ReadonlyArray<Entry<unknown>>): Visit => ({
  hash,
  depth,
  changes,
  inner: new Map(),
  node: emptyLeaf,
  before: 0,
  after: emptySubtree
})

const store = (draft: ObjectDraft, subtree: Subtree): ObjectHash =>
  "hash" in subtree ? subtree.hash : draft.write({ entries: subtree.entries.toSorted(byKey) } satisfies Leaf<unknown>)

const storeBranch = (draft: ObjectDraft, size: number, children: ReadonlyMap<number, ObjectHash>): Subtree => {
  let childBits = 0
  const nodes: Array<ObjectHash> = []
  for (let slot = 0; slot < 32; slot++) {
    const hash = children.get(slot)
    if (hash === undefined) continue
    childBits |= 1 << slot
    nodes.push(hash)
  }
  return { size, hash: draft.write({ size, ways: childBits >>> 0, nodes } satisfies Branch) }
}

/** Returns the root after setting every key of `changes` to its value. An undefined value removes the key. */
export const update = Effect.fnUntraced(function* <V>(
  draft: ObjectDraft,
  root: Root,
  changes: ReadonlyMap<string, V | undefined>
): Effect.fn.Return<Root, StorageError> {
  if (changes.size === 0) return root
  const slice = yield* Slice.start
  const paths = pathsOf(draft)
  const top = visitOf(root, 0, Array.from(changes))
  const visits: Array<Visit> = []
  for (let level = [top]; level.length > 0;) {
    const storedVisits = level.filter((visit) => visit.hash !== null)
    const nodes = yield* readNodes<unknown>(
      draft,
      storedVisits.map((visit) => visit.hash!)
    )
    for (const [i, visit] of storedVisits.entries()) {
      visit.node = nodes[i]!
      visit.before = sizeOf(visit.node)
    }
    const next: Array<Visit> = []
    for (const visit of level) {
      visits.push(visit)
      const childChanges = isLeaf(visit.node) ? changeLeaf(visit, visit.node) : visit.changes
      const parts = new Map<number, Array<Entry<unknown>>>()
      for (const change of childChanges) {
        pushTo(parts, digitAt(paths(change[0]), visit.depth), change)
        if (slice.isOver()) yield* slice.pause
      }
      for (const [childIndex, part] of parts) {
        const inner = visitOf(isLeaf(visit.node) ? null : childAt(visit.node, childIndex), visit.depth + 1, part)
        visit.inner.set(childIndex, inner)
        next.push(inner)
      }
      if (slice.isOver()) yield* slice.pause
    }
    level = next
  }
  for (const visit of visits.reverse()) {
    if (!isLeaf(visit.node)) visit.after = yield* changeBranch(draft, visit, visit.node)
    if (slice.isOver()) yield* slice.pause
  }
  return top.after.size === 0 ? null : store(draft, top.after)
})

/**
 * Changes the entries of a leaf. If they become too many, the leaf turns into a branch, and its entries are returned
 * for the next level.
 */
const changeLeaf = (visit: Visit, { entries }: Leaf<unknown>): ReadonlyArray<Entry<unknown>> => {
  const all = entries.length === 0 ? visit.changes.filter(isSet) : changed(entries, visit.changes)
  if (all.length > leafSize && visit.depth < maxDepth) {
    visit.node = emptyBranch
    return all
  }
  visit.after = { size: all.length, entries: all }
  return []
}

const isSet = ([, value]: Entry<unknown>): boolean => value !== undefined

const changed = (entries: ReadonlyArray<Entry<unknown>>, changes: ReadonlyArray<Entry<unknown>>) => {
  const all = new Map(entries)
  for (const [key, value] of changes) {
    if (value === undefined) all.delete(key)
    else all.set(key, value)
  }
  return Array.from(all)
}

/**
 * Returns a branch after the visits of its children. If few entries are left, they are returned instead of a branch.
 */
const changeBranch = Effect.fnUntraced(function* (
  draft: ObjectDraft,
  { inner }: Visit,
  node: Branch
): Effect.fn.Return<Subtree, StorageError> {
  let total = node.size
  for (const visit of inner.values()) total += visit.after.size - visit.before
  const untouched: Array<ObjectHash> = []
  const hashByIndex = new Map<number, ObjectHash>()
  const small: Array<Entry<unknown>> = []
  for (let slot = 0; slot < 32; slot++) {
    const visit = inner.get(slot)
    const hash = childAt(node, slot)
    if (visit === undefined) {
      if (hash === null) continue
      if (total > leafSize) hashByIndex.set(slot, hash)
      else untouched.push(hash)
    } else if (visit.after.size > 0) {
      if (total > leafSize) hashByIndex.set(slot, store(draft, visit.after))
      else if ("entries" in visit.after) small.push(...visit.after.entries)
    }
  }
  if (total > leafSize) return storeBranch(draft, total, hashByIndex)
  return { size: total, entries: small.concat(yield* collect(draft, untouched)) }
})
