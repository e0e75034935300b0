/** Deliveries of a process that is paused for longer than the lease of its job. */
import { SqliteStorage } from "@lectern/adapter-sqlite/SqliteStorage"
import { IntegrationEventTable, IntegrationQueueTable } from "@lectern/core/integration/IntegrationEvent"
import { IntegrationTasks } from "@lectern/core/integration/IntegrationTasks"
import { JobTable } from "@lectern/core/job/Job"
import { JobWorker } from "@lectern/core/job/JobWorker"
import { Storage } from "@lectern/core/storage/Storage"
import { assert, it } from "@effect/vitest"
import { Clock, Deferred, Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { temporaryFile } from "../../../adapter-sqlite/test/TemporaryFile.ts"
import { actor, instance } from "../Instances.ts"
import { pausableClock } from "../PausedProcess.ts"
import { turns } from "../Turns.ts"
import { installed } from "./IntegrationMembers.ts"
import { programs } from "./Programs.ts"

it.effect("outcomes of a process that stood still are not written after another took over its deliveries", () =>
  Effect.gen(function* () {
    const filename = yield* temporaryFile
    const open = (status: number, wait: Effect.Effect<void>) =>
      Layer.build(
        instance(
          SqliteStorage.layer({ filename }),
          programs(() => ({ status }), wait)
        )
      )
    const runDue = JobWorker.use((worker) => worker.runDue)
    const setup = yield* open(200, Effect.void)
    yield* Effect.andThen(installed({ visibility: "public" }), runDue).pipe(Effect.provideContext(setup))
    yield* IntegrationTasks.use((tasks) => tasks.queue("weather", { task: {} })).pipe(Effect.provideContext(setup))
    const turnsOfAll = Effect.provideContext(turns(20), setup)
    const rows = Storage.use((storage) =>
      Effect.all({
        events: storage.repository(IntegrationEventTable).list({ where: {} }),
        queues: storage.repository(IntegrationQueueTable).list({ where: {} }),
        jobs: storage.repository(JobTable).list({ where: {} })
      })
    ).pipe(Effect.provideContext(setup))

    const stateOfTask = ({ events }: Effect.Success<typeof rows>) =>
      events.find(({ receiver }) => receiver.startsWith("tasks of weather"))?.state

    const { clock, pause, resume } = yield* pausableClock
    const gates = [yield* Deferred.make<void>(), yield* Deferred.make<void>()] as const
    const begun = [yield* Deferred.make<void>(), yield* Deferred.make<void>()] as const
    const program = (i: 0 | 1) => Effect.andThen(Deferred.succeed(begun[i], undefined), Deferred.await(gates[i]))
    const first = yield* Effect.provideService(open(500, program(0)), Clock.Clock, clock)
    const second = yield* open(200, program(1))
    const paused = yield* runDue.pipe(
      Effect.provideContext(first),
      Effect.provideService(Clock.Clock, clock),
      Effect.forkScoped
    )
    yield* Deferred.await(begun[0])
    yield* turnsOfAll
    yield* pause
    yield* TestClock.adjust("16 seconds")
    const delivering = yield* Effect.forkScoped(Effect.provideContext(runDue, second))
    yield* Deferred.await(begun[1])
    const before = yield* rows
    assert.strictEqual(stateOfTask(before), "queued")
    yield* Deferred.succeed(gates[0], undefined)
    yield* Fiber.join(paused)
    assert.deepStrictEqual(yield* rows, before)
    yield* Deferred.succeed(gates[1], undefined)
    yield* Fiber.join(delivering)
    const after = yield* rows
    assert.strictEqual(stateOfTask(after), "success")
    assert.isEmpty(after.queues)
    yield* resume
  }).pipe(Effect.scoped, Effect.provide(actor))
)
