import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { WorkBudget } from "@lectern/document/alignment/WorkBudget"
import { matchEqual } from "@lectern/document/alignment/SequenceMatch"
import { runs } from "../../../core/test/Runs.ts"
import { checkAgainstNaive, checkedMatch, type Items, twoSequences } from "./SequencePairs.ts"

const range = (start: number, length: number): Items => Array.from({ length }, (_, i) => start + i)

describe("matching two sequences", () => {
  it("takes groups that changed places and were reversed, however large", () => {
    for (const size of [10, 129, 140, 300, 1500]) {
      const [one, between, other] = [range(0, size), range(size, 2), range(size + 2, size)]
      const next = [...other.toReversed(), ...between, ...one.toReversed()]
      assert.isAtLeast(checkedMatch([...one, ...between, ...other], next), 1)
    }
  })

  it("takes what is in an order of its own", () => {
    const previous = range(0, 302)
    assert.isAtLeast(
      checkedMatch(
        previous,
        previous.toSorted((a, b) => ((a * 7919) % 302) - ((b * 7919) % 302))
      ),
      10
    )
  })

  it("pairs again what is alike between two anchors after everything around was written anew", () => {
    const [old, anew] = [range(1000, 400), range(2000, 400)]
    // The items 1 and 2 occur twice, but only once before and once behind the anchor 3.
    const pairs = matchEqual([...old, 1, 2, 3, 1, 2, ...old], [...anew, 1, 2, 3, 1, 2, ...anew], new WorkBudget())
    assert.strictEqual(pairs.length, 5)
  })

  it("takes very many items", () => {
    const many = range(0, 150_000)
    assert.strictEqual(checkedMatch(many, many.slice(1)), 149_999)
    checkedMatch(many, many.toReversed())
  })

  it("rises and pairs equals with no effort left, and always the same", () => {
    const property = fc.property(twoSequences(300), fc.nat({ max: 20_000 }), ([previous, next], steps) => {
      checkedMatch(previous, next, new WorkBudget(0))
      checkedMatch(previous, next, new WorkBudget(steps))
      assert.deepStrictEqual(
        matchEqual(previous, next, new WorkBudget(steps)),
        matchEqual(previous, next, new WorkBudget(steps))
      )
    })
    fc.assert(property, runs(100))
  })

  it("rises, pairs equals, and is the best where the difference is small", () => {
    fc.assert(
      fc.property(twoSequences(40), ([previous, next]) => checkAgainstNaive(previous, next)),
      runs(500)
    )
    fc.assert(
      fc.property(twoSequences(700), ([previous, next]) => void checkedMatch(previous, next)),
      runs(100)
    )
  })
})
