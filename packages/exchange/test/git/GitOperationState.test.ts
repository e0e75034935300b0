import { assert, describe, it } from "@effect/vitest"
import { RevisionId } from "@lectern/core/content/revisions/Revision"
import { type GitEvent, isTimedOut, next, stateOf } from "@lectern/exchange/git/GitOperationState"
import { maxProblems, operationTimeout } from "@lectern/exchange/git/GitSync"
import type { GitOperation } from "@lectern/core/exchange/GitSyncRow"
import * as Timestamps from "@lectern/core/schema/Timestamps"
import { Result } from "effect"

const start = Date.UTC(2026, 0, 1)
const now = Timestamps.at(start + 1000)
const late = Timestamps.at(start + operationTimeout)
const task = { direction: "import", url: "https://example.com/a", ref: "refs/heads/main", directory: "" } as const

const operation = (state: GitOperation["state"]): GitOperation => ({
  id: "one",
  task,
  actor: null,
  state,
  startedAt: Timestamps.at(start)
})

const begin: GitEvent = { type: "begin", id: "two", task, actor: null }
const events = {
  begin,
  succeed: { type: "end", id: "one" },
  fail: { type: "end", id: "one", error: "No" },
  expire: { type: "expire", id: "one" },
  "succeed another": { type: "end", id: "two" },
  "expire another": { type: "expire", id: "two" }
} as const satisfies Record<string, GitEvent>

type Row = Record<keyof typeof events, readonly [inTime: string, tooLate: string]>

const over: Row = {
  begin: ["running", "running"],
  succeed: ["-", "-"],
  fail: ["-", "-"],
  expire: ["-", "-"],
  "succeed another": ["-", "-"],
  "expire another": ["-", "-"]
}

/** Result of each event: in time, and when the time of the operation is over. */
const table: Record<GitOperation["state"] | "none", Row> = {
  none: over,
  running: {
    begin: ["-", "running"],
    succeed: ["success", "timeout"],
    fail: ["failure", "timeout"],
    expire: ["-", "timeout"],
    "succeed another": ["-", "-"],
    "expire another": ["-", "-"]
  },
  success: over,
  failure: over,
  timeout: over
}

describe("GitOperationState", () => {
  for (const [state, row] of Object.entries(table)) {
    for (const [name, [inTime, tooLate]] of Object.entries(row)) {
      it(`${state}: ${name} leads to ${inTime}, and too late to ${tooLate}`, () => {
        const from = state === "none" ? undefined : operation(state as GitOperation["state"])
        for (const [at, expected] of [
          [now, inTime],
          [late, tooLate]
        ] as const) {
          const result = next(from, events[name as keyof typeof events], at)
          assert.strictEqual(Result.isSuccess(result) ? result.success.state : "-", expected)
        }
      })
    }
  }

  it("shows what has taken too long as timed out, whether that was written down or not", () => {
    assert.strictEqual(stateOf(operation("running"), now), "running")
    assert.strictEqual(stateOf(operation("running"), late), "timeout")
    assert.strictEqual(stateOf(operation("success"), late), "success")
    assert.isTrue(isTimedOut(operation("running"), late))
  })

  it("tells what revision came of it, unless it failed", () => {
    const revision = RevisionId.make("revision")
    const ended = (error?: string) =>
      Result.getOrThrow(
        next(operation("running"), { type: "end", id: "one", revision, ...(error !== undefined && { error }) }, now)
      )
    assert.strictEqual(ended().revision, revision)
    assert.notProperty(ended("No"), "revision")
  })

  it("tells of some problems and counts all, in text that a row can hold", () => {
    const problems = Array.from({ length: 30 }, (_, i) => ({ path: `${i}\ud800`, message: "a\0b", line: i }))
    const ended = Result.getOrThrow(next(operation("running"), { type: "end", id: "one", error: "x\0", problems }, now))
    assert.strictEqual(ended.problems?.length, maxProblems)
    assert.strictEqual(ended.problemCount, 30)
    assert.deepStrictEqual(ended.problems?.[1], { path: "1\ufffd", message: "Line 1: a\ufffdb" })
    assert.strictEqual(ended.error, "x\ufffd")
  })
})
