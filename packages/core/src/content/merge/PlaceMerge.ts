/**
 * Mends what two sides' moves make of the tree together: no page stands below itself, and none
 * deeper than a space allows. A move of ours that can't be goes back to main's place and is a
 * conflict. Where ours put pages below one that main moved too far down for them, main's move is taken
 * back, which is a conflict as well. Whatever is too deep still goes to the top.
 */
import type { PageEntry, PageId } from "../pages/Page.ts"
import { maxDepth } from "../pages/PageTree.ts"
import type { Versions } from "./EntryMerge.ts"

/** After so many rounds every move of ours that is left is taken back: main's tree has no cycle. */
const maxRounds = 16

export interface Tree {
  /** The pages either side touched, as merged; undefined for those that are gone. */
  readonly pages: Map<string, PageEntry | undefined>
  readonly touched: ReadonlyMap<string, Versions<PageEntry>>
  /** Parent of a page that no side touched. */
  readonly parentOf: (id: string) => PageId | null
  /** How many levels of pages are below a page, for those of `movedTwice`. */
  readonly heights: ReadonlyMap<string, number>
}

type Side = "main" | "ours"

/** Tells whether the page stands elsewhere than on this side, which has it too. */
const isMovedFrom = ({ pages, touched }: Omit<Tree, "heights">, id: string, side: Side): boolean => {
  const page = pages.get(id)
  const there = touched.get(id)?.[side]
  return page !== undefined && there !== undefined && page.parent !== there.parent
}

const above = ({ pages, parentOf }: Omit<Tree, "heights">, id: string): string | null =>
  pages.has(id) ? (pages.get(id)?.parent ?? null) : parentOf(id)

/**
 * The pages that one side moved below what the other moved. All that was below them before, touched or not, may be
 * too deep there; what only one side moved is where that side had room for it.
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
  /** Pages that stand at main's place again, or at what is left of it. */
  readonly toMain: ReadonlyArray<string>
  /** Pages that main moved, and that stand where ours has them, or at the top. */
  readonly toOurs: ReadonlyArray<string>
}

/** Takes back moves in `tree.pages`. */
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

/** Parent of a page on one side. A parent that is gone hands on to its own parent. */
const placeOn = ({ pages, touched, parentOf }: Tree, id: string, side: Side): PageId | null => {
  let parent = touched.get(id)![side]!.parent
  while (parent !== null && touched.has(parent) && pages.get(parent) === undefined) {
    parent = touched.get(parent)![side]?.parent ?? parentOf(parent)
  }
  return parent
}

/** From each cycle, and from each way up that is too long, one move that made it. */
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
    // A way that runs into a cycle has no length yet: it gets one when the cycle is gone.
    let depth = isCycle ? -Infinity : id === null ? -1 : depths.get(id)!
    for (const one of way.toReversed()) depths.set(one, ++depth)
    if (depths.get(start)! + (tree.heights.get(start) ?? 0) <= maxDepth) continue
    let made: string | null = start
    while (made !== null && !moves.has(made)) made = above(tree, made)
    if (made !== null) wrong.add(made)
  }
  return wrong
}

/** Puts higher up what is too deep and has no move of ours above it: there is no cycle any more, and none is made. */
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
      // There is nothing above the top, should a side have been too deep before.
      if (depth === 0 || depth + (heights.get(start) ?? 0) <= maxDepth) continue
      isOver = false
      const moved = way.find((id) => !settled.has(id) && !lifted.has(id) && isMovedFrom(tree, id, "ours"))
      // Without one: of those that are too deep the uppermost.
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
