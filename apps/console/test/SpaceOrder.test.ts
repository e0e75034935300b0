import { assert, describe, it } from "@effect/vitest"
import type { Collection, Space } from "../src/api/Resources.ts"
import { canMove, canPut, moveBody, type SpaceItem, spaceItems } from "../src/home/SpaceOrder.ts"
import { childrenOf, findPage, siblingsIn } from "../src/space/PageTree.ts"
import { type Direction, movesTo, step } from "../src/space/TreeMoves.ts"

const space = (id: string, position: string, parent?: string, permissions = { admin: true, review: true }): Space =>
  ({ object: "space", id, title: id, position, ...(parent && { parent }), permissions }) as unknown as Space

const collection = (id: string, position: string, parent?: string, create = true): Collection =>
  ({
    object: "collection",
    id,
    title: id,
    position,
    ...(parent && { parent }),
    permissions: { create }
  }) as unknown as Collection

/** Short form of a tree, such as `a b(b1 b2)`. */
const shape = (items: ReadonlyArray<SpaceItem>): string =>
  items.map((item) => item.id + (item.type === "collection" ? `(${shape(childrenOf<SpaceItem>(item))})` : "")).join(" ")

const collections = [collection("c", "a1"), collection("empty", "a3"), collection("inner", "a1", "c", false)]
const spaces = [
  space("a", "a0"),
  space("Z", "Zz"),
  space("c1", "a0", "c"),
  space("c2", "a2", "c"),
  space("b", "a2"),
  space("lost", "a0", "unseen")
]
const items = spaceItems(spaces, collections)
const itemOf = (id: string) => findPage(items, id)!.page

describe("The order of spaces and collections", () => {
  it("is that of their positions, with content of unseen collections last", () => {
    assert.strictEqual(shape(items), "Z a c(c1 inner() c2) b empty() lost")
  })

  it("names a neighbor for each move", () => {
    const bodyOf = (id: string, direction: Direction) => {
      const [move] = step(items, new Set([id]), direction)
      return move && moveBody(move, siblingsIn(items, move.into))
    }
    assert.deepStrictEqual(bodyOf("a", "up"), { parent: null, position: { before: { type: "space", space: "Z" } } })
    assert.deepStrictEqual(bodyOf("a", "down"), {
      parent: null,
      position: { after: { type: "collection", collection: "c" } }
    })
    assert.deepStrictEqual(bodyOf("b", "in"), { parent: "c", position: { after: { type: "space", space: "c2" } } })
    assert.deepStrictEqual(bodyOf("c2", "out"), {
      parent: null,
      position: { after: { type: "collection", collection: "c" } }
    })
    assert.isUndefined(bodyOf("a", "in"))
    const [intoEmpty] = movesTo(items, new Set(["a"]), { into: "empty", at: 0 })
    assert.deepStrictEqual(moveBody(intoEmpty!, []), { parent: "empty" })
    assert.deepStrictEqual(movesTo(items, new Set(["c"]), { into: "inner", at: 0 }), [])
  })

  it("is changed by those who may create content in both places", () => {
    const reviewer = { admin: false, review: true }
    const [own, other] = spaceItems(
      [space("own", "a0", "c", reviewer), space("other", "a0", "inner", reviewer)],
      collections
    )
      .filter(({ id }) => id === "c")
      .flatMap((parent) => [findPage([parent], "own")!, findPage([parent], "other")!])
    assert.isTrue(canMove(own!.page, own!.parents.at(-1), false))
    assert.isFalse(canMove(other!.page, other!.parents.at(-1), true))
    assert.isTrue(canMove(itemOf("c"), undefined, false))
    assert.isFalse(canMove(itemOf("inner"), itemOf("c"), true))

    const rights = { items, canCreateAtTop: true }
    assert.isTrue(canPut({ into: null, at: 5 }, undefined, rights))
    assert.isFalse(canPut({ into: null, at: 6 }, undefined, rights))
    assert.isFalse(canPut({ into: null, at: 0 }, undefined, { ...rights, canCreateAtTop: false }))
    assert.isTrue(canPut({ into: "c", at: 0 }, itemOf("c"), { ...rights, canCreateAtTop: false }))
    assert.isFalse(canPut({ into: "inner", at: 0 }, itemOf("inner"), rights))
    assert.isFalse(canPut({ into: "a", at: 0 }, itemOf("a"), rights))
  })
})
