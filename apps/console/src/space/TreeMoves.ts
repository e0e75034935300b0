/** Moves of pages in the tree, as data: changes for the API, in the order in which they are applied. */
import { canHaveChildren, childrenOf, findPage, siblingsIn, topmostPages, type TreeItem } from "./PageTree.ts"
import type { TreePosition } from "./TreeRows.ts"

/** Position to which a page moves: its parent, and its index there without the page itself. */
export interface Move {
  readonly page: string
  readonly into: string | null
  readonly at: number
}

export type Direction = "up" | "down" | "in" | "out"

/** Returns true if pages can be at a position: not in a link, and not in one of themselves. */
export const canMoveTo = <Item extends TreeItem<Item>>(
  pages: ReadonlyArray<Item>,
  ids: ReadonlySet<string>,
  { into }: TreePosition
): boolean => {
  if (into === null) return true
  const parent = findPage(pages, into)
  return (
    parent !== undefined &&
    canHaveChildren(parent.page) &&
    !ids.has(into) &&
    !parent.parents.some(({ id }) => ids.has(id))
  )
}

/**
 * Returns the moves of pages to a position, next to each other in the order of the tree. Pages below another one of
 * them move with it. Empty if no page would move, or the position is below one of them.
 */
export const movesTo = <Item extends TreeItem<Item>>(
  pages: ReadonlyArray<Item>,
  ids: ReadonlySet<string>,
  position: TreePosition
): ReadonlyArray<Move> => {
  if (!canMoveTo(pages, ids, position)) return []
  const { into, at } = position
  const siblings = siblingsIn(pages, into)
  const moved = topmostPages(pages, ids)
  const movedIds = new Set(moved.map(({ page }) => page.id))
  /** First sibling after the position that stays. */
  let anchor = at
  while (anchor < siblings.length && movedIds.has(siblings[anchor]!.id)) anchor++
  const moves: Array<Move> = []
  let end = anchor
  /** Number of moved siblings from before the anchor, and of pages from elsewhere. */
  let fromBefore = 0
  let fromElsewhere = 0
  for (const { index, page, parents } of moved) {
    const isSibling = (parents.at(-1)?.id ?? null) === into
    const isBefore = isSibling && index < anchor
    const target = isBefore ? end - 1 : end
    const current = isBefore ? index - fromBefore : index + fromElsewhere
    if (!isSibling || current !== target) moves.push({ page: page.id, into, at: target })
    if (isBefore) fromBefore++
    else {
      end++
      if (!isSibling) fromElsewhere++
    }
  }
  return moves
}

/** Returns the moves of pages by one step, as a group with the first of them. Empty if there is no such step. */
export const step = <Item extends TreeItem<Item>>(
  pages: ReadonlyArray<Item>,
  ids: ReadonlySet<string>,
  direction: Direction
): ReadonlyArray<Move> => {
  const moved = topmostPages(pages, ids)
  const [first] = moved
  if (first === undefined) return []
  const parent = first.parents.at(-1)
  const into = parent?.id ?? null
  const siblings = siblingsIn(pages, into)
  const last = moved.findLast(({ parents }) => (parents.at(-1)?.id ?? null) === into)!
  switch (direction) {
    case "up":
      return first.index > 0 ? movesTo(pages, ids, { into, at: first.index - 1 }) : []
    case "down":
      return last.index < siblings.length - 1 ? movesTo(pages, ids, { into, at: last.index + 2 }) : []
    case "in": {
      const before = siblings[first.index - 1]
      return before === undefined ? [] : movesTo(pages, ids, { into: before.id, at: childrenOf(before).length })
    }
    case "out": {
      if (parent === undefined) return []
      const outer = findPage(pages, parent.id)!
      return movesTo(pages, ids, { into: outer.parents.at(-1)?.id ?? null, at: outer.index + 1 })
    }
  }
}

/** Returns the moves that take moves of a tree back. `pages`: the tree before these moves. */
export const undoMoves = <Item extends TreeItem<Item>>(
  pages: ReadonlyArray<Item>,
  moves: ReadonlyArray<Move>
): ReadonlyArray<Move> => {
  const children = new Map<string | null, Array<string>>()
  const childrenIn = (parent: string | null): Array<string> => {
    const ids = children.get(parent) ?? siblingsIn(pages, parent).map(({ id }) => id)
    children.set(parent, ids)
    return ids
  }
  const parentNow = new Map<string, string | null>()
  const parentBefore = (page: string): string | null => findPage(pages, page)!.parents.at(-1)?.id ?? null
  const apply = ({ at, into, page }: Move): void => {
    const from = childrenIn(parentNow.has(page) ? parentNow.get(page)! : parentBefore(page))
    from.splice(from.indexOf(page), 1)
    childrenIn(into).splice(at, 0, page)
    parentNow.set(page, into)
  }
  for (const move of moves) apply(move)
  // From the last page to the first one, the next sibling of each page is where it was.
  return topmostPages(pages, new Set(moves.map(({ page }) => page)))
    .toReversed()
    .map(({ index, page: { id } }) => {
      const into = parentBefore(id)
      const next = siblingsIn(pages, into)[index + 1]
      const others = childrenIn(into).filter((other) => other !== id)
      const move = { page: id, into, at: next === undefined ? others.length : others.indexOf(next.id) }
      apply(move)
      return move
    })
}
