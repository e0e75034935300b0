import { assert, describe, it } from "@effect/vitest"
import { Duration, Result } from "effect"
import * as fc from "fast-check"
import type { JobRow, JobRules, JobStatus } from "@lectern/core/job/Job"
import { type JobEvent, next, pause } from "@lectern/core/job/JobState"
import * as Timestamps from "@lectern/core/schema/Timestamps"
import { runs } from "../Runs.ts"

const now = Timestamps.at(1_000_000)
const earlier = Timestamps.at(999_999)
const later = Timestamps.at(1_000_001)
const rules: JobRules = { attempts: 3 }

type State = Pick<JobRow, "status" | "attempts" | "dueAt" | "claim" | "again">

const states = {
  waiting: { status: "waiting", attempts: 0, dueAt: earlier },
  early: { status: "waiting", attempts: 0, dueAt: later },
  running: { status: "running", attempts: 1, dueAt: later, claim: "mine" },
  expired: { status: "running", attempts: 1, dueAt: earlier, claim: "mine" },
  exhausted: { status: "running", attempts: 3, dueAt: earlier, claim: "mine" },
  lastAttempt: { status: "running", attempts: 3, dueAt: later, claim: "mine" },
  stolen: { status: "running", attempts: 2, dueAt: later, claim: "theirs" },
  wanted: { status: "running", attempts: 1, dueAt: later, claim: "mine", again: true },
  done: { status: "done", attempts: 1, dueAt: earlier },
  failed: { status: "failed", attempts: 3, dueAt: earlier }
} satisfies Record<string, State>

const events = {
  claim: { type: "claim", now, claim: "new", lease: 100 },
  renew: { type: "renew", now, claim: "mine", lease: 100 },
  complete: { type: "complete", now, claim: "mine" },
  continue: { type: "continue", now, claim: "mine", payload: 7 },
  fail: { type: "fail", now, claim: "mine", reason: "no", nonRetryable: false },
  giveUp: { type: "fail", now, claim: "mine", reason: "no", nonRetryable: true },
  release: { type: "release", now, claim: "mine" },
  retry: { type: "retry", now }
} satisfies Record<string, JobEvent>

/** The status and the number of attempts after each event; what is not there is refused. */
const table: Record<keyof typeof states, Partial<Record<keyof typeof events, readonly [JobStatus, number]>>> = {
  waiting: { claim: ["running", 1] },
  early: {},
  running: {
    renew: ["running", 1],
    complete: ["done", 1],
    continue: ["waiting", 0],
    fail: ["waiting", 1],
    giveUp: ["failed", 1],
    release: ["waiting", 0]
  },
  // Nobody took it over, so it is this run's still.
  expired: {
    claim: ["running", 2],
    renew: ["running", 1],
    complete: ["done", 1],
    continue: ["waiting", 0],
    fail: ["waiting", 1],
    giveUp: ["failed", 1],
    release: ["waiting", 0]
  },
  exhausted: {
    claim: ["failed", 3],
    renew: ["running", 3],
    complete: ["done", 3],
    continue: ["waiting", 0],
    fail: ["failed", 3],
    giveUp: ["failed", 3],
    release: ["waiting", 2]
  },
  lastAttempt: {
    renew: ["running", 3],
    complete: ["done", 3],
    continue: ["waiting", 0],
    fail: ["failed", 3],
    giveUp: ["failed", 3],
    release: ["waiting", 2]
  },
  stolen: {},
  wanted: {
    renew: ["running", 1],
    complete: ["waiting", 0],
    continue: ["waiting", 0],
    fail: ["waiting", 1],
    giveUp: ["waiting", 0],
    release: ["waiting", 0]
  },
  done: {},
  failed: { retry: ["waiting", 0] }
}

const entries = <K extends string, V>(record: Record<K, V>) => Object.entries(record) as Array<[K, V]>

describe("JobState", () => {
  for (const [state, job] of entries<keyof typeof states, State>(states)) {
    for (const [name, event] of entries<keyof typeof events, JobEvent>(events)) {
      const expected = table[state][name]
      it(`${state} + ${name}: ${expected?.join(", ") ?? "refused"}`, () => {
        const result = next(job, event, rules)
        const found = Result.isSuccess(result) ? { ...job, ...result.success } : undefined
        assert.deepStrictEqual(found && [found.status, found.attempts], expected && [...expected])
        if (found !== undefined) assert.strictEqual(found.claim !== undefined, found.status === "running")
      })
    }
  }

  it("gives a lease, and a longer one when it is renewed", () => {
    for (const [state, event] of [
      [states.waiting, events.claim],
      [states.expired, events.renew]
    ] as const) {
      const result = next(state, event, rules)
      assert.strictEqual(Result.getOrThrow(result).dueAt, Timestamps.at(1_000_100))
    }
  })

  it("says why it failed", () => {
    assert.strictEqual(Result.getOrThrow(next(states.running, events.giveUp, rules)).failure, "no")
    assert.match(Result.getOrThrow(next(states.exhausted, events.claim, rules)).failure ?? "", /without an answer/)
  })

  it("brings a recurring job back after its interval, however it ended", () => {
    const daily: JobRules = { attempts: 3, every: Duration.days(1) }
    for (const event of [events.complete, events.giveUp]) {
      const after = Result.getOrThrow(next(states.running, event, daily))
      assert.strictEqual(after.status, "waiting")
      assert.strictEqual(after.attempts, 0)
      assert.strictEqual(after.dueAt, Timestamps.at(1_000_000 + 86_400_000))
    }
    const retried = Result.getOrThrow(next(states.running, events.fail, daily))
    assert.strictEqual(retried.dueAt, Timestamps.at(1_000_000 + 5_000))
  })

  it("goes on when it said so, and at once where somebody has asked for it meanwhile", () => {
    const later = Timestamps.at(9_000_000)
    const goesOn = (job: State) => Result.getOrThrow(next(job, { ...events.continue, dueAt: later } as JobEvent, rules))
    assert.strictEqual(goesOn(states.running).dueAt, later)
    assert.strictEqual(goesOn(states.wanted).dueAt, now)
  })

  it("pauses longer after every attempt, an hour at most", () => {
    assert.deepStrictEqual(
      [1, 2, 3, 4, 9, 10, 11, 1000].map(pause),
      [5_000, 10_000, 20_000, 40_000, 1_280_000, 2_560_000, 3_600_000, 3_600_000]
    )
  })

  it("keeps a claim exactly while it runs, whatever happens", () => {
    const step = fc.record({
      event: fc.constantFrom(...Object.values<JobEvent>(events)),
      wait: fc.nat(200),
      claim: fc.constantFrom("a", "b")
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        let job: State = { status: "waiting", attempts: 0, dueAt: now }
        let clock = 1_000_000
        for (const { event, wait, claim } of steps) {
          clock += wait
          const result = next(job, { ...event, now: Timestamps.at(clock), claim } as JobEvent, rules)
          if (Result.isFailure(result)) continue
          job = Object.assign({}, job, result.success) as State
          assert.strictEqual(job.status === "running", job.claim !== undefined)
          assert.isAtLeast(job.attempts, 0)
          assert.isAtMost(job.attempts, rules.attempts)
        }
      }),
      runs()
    )
  })
})
