/**
 * Corrects the page tree after merging the moves of both sides: no page may be below itself or deeper than the limit of
 * a space. If our move is impossible, the page returns to main's position, which is a conflict. If we moved pages below
 * a page that main moved too deep, main's move is reverted, which is also a conflict. Pages that are still too deep
 * move to the top.
 */
import type { PageEntry, PageId } from "../pages/Page.ts"
import { maxDepth } from "../pages/PageTree.ts"
import type { Versions } from "./EntryMerge.ts"

/**
 * Maximum number of rounds. Afterwards all remaining moves of our side are reverted, since main's tree has no cycle.
 */
const maxRounds = 16

export interface Tree {
  /** Merged pages that either side changed. Undefined for a deleted page. */
  readonly pages: Map<string, PageEntry | undefined>
  readonly touched: ReadonlyMap<string, Versions<PageEntry>>
  /** Returns the parent of a page that neither side changed. */
  readonly parentOf: (id: string) => PageId | null
  /** Number of levels below each page that `movedTwice` returns. */
  readonly heights: ReadonlyMap<string, number>
}

type Side = "main" | "ours"

/** Returns true if the page has a different parent than on this side, and exists on this side. */
const isMovedFrom = ({ pages, touched }: Omit<Tree, "heights">, id: string, side: Side): boolean => {
  const page = pages.get(id)
  const there = touched.get(id)?.[side]
  return page !== undefined && there !== undefined && page.parent !== there.parent
}

const above = ({ pages, parentOf }: Omit<Tree, "heights">, id: string): string | null =>
  pages.has(id) ? (pages.get(id)?.parent ?? null) : parentOf(id)

/**
 * Returns the pages that one side moved below a page that the other side moved. Their descendants may become too deep.
 * Pages that only one side moved fit, since that side checked the depth.
 */
export const movedTwice = (tree: Omit<Tree, "heights">): ReadonlyArray<string> => {
  const found: Array<string> = []
  for (const start of tree.pages.keys()) {
    const moves = (id: string) => (["main", "ours"] as const).filter((side) => isMovedFrom(tree, id, side))
    const own = moves(start)
    if (own.length === 0) continue
    const onWay = new Set([start])
    for (let id = above(tree, start); id !== null && !onWay.has(id); id = above(tree, id)) {
      onWay.add(id)
      if (moves(id).some((side) => !own.includes(side))) {
        found.push(start)
        break
      }
    }
  }
  return found
}

export interface TakenBack {
  /** Pages that returned to main's position, or below the nearest remaining ancestor of it. */
  readonly toMain: ReadonlyArray<string>
  /** Pages that main moved, and that returned to our position or moved to the top. */
  readonly toOurs: ReadonlyArray<string>
}

/** Reverts impossible moves in `tree.pages`. */
export const takeBackMoves = (tree: Tree): TakenBack => {
  const { pages, touched } = tree
  const moves = new Set(pages.keys().filter((id) => isMovedFrom(tree, id, "main")))
  const toMain: Array<string> = []
  for (let round = 0; moves.size > 0; round++) {
    const wrong = round < maxRounds ? wrongMoves(tree, moves) : moves
    if (wrong.size === 0) break
    for (const id of Array.from(wrong).sort()) {
      moves.delete(id)
      toMain.push(id)
      pages.set(id, {
        ...pages.get(id)!,
        parent: placeOn(tree, id, "main"),
        position: touched.get(id)!.main!.position
      })
    }
  }
  return { toMain, toOurs: liftPages(tree, new Set(toMain)) }
}

/** Returns the parent of a page on one side. If that parent was deleted, returns its nearest remaining ancestor. */
const placeOn = ({ pages, touched, parentOf }: Tree, id: string, side: Side): PageId | null => {
  let parent = touched.get(id)![side]!.parent
  while (parent !== null && touched.has(parent) && pages.get(parent) === undefined) {
    parent = touched.get(parent)![side]?.parent ?? parentOf(parent)
  }
  return parent
}

/** Returns one responsible move for each cycle and each path that is too long. */
const wrongMoves = (tree: Tree, moves: ReadonlySet<string>): ReadonlySet<string> => {
  const wrong = new Set<string>()
  const depths = new Map<string, number>()
  for (const [start, page] of tree.pages) {
    if (page === undefined) continue
    const way: Array<string> = []
    const onWay = new Set<string>()
    let id: string | null = start
    while (id !== null && !depths.has(id) && !onWay.has(id)) {
      way.push(id)
      onWay.add(id)
      id = above(tree, id)
    }
    const isCycle = id !== null && onWay.has(id)
    if (isCycle) {
      const made = way
        .slice(way.indexOf(id!))
        .filter((one) => moves.has(one))
        .sort()[0]
      if (made !== undefined) wrong.add(made)
    }
    // A path that leads into a cycle has no length until the cycle is resolved.
    let depth = isCycle ? -Infinity : id === null ? -1 : depths.get(id)!
    for (const one of way.toReversed()) depths.set(one, ++depth)
    if (depths.get(start)! + (tree.heights.get(start) ?? 0) <= maxDepth) continue
    let made: string | null = start
    while (made !== null && !moves.has(made)) made = above(tree, made)
    if (made !== null) wrong.add(made)
  }
  return wrong
}

/**
 * Moves pages up that are too deep without a move of our side above them. The tree has no cycles at this point, and
 * this creates no new cycle.
 */
const liftPages = (tree: Tree, settled: ReadonlySet<string>): ReadonlyArray<string> => {
  const { pages, touched, heights } = tree
  const lifted = new Set<string>()
  const wayUp = (start: string) => {
    const way: Array<string> = []
    for (let id: string | null = start; id !== null; id = above(tree, id)) way.push(id)
    return way
  }
  for (let isOver = false; !isOver;) {
    isOver = true
    for (const [start, page] of pages) {
      if (page === undefined) continue
      const way = wayUp(start)
      const depth = way.length - 1
      // A page at the top cannot move up, so it stays even if a side exceeded the depth before the merge.
      if (depth === 0 || depth + (heights.get(start) ?? 0) <= maxDepth) continue
      isOver = false
      const moved = way.find((id) => !settled.has(id) && !lifted.has(id) && isMovedFrom(tree, id, "ours"))
      // If no such move exists, the topmost page that is too deep moves up.
      const id =
        moved ??
        way
          .toReversed()
          .slice(maxDepth + 1)
          .find((one) => pages.has(one)) ??
        start
      const place = moved === undefined ? null : placeOn(tree, moved, "ours")
      const isBelowItself = place !== null && wayUp(place).includes(id)
      const position = touched.get(id)?.ours?.position ?? pages.get(id)!.position
      lifted.add(id)
      pages.set(id, { ...pages.get(id)!, parent: isBelowItself ? null : place, position })
    }
  }
  return Array.from(lifted).sort()
}
