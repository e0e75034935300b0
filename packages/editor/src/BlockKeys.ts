/**
 * Keys of blocks while they are edited. Merges, comments and differences refer to blocks by key, so:
 *
 * - A new block gets a new key.
 * - Of two blocks with one key, the original keeps it: a pasted copy gets a new key, and of a split block the first part
 *   keeps the key. If the split left the first part empty, the second part keeps it, since that is the text.
 * - Ids of rows follow these rules, too. Cells of a copied row get new fragments.
 *
 * An edit within the text of one block costs nothing here. A key is never given while text is composed by an input
 * method, since the browser would lose the composition: a filler has its key before its first text.
 */
import type { Node } from "prosemirror-model"
import type { Transaction } from "prosemirror-state"
import { ReplaceStep, type Step } from "prosemirror-transform"

/** Attributes that identify a node, each unique in the document. */
const identities = ["key", "id"] as const

interface PositionedNode {
  readonly node: Node
  readonly position: number
}

/**
 * Adds the keys that are missing after a transaction to the transaction, so that both are undone together.
 *
 * @param nextKey Returns a new key. Keys of a document must be unique among all of its versions.
 */
export const giveKeys = (tr: Transaction, nextKey: () => string): Transaction =>
  tr.steps.every((step, i) => isWithinText(step, tr.docs[i]!)) ? tr : giveAllKeys(tr, nextKey)

/** True if a step replaces text and inlines within one block, or changes only a mark. */
const isWithinText = (step: Step, before: Node): boolean => {
  if (!(step instanceof ReplaceStep)) return "mark" in step
  const { from, to, slice } = step
  if (slice.openStart > 0 || slice.openEnd > 0 || slice.content.content.some(({ isInline }) => !isInline)) return false
  const start = before.resolve(from)
  return start.parent.isTextblock && start.sameParent(before.resolve(to))
}

/** Adds keys to all nodes that need one, such as to the filler of an empty document. */
export const giveAllKeys = (tr: Transaction, nextKey: () => string): Transaction => {
  const { before, mapping } = tr
  const edits = tr.steps.length
  for (const identity of identities) {
    const nodes = nodesOf(tr.doc, identity)
    const repeated = Array.from(nodes.entries()).filter(([value, { length }]) => value === null || length > 1)
    if (repeated.length === 0) continue
    const earlier = nodesOf(before, identity)
    for (const [value, candidates] of repeated) {
      const [first] = value === null ? [] : (earlier.get(value) ?? [])
      const mapped = first && mapping.slice(0, edits).map(first.position, 1)
      const original = value === null ? undefined : originalOf(candidates, mapped)
      for (const candidate of candidates) {
        if (candidate !== original) tr.setNodeAttribute(candidate.position, identity, nextKey())
      }
    }
  }
  for (const position of copiedCells(tr.doc)) tr.setNodeAttribute(position, "fragment", null)
  return tr
}

/** Returns the nodes with an identity, by its value. Null: nodes that need one. */
const nodesOf = (root: Node, identity: (typeof identities)[number]): Map<string | null, Array<PositionedNode>> => {
  const nodes = new Map<string | null, Array<PositionedNode>>()
  root.descendants((node, position) => {
    // A fragment may lack a key.
    const isNeeded = node.type.spec.attrs?.[identity] !== undefined && node.type.spec.group !== undefined
    const value: string | null | undefined = node.attrs[identity]
    if (value === undefined || (value === null && !(isNeeded || identity === "id"))) return !node.isTextblock
    if (value === null && (isFragment(node) || isPlainTitle(node, root, position))) return true
    const same = nodes.get(value)
    if (same === undefined) nodes.set(value, [{ node, position }])
    else same.push({ node, position })
    return !node.isTextblock
  })
  return nodes
}

const isFragment = ({ type }: Node): boolean => type.name.includes("/")

/** True if a paragraph is the title of a column without marks, which is not a block. */
const isPlainTitle = (node: Node, root: Node, position: number): boolean => {
  const { parent } = root.resolve(position)
  return node.attrs["filler"] === true && parent.type.name === "table_title" && parent.attrs["fragment"] === null
}

/** Returns the node that keeps an identity. `mapped`: mapped position of the node that had it before, if any. */
const originalOf = (candidates: ReadonlyArray<PositionedNode>, mapped: number | undefined): PositionedNode => {
  const index = Math.max(
    0,
    candidates.findIndex(({ position }) => position === mapped)
  )
  const [candidate, next] = [candidates[index]!, candidates[index + 1]]
  const isSplitAtStart =
    candidate.node.isTextblock &&
    candidate.node.content.size === 0 &&
    next !== undefined &&
    next.position === candidate.position + candidate.node.nodeSize
  return isSplitAtStart ? next : candidate
}

/** Returns the positions of cells whose fragment belongs to an earlier cell of their table, last first. */
const copiedCells = (root: Node): ReadonlyArray<number> => {
  const found: Array<number> = []
  root.descendants((node, position) => {
    if (node.type.name !== "table") return !node.isTextblock
    const taken = new Set<string>()
    node.descendants((cell, offset) => {
      const fragment: unknown = cell.attrs["fragment"]
      if (typeof fragment !== "string") return true
      if (taken.has(fragment)) found.push(position + 1 + offset)
      taken.add(fragment)
      return true
    })
    return true
  })
  return found.reverse()
}
