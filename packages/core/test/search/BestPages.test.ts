/** The best pages of many spaces are those that sorting all of them would give, and few are held meanwhile. */
import { BestPages } from "@lectern/core/search/BestPages"
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { runs } from "../Runs.ts"

const page = (position: number, space: number) => ({ position: `${String(position).padStart(6, "0")}.${space}` })

describe("BestPages", () => {
  it("holds few of the pages of a thousand spaces", () => {
    const best = new BestPages(100)
    let seen = 0
    for (let space = 0; space < 1_000; space++) {
      // Each space is a little better than those before it, so that none is passed over.
      best.add(Array.from({ length: 100 }, (_, i) => page(100_000 - 100 * space + i, space)))
      seen = Math.max(seen, best.size)
    }
    assert.isBelow(seen, 400)
    assert.deepStrictEqual(
      best.all(),
      Array.from({ length: 100 }, (_, i) => page(100_000 - 100 * 999 + i, 999))
    )
  })

  it("asks a space for no more pages than count", () => {
    const best = new BestPages(10)
    best.add(Array.from({ length: 40 }, (_, i) => page(i, 0)))
    let asked = 0
    best.add(
      (function* () {
        for (let i = 0; i < 1_000; i++) {
          asked++
          yield page(i + 5, 1)
        }
      })()
    )
    assert.isBelow(asked, 10)
    assert.strictEqual(best.all().length, 10)
  })

  it("finds what sorting all of them would find", () => {
    const spaces = fc.array(fc.array(fc.nat(50), { maxLength: 30 }), { maxLength: 20 })
    fc.assert(
      fc.property(spaces, fc.integer({ min: 1, max: 12 }), (found, limit) => {
        const all = found.map((scores, space) => scores.toSorted((a, b) => a - b).map((score) => page(score, space)))
        const best = new BestPages(limit)
        for (const pages of all) best.add(pages)
        const sorted = all
          .flat()
          .map(({ position }) => position)
          .toSorted()
        assert.deepStrictEqual(
          best.all().map(({ position }) => position),
          sorted.slice(0, limit)
        )
      }),
      runs(100)
    )
  })
})
