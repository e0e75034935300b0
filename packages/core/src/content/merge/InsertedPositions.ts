/**
 * Positions of pages that one side inserted if the other side moved their siblings. An inserted page comes directly
 * after the sibling that it was inserted after, or first. A page that was appended stays last if the other side
 * changed which page is last. If both sides inserted after one page, main's pages come first.
 *
 * The children of a parent are read only if one side inserted and the other moved pages below the parent.
 */
import { Effect } from "effect"
import { generateKeyBetween } from "fractional-indexing"
import type { StorageError } from "../../storage/Storage.ts"
import * as ContentReader from "../ContentReader.ts"
import { type PageEntry, PageId } from "../pages/Page.ts"
import type { ObjectDraft } from "../store/Objects.ts"
import { differs, type Versions } from "./EntryMerge.ts"
import type { MergeSides } from "./ContentMerge.ts"
import { maxPositionLength } from "../pages/Siblings.ts"
import { positionGroup } from "./PageMerge.ts"

type Parent = string | null

/** Sets new positions in `pages`, the merged entries of all pages that either side changed. */
export const placeInserted = Effect.fnUntraced(function* (
  draft: ObjectDraft,
  { main, ours }: MergeSides,
  changedPages: ReadonlyMap<string, Versions<PageEntry>>,
  pages: Map<string, PageEntry | undefined>
): Effect.fn.Return<void, StorageError> {
  const readers = { main: ContentReader.make(draft, main), ours: ContentReader.make(draft, ours) }
  /** Pages that a side inserted, by parent. */
  const insertedByParent = { main: new Map<Parent, Set<string>>(), ours: new Map<Parent, Set<string>>() }
  /** Parents whose children a side moved. */
  const reorderedParents = { main: new Set<Parent>(), ours: new Set<Parent>() }
  for (const [id, { base, main, ours }] of changedPages) {
    const page = pages.get(id)
    for (const [side, entry, other] of [
      ["main", main, ours],
      ["ours", ours, main]
    ] as const) {
      if (entry === undefined) continue
      if (base !== undefined && differs(base, entry, positionGroup)) reorderedParents[side].add(entry.parent)
      if (base !== undefined || other !== undefined || page?.parent !== entry.parent) continue
      const insertedIds = insertedByParent[side].get(entry.parent) ?? new Set()
      insertedByParent[side].set(entry.parent, insertedIds.add(id))
    }
  }
  // Pages of ours are placed first, so that main's pages come between them and their sibling.
  for (const [side, other] of [
    ["ours", "main"],
    ["main", "ours"]
  ] as const) {
    for (const [parent, ids] of insertedByParent[side]) {
      if (!reorderedParents[other].has(parent)) continue
      const [sideChildren, otherChildren] = [
        yield* readers[side].children(parent),
        yield* readers[other].children(parent)
      ]
      const positions = mergedChildren(parent, [...otherChildren, ...sideChildren], pages)
      const order = Array.from(positions, ([id, position]) => ({ id: PageId.make(id), position }))
        .filter(({ id }) => !ids.has(id))
        .sort(ContentReader.byPosition)
      const next = new Map(order.map(({ position }, i) => [position, order[i + 1]?.position]))
      const appendedFrom = sideChildren.findLastIndex(({ id }) => !ids.has(id)) + 1
      const staysLast = lastCommonChild(sideChildren, otherChildren) !== lastCommonChild(otherChildren, sideChildren)
      const isPlacedLater = (id: string) => side === "main" && insertedByParent.ours.get(parent)?.has(id) === true
      let last: string | null = null
      let end = order.findLast(({ id }) => !isPlacedLater(id))?.position ?? null
      for (const [i, { id }] of sideChildren.entries()) {
        if (i === appendedFrom && staysLast) last = end
        const page = pages.get(id)
        if (ids.has(id) && page !== undefined) {
          const nextPosition: string | undefined = last === null ? order[0]?.position : next.get(last)
          const position: string = positionBetween(last, nextPosition) ?? page.position
          pages.set(id, { ...page, position })
          next.set(position, nextPosition)
          if (last !== null) next.set(last, position)
          if (last === end) end = position
          last = position
        } else if (positions.has(id)) last = positions.get(id)!
      }
    }
  }
})

/** Returns the id of the last child that is also one of the other side's children. */
const lastCommonChild = (
  children: ReadonlyArray<{ readonly id: string }>,
  otherChildren: ReadonlyArray<{ readonly id: string }>
) => {
  const ids = new Set(otherChildren.map(({ id }) => id))
  return children.findLast(({ id }) => ids.has(id))?.id
}

/**
 * Returns a position between two siblings. Undefined if no position is left, so that the editor rebalances the
 * positions.
 */
const positionBetween = (before: string | null, after: string | undefined): string | undefined => {
  if (before !== null && after !== undefined && before >= after) return undefined
  const position = generateKeyBetween(before, after ?? null)
  return position.length > maxPositionLength ? undefined : position
}

/** Returns the positions of the pages below a parent after the merge, by id. */
const mergedChildren = (
  parent: Parent,
  sideChildren: ReadonlyArray<ContentReader.ChildEntry>,
  pages: ReadonlyMap<string, PageEntry | undefined>
): ReadonlyMap<string, string> => {
  const positions = new Map(sideChildren.map(({ id, position }) => [id as string, position]))
  for (const [id, page] of pages) {
    if (page?.parent === parent) positions.set(id, page.position)
    else positions.delete(id)
  }
  return positions
}
