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

export interface MergedTree {
  /** Merged pages that either side changed. Undefined for a deleted page. */
  readonly pages: Map<string, PageEntry | undefined>
  readonly changedPages: ReadonlyMap<string, Versions<PageEntry>>
  /** Returns the parent of a page that neither side changed. */
  readonly parentOf: (id: string) => PageId | null
  /** Number of levels below each page that `movedOnBothSides` returns. */
  readonly heights: ReadonlyMap<string, number>
}

type Side = "main" | "ours"

/** Returns true if the page has a different parent than on this side, and exists on this side. */
const hasMovedFrom = (
  { pages, changedPages: touched }: Omit<MergedTree, "heights">,
  id: string,
  side: Side
): boolean => {
  const page = pages.get(id)
  const sideEntry = touched.get(id)?.[side]
  return page !== undefined && sideEntry !== undefined && page.parent !== sideEntry.parent
}

const parentIn = ({ pages, parentOf }: Omit<MergedTree, "heights">, id: string): string | null =>
  pages.has(id) ? (pages.get(id)?.parent ?? null) : parentOf(id)

/**
 * Returns the pages that one side moved below a page that the other side moved. Their descendants may become too deep.
 * Pages that only one side moved fit, since that side checked the depth.
 */
export const movedOnBothSides = (tree: Omit<MergedTree, "heights">): ReadonlyArray<string> => {
  const movedIds: Array<string> = []
  for (const start of tree.pages.keys()) {
    const movedSidesOf = (id: string) => (["main", "ours"] as const).filter((side) => hasMovedFrom(tree, id, side))
    const movingSides = movedSidesOf(start)
    if (movingSides.length === 0) continue
    const visited = new Set([start])
    for (let id = parentIn(tree, start); id !== null && !visited.has(id); id = parentIn(tree, id)) {
      visited.add(id)
      if (movedSidesOf(id).some((side) => !movingSides.includes(side))) {
        movedIds.push(start)
        break
      }
    }
  }
  return movedIds
}

export interface RevertedMoves {
  /** Pages that returned to main's position, or below the nearest remaining ancestor of it. */
  readonly toMain: ReadonlyArray<string>
  /** Pages that main moved, and that returned to our position or moved to the top. */
  readonly toOurs: ReadonlyArray<string>
}

/** Reverts impossible moves in `tree.pages`. */
export const revertMoves = (tree: MergedTree): RevertedMoves => {
  const { pages, changedPages } = tree
  const moves = new Set(pages.keys().filter((id) => hasMovedFrom(tree, id, "main")))
  const toMain: Array<string> = []
  for (let round = 0; moves.size > 0; round++) {
    const invalid = round < maxRounds ? invalidMoves(tree, moves) : moves
    if (invalid.size === 0) break
    for (const id of Array.from(invalid).sort()) {
      moves.delete(id)
      toMain.push(id)
      pages.set(id, {
        ...pages.get(id)!,
        parent: parentOnSide(tree, id, "main"),
        position: changedPages.get(id)!.main!.position
      })
    }
  }
  return { toMain, toOurs: raiseDeepPages(tree, new Set(toMain)) }
}

/** Returns the parent of a page on one side. If that parent was deleted, returns its nearest remaining ancestor. */
const parentOnSide = (
  { pages, changedPages: touched, parentOf }: MergedTree,
  id: string,
  side: Side
): PageId | null => {
  let parent = touched.get(id)![side]!.parent
  while (parent !== null && touched.has(parent) && pages.get(parent) === undefined) {
    parent = touched.get(parent)![side]?.parent ?? parentOf(parent)
  }
  return parent
}

/** Returns one responsible move for each cycle and each path that is too long. */
const invalidMoves = (tree: MergedTree, moves: ReadonlySet<string>): ReadonlySet<string> => {
  const invalid = new Set<string>()
  const depths = new Map<string, number>()
  for (const [start, page] of tree.pages) {
    if (page === undefined) continue
    const path: Array<string> = []
    const visited = new Set<string>()
    let id: string | null = start
    while (id !== null && !depths.has(id) && !visited.has(id)) {
      path.push(id)
      visited.add(id)
      id = parentIn(tree, id)
    }
    const isCycle = id !== null && visited.has(id)
    if (isCycle) {
      const cycleMove = path
        .slice(path.indexOf(id!))
        .filter((one) => moves.has(one))
        .sort()[0]
      if (cycleMove !== undefined) invalid.add(cycleMove)
    }
    // A path that leads into a cycle has no length until the cycle is resolved.
    let depth = isCycle ? -Infinity : id === null ? -1 : depths.get(id)!
    for (const pageId of path.toReversed()) depths.set(pageId, ++depth)
    if (depths.get(start)! + (tree.heights.get(start) ?? 0) <= maxDepth) continue
    let responsibleMove: string | null = start
    while (responsibleMove !== null && !moves.has(responsibleMove)) responsibleMove = parentIn(tree, responsibleMove)
    if (responsibleMove !== null) invalid.add(responsibleMove)
  }
  return invalid
}

/**
 * Moves pages up that are too deep without a move of our side above them. The tree has no cycles at this point, and
 * this creates no new cycle.
 */
const raiseDeepPages = (tree: MergedTree, revertedPages: ReadonlySet<string>): ReadonlyArray<string> => {
  const { pages, changedPages, heights } = tree
  const raisedPages = new Set<string>()
  const pathToTop = (start: string) => {
    const path: Array<string> = []
    for (let id: string | null = start; id !== null; id = parentIn(tree, id)) path.push(id)
    return path
  }
  for (let isDone = false; !isDone;) {
    isDone = true
    for (const [start, page] of pages) {
      if (page === undefined) continue
      const path = pathToTop(start)
      const depth = path.length - 1
      // A page at the top cannot move up, so it stays even if a side exceeded the depth before the merge.
      if (depth === 0 || depth + (heights.get(start) ?? 0) <= maxDepth) continue
      isDone = false
      const movedPage = path.find(
        (id) => !revertedPages.has(id) && !raisedPages.has(id) && hasMovedFrom(tree, id, "ours")
      )
      // If no such move exists, the topmost page that is too deep moves up.
      const id =
        movedPage ??
        path
          .toReversed()
          .slice(maxDepth + 1)
          .find((one) => pages.has(one)) ??
        start
      const newParent = movedPage === undefined ? null : parentOnSide(tree, movedPage, "ours")
      const isBelowItself = newParent !== null && pathToTop(newParent).includes(id)
      const position = changedPages.get(id)?.ours?.position ?? pages.get(id)!.position
      raisedPages.add(id)
      pages.set(id, { ...pages.get(id)!, parent: isBelowItself ? null : newParent, position })
    }
  }
  return Array.from(raisedPages).sort()
}
