import { assert, describe, it } from "@effect/vitest"
import { longestIncreasingSubsequence } from "@lectern/document/alignment/SequenceMatch"
import * as fc from "fast-check"
import { runs } from "../../../core/test/Runs.ts"

const isRising = (values: ReadonlyArray<number>) => values.every((value, i) => i === 0 || values[i - 1]! < value)

const longestByTrying = (values: ReadonlyArray<number>): number => {
  let longest = 0
  for (let mask = 0; mask < 1 << values.length; mask++) {
    const chosen = values.filter((_, i) => mask & (1 << i))
    if (isRising(chosen)) longest = Math.max(longest, chosen.length)
  }
  return longest
}

describe("increasing", () => {
  it("is rising, and none is longer", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(30), { maxLength: 9 }), (values) => {
        const found = new Set(longestIncreasingSubsequence(values).map((i) => values[i]!))
        assert.isTrue(isRising(values.filter((value) => found.has(value))))
        assert.strictEqual(found.size, longestByTrying(values))
      }),
      runs()
    )
  })
})
