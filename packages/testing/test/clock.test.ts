import { testClock } from "@lectern/testing/clock"
import { assert, it } from "@effect/vitest"

it("moves only when a test moves it", () => {
  const clock = testClock("2026-05-01T10:00:00Z")
  assert.strictEqual(clock(), Date.UTC(2026, 4, 1, 10))
  clock.advance({ hours: 1, milliseconds: 5 })
  assert.strictEqual(clock(), Date.UTC(2026, 4, 1, 11, 0, 0, 5))
  clock.set(new Date(0))
  assert.strictEqual(clock(), 0)
})

it("refuses times that do not exist", () => {
  const clock = testClock()
  assert.throws(() => clock.set("tomorrow"), RangeError, "Invalid time: tomorrow")
  assert.throws(() => testClock(new Date(Number.NaN)), RangeError)
  assert.strictEqual(clock(), Date.UTC(2030, 0, 1))
})
