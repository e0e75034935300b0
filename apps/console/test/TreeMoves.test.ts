import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { runs } from "../../../packages/core/test/Runs.ts"
import type { Page } from "../src/api/Resources.ts"
import { changedTree } from "../src/api/TreeChanges.ts"
import { childrenOf, placedPages } from "../src/space/PageTree.ts"
import { canMoveTo, type Move, movesTo, step, undoMoves } from "../src/space/TreeMoves.ts"
import type { TreePosition } from "../src/space/TreeRows.ts"
import { link, page, pages } from "./Pages.ts"

const set = (...ids: ReadonlyArray<string>) => new Set(ids)

/** Applies moves as the server does. */
const moved = (tree: ReadonlyArray<Page>, moves: ReadonlyArray<Move>): ReadonlyArray<Page> =>
  moves.reduce((before, { at, into, page: id }) => {
    let taken: Page | undefined
    const without = (siblings: ReadonlyArray<Page>): ReadonlyArray<Page> =>
      siblings.flatMap((one) => {
        if (one.id !== id) return [withChildren(one, without(childrenOf(one)))]
        taken = one
        return []
      })
    const rest = without(before)
    const insert = (siblings: ReadonlyArray<Page>, parent: string | null): ReadonlyArray<Page> => {
      const all = siblings.map((one) => withChildren(one, insert(childrenOf(one), one.id)))
      if (parent !== into) return all
      assert.isAtMost(at, all.length)
      return all.toSpliced(at, 0, taken!)
    }
    return insert(rest, null)
  }, tree)

const withChildren = (one: Page, children: ReadonlyArray<Page>): Page =>
  ("pages" in one ? { ...one, pages: children } : one) as Page

/** Short form of a tree, such as `a b(b1 b2)`. */
const shape = (tree: ReadonlyArray<Page>): string =>
  tree.map((one) => `${one.id}${childrenOf(one).length > 0 ? `(${shape(childrenOf(one))})` : ""}`).join(" ")

/** Trees of up to 20 pages with two levels. */
const trees = fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 5 }).map((sizes) =>
  sizes.map((size, i) =>
    page(
      `p${i}`,
      Array.from({ length: size }, (_, k) => page(`p${i}${k}`))
    )
  )
)

const cases = trees.chain((tree) => {
  const ids = placedPages(tree).map(({ page: { id } }) => id as string)
  return fc.record({
    tree: fc.constant(tree),
    chosen: fc.subarray(ids, { minLength: 1 }).map((some) => new Set(some)),
    into: fc.constantFrom(null, ...ids),
    at: fc.nat(5)
  })
})

describe("Moves in the tree of pages", () => {
  it("change the cached tree as the server does, with titles, hidden pages and deletions", () => {
    const changed = changedTree(pages, [
      { operation: "update_page", page: "b21", title: "New", hidden: true },
      { operation: "update_page", page: "c", hidden: false },
      { operation: "delete_page", page: "b1" },
      { operation: "delete_page", page: "link" }
    ])!
    assert.strictEqual(shape(changed), "a b(b2(b21)) c")
    const found = placedPages(changed).find(({ page: { id } }) => id === "b21")!.page
    assert.deepInclude(found, { title: "New", hidden: true })
    // An unchanged page keeps its object, so its row is not rendered again.
    assert.strictEqual(changed[0], pages[0])
    assert.isUndefined(changedTree(pages, [{ operation: "insert_page", title: "New" }]))
    assert.isUndefined(changedTree(pages, [{ operation: "update_page", page: "a", slug: "new" }]))
    assert.isUndefined(changedTree(pages, [{ operation: "update_page", page: "none", title: "New" }]))
  })

  it("go by one step, within the siblings and in and out of others", () => {
    const steps = (direction: Parameters<typeof step>[2], ...ids: ReadonlyArray<string>) =>
      shape(moved(pages, step(pages, set(...ids), direction)))
    assert.deepStrictEqual(steps("up", "b"), "b(b1 b2(b21)) a link c")
    assert.deepStrictEqual(steps("down", "b"), "a link b(b1 b2(b21)) c")
    assert.deepStrictEqual(steps("in", "b2"), "a b(b1(b2(b21))) link c")
    assert.deepStrictEqual(steps("out", "b2"), "a b(b1) b2(b21) link c")
    assert.deepStrictEqual(steps("out", "b21"), "a b(b1 b2 b21) link c")
    assert.deepStrictEqual(steps("down", "a", "b"), "link a b(b1 b2(b21)) c")
    assert.deepStrictEqual(steps("up", "link", "c"), "a link c b(b1 b2(b21))")
    assert.deepStrictEqual(steps("out", "b1", "b2"), "a b b1 b2(b21) link c")
    for (const [id, direction] of [
      ["a", "up"],
      ["a", "in"],
      ["a", "out"],
      ["c", "down"],
      ["c", "in"],
      ["none", "up"]
    ] as const)
      assert.deepStrictEqual(step(pages, set(id), direction), [], `${id} ${direction}`)
  })

  it("never lead into a moved page, or into a link", () => {
    const can = (position: TreePosition, ...ids: ReadonlyArray<string>) => canMoveTo(pages, set(...ids), position)
    assert.isFalse(can({ into: "b2", at: 0 }, "b"))
    assert.isFalse(can({ into: "b", at: 0 }, "b"))
    assert.isFalse(can({ into: link.id, at: 0 }, "a"))
    assert.isFalse(can({ into: "none", at: 0 }, "a"))
    assert.isTrue(can({ into: null, at: 0 }, "b"))
  })

  it("put all pages next to each other, and are taken back to the very same tree", () => {
    fc.assert(
      fc.property(cases, ({ at, chosen, into, tree }) => {
        const siblings =
          into === null ? tree : childrenOf(placedPages(tree).find(({ page: { id } }) => id === into)!.page)
        const position = { into, at: Math.min(at, siblings.length) }
        const moves = movesTo(tree, chosen, position)
        const after = moved(tree, moves)
        if (canMoveTo(tree, chosen, position)) {
          const target =
            into === null ? after : childrenOf(placedPages(after).find(({ page: { id } }) => id === into)!.page)
          const topmost = placedPages(tree)
            .filter(({ page: { id }, parents }) => chosen.has(id) && !parents.some((parent) => chosen.has(parent.id)))
            .map(({ page: { id } }) => id)
          const stay = (some: ReadonlyArray<Page>) => some.map(({ id }) => id).filter((id) => !topmost.includes(id))
          assert.deepStrictEqual(
            target.map(({ id }) => id),
            [...stay(siblings.slice(0, position.at)), ...topmost, ...stay(siblings.slice(position.at))]
          )
        } else assert.deepStrictEqual(moves, [])
        assert.strictEqual(shape(moved(after, undoMoves(tree, moves))), shape(tree))
        const changes = moves.map((move) => ({ operation: "update_page" as const, ...move }))
        assert.strictEqual(shape(changedTree(tree, changes)!), shape(after))
      }),
      runs()
    )
  })
})
