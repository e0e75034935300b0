import { assert, describe, it } from "@effect/vitest"
import {
  type Drop,
  dropAt,
  filteredRows,
  nextDrop,
  positionOf,
  type TreeRow,
  typedRow,
  visibleRows
} from "../src/space/TreeRows.ts"
import { rangeOf } from "../src/space/VisibleRange.ts"
import { pages } from "./Pages.ts"

const idsOf = (rows: ReadonlyArray<TreeRow>) => rows.map(({ page }) => page.id as string)

const all = visibleRows(pages, new Set(["b", "b2"]))

describe("Rows of the tree", () => {
  it("are the pages at the top, and those in open pages", () => {
    assert.deepStrictEqual(idsOf(visibleRows(pages, new Set())), ["a", "b", "link", "c"])
    assert.deepStrictEqual(idsOf(all), ["a", "b", "b1", "b2", "b21", "link", "c"])
    assert.deepStrictEqual(
      all.map(({ index, isOpen, level, parentRow, siblings }) => [level, index, siblings, parentRow, isOpen]),
      [
        [1, 0, 4, -1, false],
        [1, 1, 4, -1, true],
        [2, 0, 2, 1, false],
        [2, 1, 2, 1, true],
        [3, 0, 1, 3, false],
        [1, 2, 4, -1, false],
        [1, 3, 4, -1, false]
      ]
    )
  })

  it("are matches with their parents while a filter is set", () => {
    const { matches, rows } = filteredRows(pages, "b2")
    assert.deepStrictEqual(idsOf(rows), ["b", "b2", "b21"])
    assert.deepStrictEqual([...matches], ["b2", "b21"])
    assert.deepStrictEqual(filteredRows(pages, "none").rows, [])
  })

  it("are found by the first letters of a title, from a row on and around the end", () => {
    assert.strictEqual(typedRow(all, 2, "B"), 2)
    assert.strictEqual(typedRow(all, 5, "b"), 1)
    assert.strictEqual(typedRow(all, 0, "b21"), 4)
    assert.strictEqual(typedRow(all, 0, "x"), -1)
  })

  it("have places to drop in them, and at each level between them", () => {
    const size = { height: 10, indent: 10 }
    const at = (x: number, y: number): readonly [Drop["type"], string | null, number] => {
      const drop = dropAt(all, x, y, size)
      const { at, into } = positionOf(all, drop)
      return [drop.type, into, at]
    }
    assert.deepStrictEqual(at(0, 1), ["gap", null, 0])
    assert.deepStrictEqual(at(0, 5), ["into", "a", 0])
    // Above the first page of an open one.
    assert.deepStrictEqual(at(0, 19), ["gap", "b", 0])
    // After the last page of two levels: the pointer selects the level.
    assert.deepStrictEqual(at(35, 49), ["gap", "b2", 1])
    assert.deepStrictEqual(at(25, 49), ["gap", "b", 2])
    assert.deepStrictEqual(at(0, 49), ["gap", null, 2])
    // A link has no pages.
    assert.deepStrictEqual(at(0, 54), ["gap", null, 2])
    assert.deepStrictEqual(at(0, 500), ["gap", null, 4])
    assert.deepStrictEqual(positionOf([], dropAt([], 0, 0, size)), { into: null, at: 0 })
  })

  it("lead through all places by the arrow keys, down and up again", () => {
    const down: Array<Drop> = [{ type: "gap", gap: 0, level: 1 }]
    for (let next = nextDrop(all, down[0]!, "down"); next !== undefined; next = nextDrop(all, next, "down"))
      down.push(next)
    assert.deepStrictEqual(
      down.map((drop) => {
        const { at, into } = positionOf(all, drop)
        return `${into ?? ""}${drop.type === "into" ? "+" : `/${at}`}`
      }),
      ["/0", "a+", "/1", "b+", "b/0", "b1+", "b/1", "b2+", "b2/0", "b21+", "b2/1", "b/2", "/2", "/3", "c+", "/4"]
    )
    const up = [down.at(-1)!]
    for (let next = nextDrop(all, up[0]!, "up"); next !== undefined; next = nextDrop(all, next, "up")) up.push(next)
    assert.deepStrictEqual(up.toReversed(), down)
  })

  it("are in the document only near the visible ones", () => {
    const { first, last } = rangeOf(170_000, 800, 34)
    assert.isAtMost(first, 5_000)
    assert.isAtLeast(last, 5_024)
    assert.isBelow(last - first, 60)
    // A few pixels render nothing again.
    assert.deepStrictEqual(rangeOf(170_020, 800, 34), { first, last })
  })
})
