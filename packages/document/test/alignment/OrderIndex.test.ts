import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { orderIndexBetween } from "@lectern/document/alignment/OrderIndex"
import { runs } from "../../../core/test/Runs.ts"

describe("order indexes", () => {
  it.each([
    ["", undefined, "V"],
    ["000002", undefined, "000003"],
    ["000009", undefined, "000010"],
    ["999999", undefined, "999999V"],
    ["000001", "000002", "000001V"],
    ["000001", "000001V", "000001C"],
    ["a0", "a1", "a0V"],
    ["a", "a1", "a0V"],
    ["a", "a0", undefined],
    ["", "000001", "000000V"]
  ])("between %s and %s", (before, after, expected) => assert.strictEqual(orderIndexBetween(before, after), expected))

  it("stands between its neighbours, again and again", () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 1000 }), { maxLength: 60 }), (places) => {
        const rows = ["000001", "000002", "a0"]
        for (const place of places) {
          const at = place % (rows.length + 1)
          const index = orderIndexBetween(rows[at - 1] ?? "", rows[at])
          assert.isDefined(index)
          rows.splice(at, 0, index!)
        }
        assert.deepStrictEqual(
          rows,
          rows.toSorted((a, b) => (a < b ? -1 : 1))
        )
        assert.strictEqual(new Set(rows).size, rows.length)
      }),
      runs()
    )
  })
})
