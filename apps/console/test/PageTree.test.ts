import { assert, describe, it } from "@effect/vitest"
import { matchingPages, topmostPages } from "../src/space/PageTree.ts"
import { pages } from "./Pages.ts"

describe("The tree of pages", () => {
  it("finds pages by words of their titles, without regard to case and accents", () => {
    assert.deepStrictEqual(
      matchingPages(pages, " LINK ecl ").map(({ page }) => page.id as string),
      ["link"]
    )
    assert.deepStrictEqual(
      matchingPages(pages, "b21").map(({ parents }) => parents.map(({ id }) => id as string)),
      [["b", "b2"]]
    )
  })

  it("has the topmost pages of a set in its own order", () => {
    const ids = (...set: ReadonlyArray<string>) =>
      topmostPages(pages, new Set(set)).map(({ page }) => page.id as string)
    assert.deepStrictEqual(ids("c", "b21", "b", "a"), ["a", "b", "c"])
    assert.deepStrictEqual(ids("b21", "b1"), ["b1", "b21"])
    assert.deepStrictEqual(ids("none"), [])
  })
})
