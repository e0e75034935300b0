/** Places that two sides' moves make together. */
import type { PageEntry } from "@lectern/core/content/pages/Page"
import { maxDepth } from "@lectern/core/content/pages/PageTree"
import { revertMoves } from "@lectern/core/content/merge/PositionMerge"
import { assert, describe, it } from "@effect/vitest"

const entry = (parent: string | null) => ({ parent, position: "a" }) as unknown as PageEntry

describe("PositionMerge", () => {
  it("leaves a page at the top with whatever is below it: there is nothing above", () => {
    const pages = new Map([["a", entry(null)]])
    const taken = revertMoves({
      pages,
      changedPages: new Map([["a", { base: entry("b"), main: entry("b"), ours: entry(null) }]]),
      parentOf: () => null,
      heights: new Map([["a", maxDepth + 1]])
    })
    assert.deepStrictEqual([taken.toOurs, pages.get("a")?.parent], [["a"], null])
  })
})
