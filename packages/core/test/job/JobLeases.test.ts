/** Jobs whose worker is gone, or stands still, and what comes of it. */
import { assert } from "@effect/vitest"
import * as Job from "@lectern/core/job/Job"
import { Jobs } from "@lectern/core/job/Jobs"
import * as Timestamps from "@lectern/core/schema/Timestamps"
import { Storage, type StorageError } from "@lectern/core/storage/Storage"
import { Clock, Deferred, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { pausableClock } from "../PausedProcess.ts"
import { NoteTable, onEveryStore, pass, soon, worker, Write } from "./WorkerSteps.ts"

onEveryStore("Jobs under a lease", (test) => {
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
      // No further at once than to the next renewal, which takes as long as the disk does.
      for (let i = 0; i < 124; i++) yield* pass("5 seconds")
      assert.strictEqual(runs, 1)
      assert.strictEqual((yield* jobs.get(id))?.status, "done")
    })
  )

  test(
    "are taken over when their worker stands still for longer than that, and nothing that it then writes counts",
    Effect.gen(function* () {
      const storage = yield* Storage
      const jobs = yield* Jobs
      const notes = storage.repository(NoteTable)
      const continued = yield* Deferred.make<void>()
      const refused: Array<StorageError> = []
      const id = yield* jobs.enqueue(Write, { id: "a" })
      const first = yield* worker(({ complete, continueWith }) =>
        Effect.gen(function* () {
          yield* notes.insert({ id: "while it holds the job" })
          yield* Deferred.await(continued)
          const insert = Effect.suspend(() => notes.insert({ id: `late ${refused.length}` }))
          const writes = [
            insert,
            storage.transaction(insert),
            storage.inSteps((step) => step(insert)),
            storage.transaction(Effect.andThen(insert, complete)),
            Effect.flatMap(Effect.forkChild(insert), Fiber.join),
            jobs.enqueue(Write, { id: "late" }),
            continueWith({ id: "late" })
          ]
          for (const write of writes) {
            const failure = yield* Effect.flip(write)
            if (failure._tag === "StorageError") refused.push(failure)
          }
        })
      )
      const { clock, pause } = yield* pausableClock
      yield* Effect.forkScoped(Effect.provideService(first.runDue, Clock.Clock, clock))
      yield* soon
      yield* pause
      yield* TestClock.adjust("16 seconds")

      const second = yield* worker(({ payload, complete }) =>
        storage.transaction(Effect.andThen(notes.insert({ id: payload.id }), complete))
      )
      assert.strictEqual(yield* second.runDue, 1)
      const rows = Effect.all([notes.list({ where: {} }), storage.repository(Job.JobTable).list({ where: {} })])
      const before = yield* rows
      yield* Deferred.succeed(continued, undefined)
      while (refused.length < 7) yield* soon
      yield* soon
      assert.deepStrictEqual(new Set(refused.map(({ reason }) => reason)), new Set(["lease-lost"]))
      assert.deepStrictEqual(yield* rows, before)
      assert.deepStrictEqual(
        before[0].map(({ id }) => id),
        ["a", "while it holds the job"]
      )
      assert.deepInclude(yield* jobs.get(id), { status: "done", attempts: 2 })
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
      yield* storage.repository(Job.JobTable).update({ id }, { lease: held.lease, status: held.status })
      let ran = 0
      yield* (yield* worker(() => Effect.sync(() => void ran++))).start
      yield* pass("14 seconds")
      assert.strictEqual(ran, 0)
      yield* pass("2 seconds")
      assert.strictEqual(ran, 1)
    })
  )

  test(
    "are another worker's at once where that knows who is gone, and nobody else's are",
    Effect.gen(function* () {
      const jobs = yield* Jobs
      const storage = yield* Storage
      const begun = Effect.fnUntraced(function* (id: string) {
        const one = yield* worker(() => Effect.never)
        const job = yield* jobs.enqueue(Write, { id })
        const running = yield* Effect.forkScoped(one.runDue)
        yield* soon
        return { job, running, name: one.name }
      })
      const killed = yield* begun("killed")
      const held = (yield* jobs.get(killed.job))!
      const alive = yield* begun("alive")
      yield* Fiber.interrupt(killed.running)
      // It wrote down nothing any more, and its clock was wrong.
      yield* storage
        .repository(Job.JobTable)
        .update({ id: killed.job }, { lease: { ...held.lease, until: Timestamps.at(1e13) }, status: held.status })
      const ran: Array<string> = []
      const next = yield* worker(({ payload }) => Effect.sync(() => void ran.push(payload.id)))
      yield* next.takeOverLeases(killed.name)
      yield* next.start
      yield* soon
      assert.deepStrictEqual(ran, ["killed"])
      assert.strictEqual((yield* jobs.get(alive.job))?.status, "running")
    })
  )

  test(
    "are interrupted where their lease was lost",
    Effect.gen(function* () {
      const jobs = yield* Jobs
      const storage = yield* Storage
      let interrupted = false
      const others = { holder: "another worker", number: 2, until: Timestamps.at(1e12) }
      yield* (yield* worker(() => Effect.onInterrupt(Effect.never, () => Effect.sync(() => (interrupted = true)))))
        .start
      const id = yield* jobs.enqueue(Write, { id: "a" })
      yield* soon
      yield* storage.repository(Job.JobTable).update({ id }, { lease: others })
      yield* pass("20 seconds")
      assert.isTrue(interrupted)
      assert.deepStrictEqual((yield* jobs.get(id))?.lease, others)
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
      yield* storage
        .repository(Job.JobTable)
        .update({ id }, { lease: { holder: "gone", number: 1, until: Timestamps.at(15_000) } })
      yield* pass("1 minute")
      const second = yield* worker(({ attempt }) => Effect.sync(() => (runs += attempt * 10)))
      yield* second.runDue
      assert.strictEqual(runs, 21)
    })
  )
})
