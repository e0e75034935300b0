import { assert, describe, it } from "@effect/vitest"
import type { Page } from "../src/api/Resources.ts"
import { matchingPages, moveTo, step } from "../src/space/PageTree.ts"

const page = (id: string, pages: ReadonlyArray<Page> = []): Page =>
  ({ object: "page", type: "document", id, title: id, pages }) as unknown as Page

const link = { object: "page", type: "link", id: "link", title: "Éclair link" } as unknown as Page

/** a, b (b1, b2 (b21)), link, c */
const pages = [page("a"), page("b", [page("b1"), page("b2", [page("b21")])]), link, page("c")]

describe("The tree of pages", () => {
  it("moves a page by one step, within its siblings and in and out of others", () => {
    assert.deepStrictEqual(step(pages, "b", "up"), { page: "b", into: null, at: 0 })
    assert.deepStrictEqual(step(pages, "b", "down"), { page: "b", into: null, at: 2 })
    assert.deepStrictEqual(step(pages, "b2", "in"), { page: "b2", into: "b1" })
    assert.deepStrictEqual(step(pages, "b2", "out"), { page: "b2", into: null, at: 2 })
    assert.deepStrictEqual(step(pages, "b21", "out"), { page: "b21", into: "b", at: 2 })
    for (const [id, direction] of [
      ["a", "up"],
      ["a", "in"],
      ["a", "out"],
      ["c", "down"],
      ["c", "in"],
      ["none", "up"]
    ] as const)
      assert.isUndefined(step(pages, id, direction), `${id} ${direction}`)
  })

  it("moves a page to where it is dropped, and never into itself or a link", () => {
    assert.deepStrictEqual(moveTo(pages, "a", "c", "before"), { page: "a", into: null, at: 2 })
    assert.deepStrictEqual(moveTo(pages, "a", "c", "after"), { page: "a", into: null, at: 3 })
    assert.deepStrictEqual(moveTo(pages, "c", "a", "before"), { page: "c", into: null, at: 0 })
    assert.deepStrictEqual(moveTo(pages, "c", "b1", "after"), { page: "c", into: "b", at: 1 })
    assert.deepStrictEqual(moveTo(pages, "c", "b", "on"), { page: "c", into: "b" })
    assert.isUndefined(moveTo(pages, "b", "b21", "after"))
    assert.isUndefined(moveTo(pages, "b", "b", "on"))
    assert.isUndefined(moveTo(pages, "a", "link", "on"))
  })

  it("finds pages by words of their titles, without regard to case and accents", () => {
    assert.deepStrictEqual(
      matchingPages(pages, " LINK ecl ").map(({ page }) => page.id),
      ["link"]
    )
    assert.deepStrictEqual(
      matchingPages(pages, "b21").map(({ parents }) => parents.map(({ id }) => id)),
      [["b", "b2"]]
    )
  })
})
