/** Jobs that are run: when, how often, and how they end. */
import { assert } from "@effect/vitest"
import * as Job from "@lectern/core/job/Job"
import { Jobs } from "@lectern/core/job/Jobs"
import * as Timestamps from "@lectern/core/schema/Timestamps"
import { StorageError } from "@lectern/core/storage/Storage"
import { Deferred, Duration, Effect, Exit, Schema, Scope } from "effect"
import { TestClock } from "effect/testing"
import { Note, onEveryStore, pass, soon, worker, workerOf, Write } from "./WorkerSteps.ts"

/** Of a worker that is told nothing. */
const patience = { seconds: 10 }

onEveryStore("Jobs that are run", (test) => {
  test(
    "run when they are due and not before",
    Effect.gen(function* () {
      const jobs = yield* Jobs
      const ran: Array<string> = []
      yield* (yield* worker(({ payload }) => Effect.sync(() => void ran.push(payload.id)), {
        poll: { days: 1 }
      })).start
      yield* jobs.enqueue(Write, { id: "late" }, { runAt: Timestamps.at(Duration.toMillis("7 days")) })
      yield* jobs.enqueue(Write, { id: "now" })
      yield* soon
      assert.deepStrictEqual(ran, ["now"])
      yield* TestClock.setTime(Duration.toMillis("7 days") - 1)
      yield* soon
      assert.deepStrictEqual(ran, ["now"])
      yield* pass(1)
      assert.deepStrictEqual(ran, ["now", "late"])
    })
  )

  test(
    "are tried again after longer and longer pauses, then fail for a reason one can read",
    Effect.gen(function* () {
      const jobs = yield* Jobs
      const at: Array<number> = []
      yield* (yield* worker(
        () =>
          Effect.flatMap(Timestamps.now, (now) => {
            at.push(Date.parse(now))
            return Effect.fail(new StorageError({ reason: "failed", message: "The moon is\u0000 full" }))
          }),
        { poll: { days: 1 } }
      )).start
      const id = yield* jobs.enqueue(Write, { id: "a" })
      yield* soon
      for (let i = 0; i < 9; i++) yield* pass("1 hour")
      const pauses = at.slice(1).map((time, i) => time - at[i]!)
      assert.strictEqual(at.length, 10)
      for (const [i, pause] of pauses.entries()) assert.isAtLeast(pause, Math.min(5_000 * 2 ** i, 3_600_000))
      const job = yield* jobs.get(id)
      assert.strictEqual(job?.status, "failed")
      assert.strictEqual(job?.failure, "The moon is� full")
      assert.isTrue(yield* jobs.retry(id))
      assert.isFalse(yield* jobs.retry(id))
      yield* soon
      assert.strictEqual(at.length, 11)
    })
  )

  test(
    "pause for 5 seconds, then for 10, to the millisecond",
    Effect.gen(function* () {
      const jobs = yield* Jobs
      let runs = 0
      yield* (yield* worker(() => Effect.suspend(() => (++runs < 3 ? Effect.fail("no") : Effect.void)))).start
      yield* jobs.enqueue(Write, { id: "a" })
      for (const [wait, expected] of [
        [0, 1],
        [4_999, 1],
        [1, 2],
        [9_999, 2],
        [1, 3]
      ] as const) {
        yield* pass(wait)
        assert.strictEqual(runs, expected)
      }
    })
  )

  test(
    "fail at once where no attempt would help, or where the payload is another one's",
    Effect.gen(function* () {
      const jobs = yield* Jobs
      const { runDue } = yield* worker(() =>
        Effect.fail(new Job.JobNotRetryable({ message: "The space is made of cheese" }))
      )
      const hopeless = yield* jobs.enqueue(Write, { id: "a" })
      const odd = yield* jobs.enqueue(Job.kind("write", Schema.Struct({ no: Schema.Int })), { no: 1 })
      assert.strictEqual(yield* runDue, 2)
      assert.strictEqual((yield* jobs.get(hopeless))?.failure, "The space is made of cheese")
      assert.strictEqual((yield* jobs.get(odd))?.status, "failed")
    })
  )

  test(
    "are left alone by workers that don't know their kind",
    Effect.gen(function* () {
      const jobs = yield* Jobs
      const id = yield* jobs.enqueue(Job.kind("unheard", Note), { id: "a" })
      const { runDue } = yield* worker(() => Effect.void)
      assert.strictEqual(yield* runDue, 0)
      assert.strictEqual((yield* jobs.get(id))?.status, "waiting")
    })
  )

  test(
    "never run more than so many at once, and each only once",
    Effect.gen(function* () {
      const jobs = yield* Jobs
      const ran: Array<string> = []
      let running = 0
      let most = 0
      const run = ({ payload }: Job.RunningJob<{ readonly id: string }>) =>
        Effect.gen(function* () {
          most = Math.max(most, ++running)
          ran.push(payload.id)
          yield* Effect.sleep(100)
          running--
        })
      yield* (yield* worker(run, { concurrency: 3 })).start
      for (let i = 0; i < 10; i++) yield* jobs.enqueue(Write, { id: String(i) })
      for (let i = 0; i < 5; i++) yield* pass(100)
      assert.strictEqual(most, 3)
      assert.deepStrictEqual(ran.toSorted(), ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"])
      assert.strictEqual((yield* jobs.list({ status: "done" })).length, 10)
    })
  )

  test(
    "go on with another payload in a run of its own",
    Effect.gen(function* () {
      const jobs = yield* Jobs
      const seen: Array<string> = []
      const { runDue } = yield* worker(({ payload, continueWith }) =>
        Effect.gen(function* () {
          seen.push(payload.id)
          if (payload.id.length < 3) yield* continueWith({ id: `${payload.id}a` })
        })
      )
      yield* jobs.enqueue(Write, { id: "a" })
      assert.strictEqual(yield* runDue, 3)
      assert.deepStrictEqual(seen, ["a", "aa", "aaa"])
      assert.strictEqual((yield* jobs.list({ status: "done" })).length, 1)
    })
  )

  test(
    "may finish at shutdown, and nothing new begins",
    Effect.gen(function* () {
      const jobs = yield* Jobs
      const scope = yield* Scope.make()
      const go = yield* Deferred.make<void>()
      yield* (yield* worker(() => Deferred.await(go), { concurrency: 1, shutdownTimeout: patience })).start.pipe(
        Scope.provide(scope)
      )
      const running = yield* jobs.enqueue(Write, { id: "a" })
      yield* soon
      const waiting = yield* jobs.enqueue(Write, { id: "b" })
      yield* soon
      const closing = yield* Effect.forkScoped(Scope.close(scope, Exit.void))
      yield* soon
      assert.isUndefined(closing.pollUnsafe())
      yield* Deferred.succeed(go, undefined)
      yield* soon
      assert.isDefined(closing.pollUnsafe())
      assert.strictEqual((yield* jobs.get(running))?.status, "done")
      assert.strictEqual((yield* jobs.get(waiting))?.status, "waiting")
    })
  )

  test(
    "go back to wait at shutdown where they take too long, with the attempt given back",
    Effect.gen(function* () {
      const jobs = yield* Jobs
      const scope = yield* Scope.make()
      yield* (yield* worker(() => Effect.never, { shutdownTimeout: patience })).start.pipe(Scope.provide(scope))
      const id = yield* jobs.enqueue(Write, { id: "a" })
      yield* soon
      const closing = yield* Effect.forkScoped(Scope.close(scope, Exit.void))
      yield* soon
      assert.strictEqual((yield* jobs.get(id))?.status, "running")
      yield* pass("10 seconds")
      assert.isDefined(closing.pollUnsafe())
      const job = yield* jobs.get(id)
      assert.strictEqual(job?.status, "waiting")
      assert.strictEqual(job?.attempts, 0)
      assert.isUndefined(job?.failure)
    })
  )

  test(
    "recur as often as before where the clock was ahead for a while",
    Effect.gen(function* () {
      const jobs = yield* Jobs
      const Daily = Job.recurring("daily", { days: 1 })
      const { start } = yield* workerOf(
        Job.handler(Daily, () => Effect.void),
        { poll: { days: 1 } }
      )
      yield* start
      const due = Effect.map(jobs.list({ status: "waiting" }), ([job]) => job?.lease.until)
      yield* pass("30 days")
      assert.strictEqual(yield* due, Timestamps.at(Duration.toMillis("31 days")))
      yield* TestClock.setTime(Duration.toMillis("1 hour"))
      yield* jobs.signal.open
      yield* soon
      assert.strictEqual(yield* due, Timestamps.at(Duration.toMillis("25 hours")))
    })
  )

  test(
    "recur: one of each, every so often",
    Effect.gen(function* () {
      const jobs = yield* Jobs
      let runs = 0
      const Daily = Job.recurring("daily", { days: 1 })
      const handler = Job.handler(Daily, () =>
        Effect.suspend(() =>
          ++runs === 2 ? Effect.fail(new Job.JobNotRetryable({ message: "not today" })) : Effect.void
        )
      )
      const { runDue } = yield* workerOf(handler)
      assert.strictEqual(yield* runDue, 0)
      for (let day = 1; day <= 3; day++) {
        yield* TestClock.adjust("1 day")
        assert.strictEqual(yield* runDue, 1)
        assert.strictEqual((yield* jobs.list({ status: "waiting" })).length, 1)
      }
      assert.strictEqual(runs, 3)
    })
  )
})
