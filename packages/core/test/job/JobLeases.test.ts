/** Jobs whose worker is gone, or stands still, and what comes of it. */
import { assert } from "@effect/vitest"
import * as Job from "@lectern/core/job/Job"
import { Jobs } from "@lectern/core/job/Jobs"
import * as Timestamps from "@lectern/core/schema/Timestamps"
import { Storage } from "@lectern/core/storage/Storage"
import { Deferred, Effect, Exit, Fiber } from "effect"
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
        .update({ id: killed.job }, { claim: held.claim, dueAt: Timestamps.at(1e13), status: held.status })
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
      yield* (yield* worker(() => Effect.onInterrupt(Effect.never, () => Effect.sync(() => (interrupted = true)))))
        .start
      const id = yield* jobs.enqueue(Write, { id: "a" })
      yield* soon
      yield* storage.repository(Job.JobTable).update({ id }, { claim: "another worker's", dueAt: Timestamps.at(1e12) })
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
})
