import { assert, describe, it } from "@effect/vitest"
import type { LinkCheckRow } from "@lectern/core/link-check/LinkCheck"
import { minInterval, type CheckResult, next } from "@lectern/core/link-check/LinkCheckState"
import * as Timestamps from "@lectern/core/schema/Timestamps"
import * as fc from "fast-check"
import { runs } from "../Runs.ts"

const hour = 3_600_000
const now = Timestamps.at(1_000 * hour)
const ago = (millis: number) => Timestamps.at(1_000 * hour - millis)
const gone: CheckResult = { isMissing: true, outcome: "404" }
const there: CheckResult = { isMissing: false, outcome: "200" }
const silent: CheckResult = { isMissing: false, outcome: "timeout", retryAfterMillis: hour }
const busy: CheckResult = { isMissing: false, outcome: "429", retryAfterMillis: 2 * hour, isPostponed: true }

/** From a state, and since when it is gone (ms ago), by an answer to a state, that, and the hours until it is asked again. */
type Line = readonly [
  LinkCheckRow["state"],
  number | undefined,
  CheckResult,
  LinkCheckRow["state"],
  number | undefined,
  number
]

const lines: ReadonlyArray<Line> = [
  ["unchecked", undefined, gone, "doubtful", 0, 12],
  ["unchecked", undefined, there, "ok", undefined, 168],
  ["unchecked", undefined, silent, "ok", undefined, 168],
  ["unchecked", undefined, busy, "ok", undefined, 2],
  ["ok", undefined, gone, "doubtful", 0, 12],
  ["ok", undefined, there, "ok", undefined, 168],
  ["doubtful", minInterval, gone, "broken", minInterval, 24],
  ["doubtful", 12 * hour, gone, "broken", 12 * hour, 24],
  ["doubtful", minInterval - 1, gone, "doubtful", minInterval - 1, 12],
  ["doubtful", 0, gone, "doubtful", 0, 12],
  ["doubtful", 12 * hour, there, "ok", undefined, 168],
  ["doubtful", 12 * hour, silent, "ok", undefined, 168],
  ["doubtful", 12 * hour, busy, "ok", undefined, 2],
  ["broken", 36 * hour, gone, "broken", 36 * hour, 24],
  ["broken", 1, gone, "broken", 1, 24],
  ["broken", 36 * hour, there, "ok", undefined, 168],
  ["broken", 36 * hour, silent, "ok", undefined, 168],
  ["broken", 36 * hour, busy, "ok", undefined, 2]
]

describe("the state of a URL", () => {
  it.each(lines)("%s, gone for %s ms, by %j is %s", (state, since, answer, after, sinceAfter, hours) => {
    assert.deepStrictEqual(next({ state, ...(since !== undefined && { goneAt: ago(since) }) }, answer, now), {
      state: after,
      goneAt: sinceAfter === undefined ? undefined : ago(sinceAfter),
      answer: answer.outcome,
      checkedAt: now,
      dueAt: Timestamps.at(1_000 * hour + hours * hour)
    })
  })

  it("is broken exactly while the last answers all were that it is gone, for six hours at least", () => {
    const steps = fc.array(
      fc.record({ answer: fc.constantFrom(gone, there, silent, busy), after: fc.integer({ min: 0, max: 20 * hour }) }),
      { maxLength: 12 }
    )
    fc.assert(
      fc.property(steps, (all) => {
        let row: Pick<LinkCheckRow, "state" | "goneAt"> = { state: "unchecked" }
        let time = 0
        let since: number | undefined
        for (const { answer, after } of all) {
          time += after
          const { state, goneAt } = next(row, answer, Timestamps.at(time))
          row = { state: state!, ...(goneAt !== undefined && { goneAt }) }
          since = answer.isMissing ? (since ?? time) : undefined
          assert.strictEqual(row.state === "broken", since !== undefined && time - since >= minInterval)
          assert.strictEqual(row.goneAt, since === undefined ? undefined : Timestamps.at(since))
        }
      }),
      runs(200)
    )
  })
})
