import { assert, describe, it } from "@effect/vitest"
import { MemoryStorage } from "@lectern/adapter-memory/MemoryStorage"
import { SqliteStorage } from "@lectern/adapter-sqlite/SqliteStorage"
import { Ids } from "@lectern/core/identity/Ids"
import * as Job from "@lectern/core/job/Job"
import { JobHandlers } from "@lectern/core/job/JobHandlers"
import { Jobs } from "@lectern/core/job/Jobs"
import { JobWorker, type JobWorkerOptions } from "@lectern/core/job/JobWorker"
import * as Timestamps from "@lectern/core/schema/Timestamps"
import { Storage, StorageError } from "@lectern/core/storage/Storage"
import * as Table from "@lectern/core/storage/Table"
import { Context, Deferred, Duration, Effect, Exit, Fiber, Layer, Schema, Scope } from "effect"
import { TestClock } from "effect/testing"
import { temporaryFile } from "../../../adapter-sqlite/test/TemporaryFile.ts"
import { turns } from "../Turns.ts"

const Note = Schema.Struct({ id: Schema.String })
const NoteTable = Table.make("note", Note, { key: ["id"] })
const Write = Job.kind("write", Note)

const adapters = {
  memory: MemoryStorage.layer,
  sqlite: Layer.unwrap(Effect.map(temporaryFile, (filename) => SqliteStorage.layer({ filename })))
}

/** Until whatever needs no timer has gone on. */
const soon = turns(20)

const pass = (duration: Duration.Input) => Effect.andThen(TestClock.adjust(duration), soon)

const workerOf = (handler: Job.JobHandler, options?: JobWorkerOptions) =>
  Effect.map(
    Layer.build(JobWorker.layer([Effect.succeed(handler)], options).pipe(Layer.provide(JobHandlers.layer))),
    (context) => Context.get(context, JobWorker)
  )

const worker = (
  run: (job: Job.RunningJob<typeof Note.Type>) => Effect.Effect<void, unknown>,
  options?: JobWorkerOptions
) => workerOf(Job.handler(Write, run), options)

for (const [name, storageLayer] of Object.entries(adapters)) {
  const services = Jobs.layer.pipe(Layer.provideMerge(Ids.layer), Layer.provideMerge(storageLayer))
  const test = (title: string, body: Effect.Effect<void, unknown, Storage | Jobs | Ids | Scope.Scope>) =>
    it.effect(title, () => soon.pipe(Effect.andThen(body), Effect.provide(services)))

  describe(`Jobs (${name})`, () => {
    test(
      "are there exactly if what caused them is",
      Effect.gen(function* () {
        const storage = yield* Storage
        const jobs = yield* Jobs
        const undone = storage.transaction(Effect.andThen(jobs.enqueue(Write, { id: "a" }), Effect.fail("no" as const)))
        assert.strictEqual(yield* Effect.flip(undone), "no")
        assert.isEmpty(yield* jobs.list({ status: "waiting" }))
        const id = yield* storage.transaction(jobs.enqueue(Write, { id: "b" }))
        assert.deepStrictEqual((yield* jobs.get(id))?.payload, { id: "b" })
        // One that was found, and then undone, is not taken for one that is there.
        const named = jobs.enqueue(Write, { id: "c" }, { key: "k" })
        yield* Effect.flip(storage.transaction(Effect.andThen(Effect.all([named, named]), Effect.fail("no" as const))))
        assert.strictEqual((yield* jobs.get(yield* named))?.status, "waiting")
      })
    )

    test(
      "wake workers where there is something new to do, and not where one with their key waits or runs",
      Effect.gen(function* () {
        const storage = yield* Storage
        const jobs = yield* Jobs
        const wakes = Effect.fnUntraced(function* (enqueue: Effect.Effect<unknown, StorageError>) {
          yield* jobs.arrival.close
          yield* enqueue
          const waiting = yield* Effect.forkChild(jobs.arrival.await)
          yield* soon
          return waiting.pollUnsafe() !== undefined
        })
        const sooner = jobs.enqueue(Write, { id: "a" }, { key: "k" })
        const later = jobs.enqueue(Write, { id: "a" }, { key: "k", runAt: Timestamps.at(60_000) })
        const seen: Array<boolean> = []
        const { runDue } = yield* worker(() =>
          Effect.gen(function* () {
            if (seen.length === 4) seen.push(yield* Effect.provideService(wakes(sooner), Storage, storage))
          })
        )
        for (const enqueue of [later, later, sooner, sooner]) seen.push(yield* wakes(enqueue))
        assert.strictEqual(yield* runDue, 2)
        assert.deepStrictEqual(seen, [true, false, true, false, false])
      })
    )

    test(
      "with the same key are one while they wait, and run once more when asked for while they run",
      Effect.gen(function* () {
        const jobs = yield* Jobs
        let runs = 0
        const { runDue } = yield* worker(({ payload }) =>
          Effect.gen(function* () {
            if (payload.id === "a" && runs++ === 0) yield* jobs.enqueue(Write, { id: "a" }, { key: "k" })
          })
        )
        const first = yield* jobs.enqueue(Write, { id: "a" }, { key: "k" })
        assert.strictEqual(yield* jobs.enqueue(Write, { id: "a" }, { key: "k" }), first)
        assert.notStrictEqual(yield* jobs.enqueue(Write, { id: "b" }, { key: "other" }), first)
        assert.strictEqual(yield* runDue, 3)
        assert.strictEqual(runs, 2)
        assert.strictEqual((yield* jobs.list({ status: "done" })).length, 2)
        assert.notStrictEqual(yield* jobs.enqueue(Write, { id: "a" }, { key: "k" }), first)
      })
    )

    test(
      "run when they are due and not before",
      Effect.gen(function* () {
        const jobs = yield* Jobs
        const ran: Array<string> = []
        yield* (yield* worker(({ payload }) => Effect.sync(() => void ran.push(payload.id)), {
          poll: Duration.days(1)
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
          { poll: Duration.days(1) }
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
          Effect.fail(new Job.JobHopeless({ message: "The space is made of cheese" }))
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
      "keep their lease while they run, however long that is",
      Effect.gen(function* () {
        const jobs = yield* Jobs
        let runs = 0
        const run = () =>
          Effect.andThen(
            Effect.sync(() => runs++),
            Effect.sleep("10 minutes")
          )
        yield* (yield* worker(run)).start
        yield* (yield* worker(run)).start
        const id = yield* jobs.enqueue(Write, { id: "a" })
        for (let i = 0; i < 31; i++) yield* pass("20 seconds")
        assert.strictEqual(runs, 1)
        assert.strictEqual((yield* jobs.get(id))?.status, "done")
      })
    )

    test(
      "are taken over when their worker is gone, and what it still writes is refused",
      Effect.gen(function* () {
        const storage = yield* Storage
        const jobs = yield* Jobs
        const notes = storage.repository(NoteTable)
        const effect = (id: string, complete: Job.RunningJob<unknown>["complete"]) =>
          storage.transaction(Effect.andThen(notes.insert({ id }), complete))
        const stalled = yield* Deferred.make<void>()
        const resumed = yield* Deferred.make<Exit.Exit<void, unknown>>()

        // A worker whose process stands still: it neither renews nor ends.
        const id = yield* jobs.enqueue(Write, { id: "a" })
        const frozen = yield* worker(({ complete }) =>
          Effect.uninterruptible(
            Effect.gen(function* () {
              yield* Deferred.await(stalled)
              yield* Deferred.succeed(resumed, yield* Effect.exit(effect("frozen", complete)))
            })
          )
        )
        yield* Effect.forkScoped(frozen.runDue)
        yield* soon
        yield* storage
          .repository(Job.JobTable)
          .update({ id }, { dueAt: Timestamps.at(0), claim: "as if its lease had ended", status: "waiting" })

        const second = yield* worker(({ payload, complete }) => effect(payload.id, complete))
        assert.strictEqual(yield* second.runDue, 1)
        yield* Deferred.succeed(stalled, undefined)
        const exit = yield* Deferred.await(resumed)
        assert.include(String(exit), "JobLost")
        assert.isUndefined(yield* notes.get({ id: "frozen" }))
        assert.isDefined(yield* notes.get({ id: "a" }))
        assert.strictEqual((yield* jobs.get(id))?.status, "done")
      })
    )

    test(
      "are another worker's after 15 seconds without a sign of life",
      Effect.gen(function* () {
        const jobs = yield* Jobs
        const storage = yield* Storage
        const id = yield* jobs.enqueue(Write, { id: "a" })
        const killed = yield* Effect.forkScoped((yield* worker(() => Effect.never)).runDue)
        yield* soon
        const held = (yield* jobs.get(id))!
        yield* Fiber.interrupt(killed)
        // It wrote down nothing any more.
        yield* storage
          .repository(Job.JobTable)
          .update({ id }, { claim: held.claim, dueAt: held.dueAt, status: held.status })
        let ran = 0
        yield* (yield* worker(() => Effect.sync(() => void ran++))).start
        yield* pass("14 seconds")
        assert.strictEqual(ran, 0)
        yield* pass("2 seconds")
        assert.strictEqual(ran, 1)
      })
    )

    test(
      "are interrupted where their lease was lost",
      Effect.gen(function* () {
        const jobs = yield* Jobs
        const storage = yield* Storage
        let interrupted = false
        yield* (yield* worker(() => Effect.onInterrupt(Effect.never, () => Effect.sync(() => (interrupted = true)))))
          .start
        const id = yield* jobs.enqueue(Write, { id: "a" })
        yield* soon
        yield* storage
          .repository(Job.JobTable)
          .update({ id }, { claim: "another worker's", dueAt: Timestamps.at(1e12) })
        yield* pass("20 seconds")
        assert.isTrue(interrupted)
        assert.strictEqual((yield* jobs.get(id))?.claim, "another worker's")
      })
    )

    test(
      "happen once where their effect and their end are one transaction, though the end was never reported",
      Effect.gen(function* () {
        const storage = yield* Storage
        const jobs = yield* Jobs
        const notes = storage.repository(NoteTable)
        const id = yield* jobs.enqueue(Write, { id: "a" })
        const crashing = yield* worker(({ payload, complete }) =>
          storage
            .transaction(Effect.andThen(notes.insert({ id: payload.id }), complete))
            .pipe(Effect.andThen(Effect.die("the process was killed here")))
        )
        yield* crashing.runDue
        yield* pass("2 hours")
        const second = yield* worker(() => Effect.die("must not run again"))
        assert.strictEqual(yield* second.runDue, 0)
        assert.strictEqual((yield* jobs.get(id))?.status, "done")
      })
    )

    test(
      "happen again where a crash came between their effect and their end",
      Effect.gen(function* () {
        const jobs = yield* Jobs
        let runs = 0
        const storage = yield* Storage
        const id = yield* jobs.enqueue(Write, { id: "a" })
        const crashing = yield* worker(() =>
          Effect.andThen(
            Effect.sync(() => runs++),
            Effect.never
          )
        )
        yield* Effect.forkScoped(crashing.runDue)
        yield* soon
        assert.strictEqual(runs, 1)
        // What a killed process leaves: a row that says it runs, and nobody who renews that.
        yield* storage.repository(Job.JobTable).update({ id }, { claim: "gone" })
        yield* pass("1 minute")
        const second = yield* worker(({ attempt }) => Effect.sync(() => (runs += attempt * 10)))
        yield* second.runDue
        assert.strictEqual(runs, 21)
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
        yield* (yield* worker(() => Deferred.await(go), { concurrency: 1 })).start.pipe(Scope.provide(scope))
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
        yield* (yield* worker(() => Effect.never)).start.pipe(Scope.provide(scope))
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
      "recur: one of each, every so often",
      Effect.gen(function* () {
        const jobs = yield* Jobs
        let runs = 0
        const Daily = Job.recurring("daily", Duration.days(1))
        const handler = Job.handler(Daily, () =>
          Effect.suspend(() =>
            ++runs === 2 ? Effect.fail(new Job.JobHopeless({ message: "not today" })) : Effect.void
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
}
