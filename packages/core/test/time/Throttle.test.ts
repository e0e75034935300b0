import { assert, describe, it } from "@effect/vitest"
import { Throttle } from "@lectern/core/time/Throttle"

describe("Throttle", () => {
  it("is due at first, after each pause, and where the clock is set back", () => {
    const seldom = new Throttle("1 minute")
    const due = [0, 1, 59_999, 60_000, 119_999, 900_000, 900_001, 5, 6, 60_005].filter((now) => seldom.isDue(now))
    assert.deepStrictEqual(due, [0, 60_000, 900_000, 5, 60_005])
  })
})
