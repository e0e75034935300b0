/** What integrations may pile up: tasks and events that wait. */
import { JobWorker } from "@lectern/core/job/JobWorker"
import { keyOf } from "@lectern/core/integration/Integration"
import { IntegrationEventTable, IntegrationQueueTable, maxQueued } from "@lectern/core/integration/IntegrationEvent"
import { IntegrationTaskTable, maxWaitingTasks } from "@lectern/core/integration/IntegrationTask"
import type { Sealed } from "@lectern/core/schema/Sealed"
import { Storage } from "@lectern/core/storage/Storage"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { Harness, has, onMemory, refused } from "./Harness.ts"
import { installed, program } from "./IntegrationSteps.ts"
import { UnsafeRuntime } from "./UnsafeRuntime.ts"

onMemory(
  "The limits of integrations",
  (it) => {
    it.effect("refuse one more task than may wait, and take it once another is done", () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        const { name } = yield* installed({ script: program("return new Response()") })
        const storage = yield* Storage
        const tasks = storage.repository(IntegrationTaskTable)
        const later = call("admin", "POST", `/v1/integrations/${name}/tasks`, { task: { later: true }, schedule: 60 })
        yield* later.pipe(has(204))
        yield* storage.transaction(
          Effect.forEach(
            Array.from({ length: maxWaitingTasks - 1 }),
            (_, i) => {
              const task = "1.none.none" as Sealed<never>
              const createdAt = "2026-01-01T00:00:00.000Z" as never
              return Effect.orDie(tasks.insert({ id: `${name}-${i}`, integration: keyOf(name), task, createdAt }))
            },
            { discard: true }
          )
        )
        const { message } = yield* later.pipe(refused(429))
        assert.match(message, /At most 10,000 tasks/)
        yield* TestClock.adjust("1 minute")
        yield* (yield* JobWorker).runDue
        yield* later.pipe(has(204))
      })
    )

    it.effect(
      "record the oldest event as failed where too many wait for one that can't be reached, and keep the newest",
      () =>
        Effect.gen(function* () {
          const { call } = yield* Harness
          const { name, id, path } = yield* installed({
            script: program(`if (globalThis.isReached !== true) throw new Error("unreachable"); return new Response()`)
          })
          const storage = yield* Storage
          const queues = storage.repository(IntegrationQueueTable)
          const events = storage.repository(IntegrationEventTable)
          const configure = (city: string) => call("admin", "PATCH", path, { configuration: { city } }).pipe(has(200))
          const queue = Effect.map(queues.get({ receiver: id }), (row) => row?.waiting)
          yield* (yield* JobWorker).runDue
          yield* configure("Oslo")
          yield* configure("Bergen")
          assert.strictEqual(yield* queue, 3)
          const [oldest] = yield* events.list({ where: { queue: id }, order: ["id"] })

          // As if so many more waited in between.
          yield* Effect.orDie(queues.update({ receiver: id }, { waiting: maxQueued }))
          yield* configure("Tromsø")
          assert.strictEqual(yield* queue, maxQueued)
          assert.strictEqual((yield* events.list({ where: { queue: id } })).length, 3)
          const told = yield* call("admin", "GET", `/v1/integrations/${name}/events/${oldest!.id}`).pipe(has(200))
          const { event, trace } = JSON.parse(told.text)
          assert.strictEqual(event.status, "failed")
          assert.match(trace.logs[0].message, /10,000 events behind it wait/)

          // What waits is delivered in order once it is reached, and nothing is left that waits.
          ;(globalThis as { isReached?: boolean }).isReached = true
          yield* TestClock.adjust("1 hour")
          yield* (yield* JobWorker).runDue
          delete (globalThis as { isReached?: boolean }).isReached
          assert.isUndefined(yield* queue)
          assert.strictEqual((yield* events.list({ where: { queue: id } })).length, 0)
          const done = yield* call("admin", "GET", `/v1/integrations/${name}/events`).pipe(has(200))
          const outcomes = JSON.parse(done.text).items.map(({ status }: { status: string }) => status)
          assert.deepStrictEqual(outcomes, ["success", "success", "success", "failed"])
        })
    )
  },
  { integrationRuntime: UnsafeRuntime.layer }
)
