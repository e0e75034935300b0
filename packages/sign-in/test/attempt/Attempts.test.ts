import { Attempts } from "@lectern/sign-in/attempt/Attempts"
import { assert, describe, it } from "@effect/vitest"

describe("Attempts", () => {
  const limits = { free: 3, maxPause: 60_000 }

  it("double the pause after the free ones, up to the maximum", () => {
    const attempts = new Attempts(limits)
    let now = 0
    const pauses = []
    for (let i = 0; i < 10; i++) {
      attempts.start("a", now)
      const pause = attempts.pauseOf("a", now)
      pauses.push(pause)
      now += pause
    }
    assert.deepStrictEqual(pauses, [0, 0, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000])
    assert.strictEqual(attempts.pauseOf("b", now), 0)
  })

  it("are forgotten after a success, and after an hour", () => {
    const attempts = new Attempts(limits)
    for (let i = 0; i < 3; i++) attempts.start("a", 0)
    attempts.clear("a")
    assert.strictEqual(attempts.pauseOf("a", 0), 0)
    for (let i = 0; i < 3; i++) attempts.start("a", 0)
    attempts.start("b", 60 * 60_000)
    attempts.start("a", 60 * 60_000)
    assert.strictEqual(attempts.pauseOf("a", 60 * 60_000), 0)
  })

  it("are counted for the most recent keys only", () => {
    const attempts = new Attempts({ free: 1, maxPause: 60_000 })
    for (let i = 0; i <= 100_000; i++) attempts.start(`key ${i}`, 0)
    assert.strictEqual(attempts.pauseOf("key 0", 0), 0)
    assert.isAbove(attempts.pauseOf("key 100000", 0), 0)
  })
})
