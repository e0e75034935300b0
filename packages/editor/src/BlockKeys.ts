/**
 * Keys of blocks while they are edited. Merges, comments and differences refer to blocks by key, so:
 *
 * - A new block gets a new key.
 * - Of two blocks with one key, the original keeps it: a pasted copy gets a new key, and of a split block the first part
 *   keeps the key. If the split left the first part empty, the second part keeps it, since that is the text.
 * - The same holds for the ids of rows. Cells of a copied row get new fragments.
 *
 * An edit within the text of one block costs nothing here.
 */
import type { Node } from "prosemirror-model"
import { type EditorState, Plugin, type Transaction } from "prosemirror-state"
import { Mapping, ReplaceStep, type Step } from "prosemirror-transform"

/** Attributes that identify a node, each unique in the document. */
const identities = ["key", "id"] as const

interface Place {
  readonly node: Node
  readonly position: number
}

/** `nextKey`: returns a new key. Keys of a document must be unique among all of its versions. */
export const blockKeys = (nextKey: () => string): Plugin =>
  new Plugin({
    appendTransaction: (transactions, before, after) => {
      if (transactions.every(({ steps, docs }) => steps.every((step, i) => isWithinText(step, docs[i]!)))) return null
      return withUniqueKeys(transactions, before, after, nextKey)
    }
  })

/** True if a step replaces text and inlines within one block. */
const isWithinText = (step: Step, before: Node): boolean => {
  if (!(step instanceof ReplaceStep)) return step.getMap().mapResult(0).pos === 0 && isMarkStep(step)
  const { from, to, slice } = step
  if (slice.openStart > 0 || slice.openEnd > 0 || slice.content.content.some(({ isInline }) => !isInline)) return false
  const start = before.resolve(from)
  return start.parent.isTextblock && start.sameParent(before.resolve(to))
}

/** True if a step changes only marks, which have no ranges that move. */
const isMarkStep = (step: Step): boolean => "mark" in step

const withUniqueKeys = (
  transactions: ReadonlyArray<Transaction>,
  before: EditorState,
  after: EditorState,
  nextKey: () => string
): Transaction | null => {
  const { tr } = after
  for (const identity of identities) {
    const places = placesOf(after.doc, identity)
    const repeated = Array.from(places.entries()).filter(([value, { length }]) => value === null || length > 1)
    if (repeated.length === 0) continue
    const mapping = mappingOf(transactions)
    const earlier = placesOf(before.doc, identity)
    for (const [value, each] of repeated) {
      const [first] = value === null ? [] : (earlier.get(value) ?? [])
      const original = value === null ? undefined : originalOf(each, first && mapping.map(first.position, 1))
      for (const place of each) {
        if (place !== original) tr.setNodeAttribute(place.position, identity, nextKey())
      }
    }
  }
  for (const position of copiedCells(tr.doc)) tr.setNodeAttribute(position, "fragment", null)
  return tr.docChanged ? tr.setMeta("addToHistory", false) : null
}

const mappingOf = (transactions: ReadonlyArray<Transaction>): Mapping =>
  transactions.reduce((mapping, { mapping: next }) => (mapping.appendMapping(next), mapping), new Mapping())

/** Returns the nodes with an identity, by its value. Null: nodes that need one. */
const placesOf = (root: Node, identity: (typeof identities)[number]): Map<string | null, Array<Place>> => {
  const places = new Map<string | null, Array<Place>>()
  root.descendants((node, position) => {
    // A fragment may lack a key, and so may a filler that is still empty.
    const isNeeded = node.type.spec.attrs?.[identity] !== undefined && node.type.spec.group !== undefined
    const value: string | null | undefined = node.attrs[identity]
    if (value === undefined || (value === null && !(isNeeded || identity === "id"))) return !node.isTextblock
    if (value === null && (isFragment(node) || isEmptyFiller(node) || isPlainTitle(node, root, position))) return true
    const same = places.get(value)
    if (same === undefined) places.set(value, [{ node, position }])
    else same.push({ node, position })
    return !node.isTextblock
  })
  return places
}

const isFragment = ({ type }: Node): boolean => type.name.includes("/")

const isEmptyFiller = ({ attrs, content }: Node): boolean => attrs["filler"] === true && content.size === 0

/** True if a paragraph is the title of a column without marks, which is not a block. */
const isPlainTitle = (node: Node, root: Node, position: number): boolean => {
  const { parent } = root.resolve(position)
  return node.attrs["filler"] === true && parent.type.name === "table_title" && parent.attrs["fragment"] === null
}

/** Returns the node that keeps an identity. `mapped`: where the node with it was before, if it was there. */
const originalOf = (places: ReadonlyArray<Place>, mapped: number | undefined): Place => {
  const index = Math.max(
    0,
    places.findIndex(({ position }) => position === mapped)
  )
  const [place, next] = [places[index]!, places[index + 1]]
  const isSplitAtStart =
    place.node.isTextblock &&
    place.node.content.size === 0 &&
    next !== undefined &&
    next.position === place.position + place.node.nodeSize
  return isSplitAtStart ? next : place
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
