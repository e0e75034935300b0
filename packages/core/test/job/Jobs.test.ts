/** Jobs that are asked for: there with what caused them, and one for each key. */
import { assert } from "@effect/vitest"
import { Jobs } from "@lectern/core/job/Jobs"
import * as Timestamps from "@lectern/core/schema/Timestamps"
import { Storage, StorageError } from "@lectern/core/storage/Storage"
import { Effect } from "effect"
import { onEveryStore, soon, worker, Write } from "./WorkerSteps.ts"

onEveryStore("Jobs", (test) => {
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
        const opened = jobs.signal.next
        yield* enqueue
        const waiting = yield* Effect.forkChild(opened.await)
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
})
