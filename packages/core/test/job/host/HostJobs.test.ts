import { HostJobs } from "@lectern/core/job/host/HostJobs"
import * as Job from "@lectern/core/job/Job"
import { JobHandlers } from "@lectern/core/job/JobHandlers"
import { JobWorker } from "@lectern/core/job/JobWorker"
import { Storage } from "@lectern/core/storage/Storage"
import { assert, describe } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import { members, outcome, outcomes, ruleOn } from "../../Actors.ts"
import { onEach } from "../../Adapters.ts"
import { adapters } from "../../Instances.ts"
import { invalidPaths } from "../../Issues.ts"

const Digest = Job.kind("acme/send-digest", Schema.Struct({ user: Schema.String }), { attempts: 2 })

for (const [name, services] of onEach(adapters)) {
  describe(`HostJobs (${name})`, () => {
    const rule = ruleOn(services)

    rule("are for the host only", () =>
      Effect.gen(function* () {
        const { people } = yield* members
        const jobs = yield* HostJobs
        const id = yield* jobs.enqueue(Digest, { user: "1" })
        for (const use of [
          jobs.enqueue(Digest, { user: "2" }),
          jobs.get(id),
          jobs.list({ status: "waiting" }),
          jobs.retry(id)
        ]) {
          assert.deepStrictEqual(yield* outcomes(people, use), {
            ok: "host",
            Forbidden: "admin create review edit comment read guest outsider"
          })
        }
      })
    )

    rule("run with their input when they are due", () =>
      Effect.gen(function* () {
        const jobs = yield* HostJobs
        const { runDue } = yield* JobWorker
        const ran: Array<string> = []
        yield* (yield* JobHandlers).handle(Digest, ({ payload, attempt }) =>
          Effect.sync(() => void ran.push(`${payload.user}: ${attempt}`))
        )
        const id = yield* jobs.enqueue(Digest, { user: "now" })
        yield* jobs.enqueue(Digest, { user: "later" }, { runAt: "1970-01-01T01:00:00Z" })
        yield* runDue
        assert.deepStrictEqual(ran, ["now: 1"])
        assert.strictEqual((yield* jobs.get(id))?.status, "done")
        yield* TestClock.adjust("1 hour")
        yield* runDue
        assert.deepStrictEqual(ran, ["now: 1", "later: 1"])
      })
    )

    rule("wait while no process handles their kind", () =>
      Effect.gen(function* () {
        const jobs = yield* HostJobs
        const { runDue } = yield* JobWorker
        const id = yield* jobs.enqueue(Digest, { user: "1" })
        yield* runDue
        assert.strictEqual((yield* jobs.get(id))?.status, "waiting")
        yield* (yield* JobHandlers).handle(Digest, () => Effect.void)
        yield* runDue
        assert.strictEqual((yield* jobs.get(id))?.status, "done")
      })
    )

    rule("with a key exist once while they wait", () =>
      Effect.gen(function* () {
        const jobs = yield* HostJobs
        const ids = yield* Effect.all(
          [1, 2, 3].map(() => jobs.enqueue(Digest, { user: "1" }, { key: "daily" })),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(new Set(ids).size, 1)
        const other = yield* jobs.enqueue(Digest, { user: "1" }, { key: "weekly" })
        assert.notStrictEqual(other, ids[0])
        const Other = Job.kind("acme/other", Digest.payload)
        assert.notStrictEqual(yield* jobs.enqueue(Other, { user: "1" }, { key: "daily" }), ids[0])
      })
    )

    rule("exist only if the transaction that enqueues them commits", () =>
      Effect.gen(function* () {
        const jobs = yield* HostJobs
        const enqueue = jobs.enqueue(Digest, { user: "1" })
        yield* Effect.flip((yield* Storage).transaction(Effect.andThen(enqueue, Effect.fail("undone" as const))))
        assert.deepStrictEqual(yield* jobs.list({ status: "waiting", kind: Digest.name }), [])
      })
    )

    rule("fail after their attempts, and can then be retried once", () =>
      Effect.gen(function* () {
        const jobs = yield* HostJobs
        const { runDue } = yield* JobWorker
        let attempts = 0
        yield* (yield* JobHandlers).handle(Digest, () => Effect.suspend(() => (attempts++, Effect.fail("offline"))))
        const id = yield* jobs.enqueue(Digest, { user: "1" }, { key: "daily" })
        for (let i = 0; i < 3; i++) {
          yield* runDue
          yield* TestClock.adjust("1 hour")
        }
        assert.deepInclude(yield* jobs.get(id), { status: "failed", attempts: 2, failure: "offline" })
        assert.deepStrictEqual((yield* jobs.list({ status: "failed" })).length, 1)
        assert.isTrue(yield* jobs.retry(id))
        assert.isFalse(yield* jobs.retry(id))
        yield* runDue
        assert.strictEqual(attempts, 3)
      })
    )

    rule("are not retried while another job with their key is unfinished", () =>
      Effect.gen(function* () {
        const jobs = yield* HostJobs
        const { runDue } = yield* JobWorker
        const refuse = Effect.fail(new Job.JobNotRetryable({ message: "Unknown user" }))
        yield* (yield* JobHandlers).handle(Digest, () => refuse)
        const id = yield* jobs.enqueue(Digest, { user: "1" }, { key: "daily" })
        yield* runDue
        assert.deepInclude(yield* jobs.get(id), { status: "failed", attempts: 1, failure: "Unknown user" })
        yield* jobs.enqueue(Digest, { user: "1" }, { key: "daily" })
        assert.isFalse(yield* jobs.retry(id))
      })
    )

    rule("are removed 7 days after they are done", () =>
      Effect.gen(function* () {
        const jobs = yield* HostJobs
        const { runDue } = yield* JobWorker
        yield* (yield* JobHandlers).handle(Digest, () => Effect.void)
        const id = yield* jobs.enqueue(Digest, { user: "1" })
        yield* runDue
        for (const [days, isStored] of [
          [6, true],
          [3, false]
        ] as const) {
          yield* TestClock.adjust(`${days} days`)
          yield* runDue
          assert.strictEqual((yield* jobs.get(id)) !== undefined, isStored)
        }
      })
    )

    rule("reject invalid input, keys, times and kinds", () =>
      Effect.gen(function* () {
        const jobs = yield* HostJobs
        const paths = (...args: Parameters<typeof jobs.enqueue<{ readonly user: string }>>) =>
          invalidPaths(jobs.enqueue(...args))
        assert.strictEqual(yield* paths(Digest, { user: 1 as unknown as string }), "user")
        assert.strictEqual(yield* paths(Digest, { user: "a".repeat(64 * 1024) }), "input")
        assert.strictEqual(yield* paths(Digest, { user: "1" }, { key: "" }), "key")
        assert.strictEqual(yield* paths(Digest, { user: "1" }, { key: "a".repeat(201) }), "key")
        assert.strictEqual(yield* paths(Digest, { user: "1" }, { runAt: "soon" }), "runAt")
        for (const kind of ["remove-space", "acme/Send", "acme/a/b", `acme/${"a".repeat(51)}`]) {
          assert.strictEqual(yield* paths(Job.kind(kind, Digest.payload), { user: "1" }), "kind")
        }
        assert.strictEqual(yield* invalidPaths(jobs.list({ status: "waiting", limit: 1001 })), "limit")
        assert.deepStrictEqual(yield* jobs.list({ status: "waiting", kind: Digest.name }), [])
        assert.strictEqual(yield* outcome(jobs.get(Job.JobId.make("unknown"))), "ok")
      })
    )
  })
}
