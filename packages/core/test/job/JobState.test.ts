import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as fc from "fast-check"
import type { JobRow, JobRules, JobStatus } from "@lectern/core/job/Job"
import { type JobEvent, next } from "@lectern/core/job/JobState"
import type { Claim, Lease } from "@lectern/core/job/Lease"
import type { Timestamp } from "@lectern/core/schema/Text"
import * as Timestamps from "@lectern/core/schema/Timestamps"
import { runs } from "../Runs.ts"

const now = Timestamps.at(1_000_000)
const earlier = Timestamps.at(999_999)
const later = Timestamps.at(1_000_001)
const rules: JobRules = { attempts: 3 }

type State = Pick<JobRow, "status" | "attempts" | "lease" | "again">

const claim: Claim = { holder: "me", number: 1 }
const free = (until: Timestamp): Lease => ({ number: 1, until })
const held = (until: Timestamp): Lease => ({ ...claim, until })

const states = {
  waiting: { status: "waiting", attempts: 0, lease: free(earlier) },
  early: { status: "waiting", attempts: 0, lease: free(later) },
  running: { status: "running", attempts: 1, lease: held(later) },
  expired: { status: "running", attempts: 1, lease: held(earlier) },
  exhausted: { status: "running", attempts: 3, lease: held(earlier) },
  lastAttempt: { status: "running", attempts: 3, lease: held(later) },
  stolen: { status: "running", attempts: 2, lease: { holder: "me", number: 2, until: later } },
  wanted: { status: "running", attempts: 1, lease: held(later), again: true },
  done: { status: "done", attempts: 1, lease: free(earlier) },
  failed: { status: "failed", attempts: 3, lease: free(earlier) }
} satisfies Record<string, State>

const events = {
  claim: { type: "claim", now, holder: "me", duration: 100 },
  complete: { type: "complete", now, claim },
  continue: { type: "continue", now, claim, payload: 7 },
  fail: { type: "fail", now, claim, reason: "no", nonRetryable: false },
  giveUp: { type: "fail", now, claim, reason: "no", nonRetryable: true },
  release: { type: "release", now, claim },
  retry: { type: "retry", now }
} satisfies Record<string, JobEvent>

/** The status and the number of attempts after each event; what is not there is refused. */
const table: Record<keyof typeof states, Partial<Record<keyof typeof events, readonly [JobStatus, number]>>> = {
  waiting: { claim: ["running", 1] },
  early: {},
  running: {
    complete: ["done", 1],
    continue: ["waiting", 0],
    fail: ["waiting", 1],
    giveUp: ["failed", 1],
    release: ["waiting", 0]
  },
  // Nobody took it over, so it is this run's still.
  expired: {
    claim: ["running", 2],
    complete: ["done", 1],
    continue: ["waiting", 0],
    fail: ["waiting", 1],
    giveUp: ["failed", 1],
    release: ["waiting", 0]
  },
  exhausted: {
    claim: ["failed", 3],
    complete: ["done", 3],
    continue: ["waiting", 0],
    fail: ["failed", 3],
    giveUp: ["failed", 3],
    release: ["waiting", 2]
  },
  lastAttempt: {
    complete: ["done", 3],
    continue: ["waiting", 0],
    fail: ["failed", 3],
    giveUp: ["failed", 3],
    release: ["waiting", 2]
  },
  stolen: {},
  wanted: {
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
        if (found !== undefined) assert.strictEqual(found.lease?.holder !== undefined, found.status === "running")
      })
    }
  }

  it("gives a lease", () => {
    const result = next(states.waiting, events.claim, rules)
    assert.strictEqual(Result.getOrThrow(result).lease?.until, Timestamps.at(1_000_100))
  })

  it("says why it failed", () => {
    assert.strictEqual(Result.getOrThrow(next(states.running, events.giveUp, rules)).failure, "no")
    assert.match(Result.getOrThrow(next(states.exhausted, events.claim, rules)).failure ?? "", /ended before the job/)
  })

  it("brings a recurring job back after its interval, however it ended", () => {
    const daily: JobRules = { attempts: 3, every: { days: 1 } }
    for (const event of [events.complete, events.giveUp]) {
      const after = Result.getOrThrow(next(states.running, event, daily))
      assert.strictEqual(after.status, "waiting")
      assert.strictEqual(after.attempts, 0)
      assert.strictEqual(after.lease?.until, Timestamps.at(1_000_000 + 86_400_000))
    }
    const retried = Result.getOrThrow(next(states.running, events.fail, daily))
    assert.strictEqual(retried.lease?.until, Timestamps.at(1_000_000 + 5_000))
  })

  it("goes on when it said so, and at once where somebody has asked for it meanwhile", () => {
    const later = Timestamps.at(9_000_000)
    const goesOn = (job: State) => Result.getOrThrow(next(job, { ...events.continue, dueAt: later } as JobEvent, rules))
    assert.strictEqual(goesOn(states.running).lease?.until, later)
    assert.strictEqual(goesOn(states.wanted).lease?.until, now)
  })

  it("keeps a claim exactly while it runs, whatever happens", () => {
    const step = fc.record({
      event: fc.constantFrom(...Object.values<JobEvent>(events)),
      wait: fc.nat(200),
      holder: fc.constantFrom("me", "other"),
      number: fc.integer({ min: 1, max: 4 })
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        let job: State = { status: "waiting", attempts: 0, lease: { number: 0, until: now } }
        let clock = 1_000_000
        for (const { event, wait, holder, number } of steps) {
          clock += wait
          const given: object = { ...event, now: Timestamps.at(clock), holder, claim: { holder, number } }
          const result = next(job, given as JobEvent, rules)
          if (Result.isFailure(result)) continue
          const before = job.lease.number
          job = Object.assign({}, job, result.success) as State
          assert.strictEqual(job.status === "running", job.lease.holder !== undefined)
          assert.strictEqual(job.lease.number, event.type === "claim" && job.status === "running" ? before + 1 : before)
          assert.isAtLeast(job.attempts, 0)
          assert.isAtMost(job.attempts, rules.attempts)
        }
      }),
      runs()
    )
  })
})
