/** The state machine of second factors, as tables. */
import { assert, describe, it } from "@effect/vitest"
import type { SecondFactorRow } from "@lectern/core/sign-in/SecondFactor"
import * as Timestamps from "@lectern/core/schema/Timestamps"
import { UserId } from "@lectern/core/user/User"
import * as State from "@lectern/sign-in/factor/SecondFactorState"

const now = Date.UTC(2026, 0, 1)
const empty = State.emptySecondFactor(UserId.make("ada"))
const secret = "sealed" as never

const rows = {
  absent: empty,
  setup: { ...empty, secret },
  confirmed: { ...empty, secret, confirmedAt: Timestamps.at(now), lastStep: 10, recoveryCodes: ["a", "b"] }
} satisfies Record<State.AppState, SecondFactorRow>

/** Applies a patch as the store does. */
const after = (row: SecondFactorRow, patch: object): SecondFactorRow =>
  Object.fromEntries(
    Object.entries({ ...row, ...patch }).filter(([, value]) => value !== undefined)
  ) as unknown as SecondFactorRow

describe("A second factor", () => {
  it("has an app that is absent, in setup or confirmed", () => {
    assert.strictEqual(State.appStateOf(undefined), "absent")
    for (const [state, row] of Object.entries(rows)) assert.strictEqual(State.appStateOf(row), state)
  })

  it("changes the app by setup, code and removal", () => {
    const table = [
      // State, state after a setup, after a code, after a removal.
      ["absent", "setup", undefined, "absent"],
      ["setup", "setup", "confirmed", "absent"],
      ["confirmed", undefined, "confirmed", "absent"]
    ] as const
    for (const [state, setup, code, removal] of table) {
      const row = rows[state]
      const started = State.startSetup(row, secret)
      assert.strictEqual(started && State.appStateOf(after(row, started)), setup, state)
      if (code !== undefined) {
        assert.strictEqual(State.appStateOf(after(row, State.acceptStep(row, 11, now))), code, state)
      }
      assert.strictEqual(State.appStateOf(after(row, State.removeApp)), removal, state)
      assert.deepStrictEqual(after(row, { ...State.withoutFactors, failures: 0 }), empty, state)
    }
  })

  it("accepts a code of a later time step only", () => {
    for (const [step, expected] of [
      [9, false],
      [10, false],
      [11, true]
    ] as const) {
      assert.strictEqual(State.isNewStep(rows.confirmed, step), expected, `${step}`)
    }
    assert.isTrue(State.isNewStep(rows.setup, 0))
    assert.isFalse(State.isNewStep(after(rows.setup, State.acceptStep(rows.setup, 0, now)), 0))
  })

  it("accepts a recovery code once", () => {
    assert.deepStrictEqual(after(rows.confirmed, State.acceptRecoveryCode(rows.confirmed, "a")).recoveryCodes, ["b"])
  })

  it("pauses longer after each wrong code", () => {
    const seconds = Array.from({ length: 14 }, (_, i) => State.pauseAfter(i) / 1000)
    assert.deepStrictEqual(seconds, [0, 0, 0, 0, 0, 30, 60, 120, 240, 480, 960, 1920, 3600, 3600])
    assert.strictEqual(State.pauseAfter(10_000), 3_600_000)
  })

  it("ends its pause with time, and its series with a right code", () => {
    let row: SecondFactorRow = rows.confirmed
    for (let i = 0; i < 5; i++) row = after(row, State.countFailure(row, now))
    assert.strictEqual(State.pauseEnd(row, now), Timestamps.at(now + 30_000))
    assert.strictEqual(State.pauseEnd(row, now + 29_999), Timestamps.at(now + 30_000))
    assert.isUndefined(State.pauseEnd(row, now + 30_000))
    row = after(row, State.acceptStep(row, 12, now))
    assert.deepInclude(row, { failures: 0 })
    assert.isUndefined(row.pausedUntil)
  })
})
