import { assert, it } from "@effect/vitest"
import { backoff } from "@lectern/core/job/Backoff"

it("pauses twice as long after every attempt, an hour at most", () => {
  assert.deepStrictEqual(
    [0, 1, 2, 3, 4, 9, 10, 11, 1_000, 10_000].map(backoff),
    [5_000, 5_000, 10_000, 20_000, 40_000, 1_280_000, 2_560_000, 3_600_000, 3_600_000, 3_600_000]
  )
})
