/**
 * Mends what two sides' moves make of the tree together: no page stands below itself, and none
 * deeper than a space allows. A move of ours that can't be goes back to main's place and is a
 * conflict.
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
}

/** Takes back moves in `tree.pages` and gives the ids of the pages that stand at main's place again. */
export const takeBackMoves = (tree: Tree): ReadonlyArray<string> => {
  const { pages, touched } = tree
  const moves = new Set<string>()
  for (const [id, { main }] of touched) {
    const page = pages.get(id)
    if (page !== undefined && main !== undefined && page.parent !== main.parent) moves.add(id)
  }
  const taken: Array<string> = []
  for (let round = 0; moves.size > 0; round++) {
    const wrong = round < maxRounds ? wrongMoves(tree, moves) : moves
    if (wrong.size === 0) break
    for (const id of Array.from(wrong).sort()) {
      moves.delete(id)
      taken.push(id)
      pages.set(id, { ...pages.get(id)!, parent: mainParent(tree, id), position: touched.get(id)!.main!.position })
    }
  }
  return taken
}

/** Parent of a page on main. A parent that is gone hands on to its own parent. */
const mainParent = ({ pages, touched, parentOf }: Tree, id: string): PageId | null => {
  let parent = touched.get(id)!.main!.parent
  while (parent !== null && touched.has(parent) && pages.get(parent) === undefined) {
    parent = touched.get(parent)!.main?.parent ?? parentOf(parent)
  }
  return parent
}

/** From each cycle, and from each way up that is too long, one move that made it. */
const wrongMoves = (tree: Tree, moves: ReadonlySet<string>): ReadonlySet<string> => {
  const wrong = new Set<string>()
  const depths = new Map<string, number>()
  const above = (id: string) => (tree.pages.has(id) ? (tree.pages.get(id)?.parent ?? null) : tree.parentOf(id))
  for (const [start, page] of tree.pages) {
    if (page === undefined) continue
    const way: Array<string> = []
    const onWay = new Set<string>()
    let id: string | null = start
    while (id !== null && !depths.has(id) && !onWay.has(id)) {
      way.push(id)
      onWay.add(id)
      id = above(id)
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
    if (depths.get(start)! <= maxDepth) continue
    let made: string | null = start
    while (made !== null && !moves.has(made)) made = above(made)
    if (made !== null) wrong.add(made)
  }
  return wrong
}
