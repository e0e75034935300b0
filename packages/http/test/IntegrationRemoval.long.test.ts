/** Unpublishing what very many have installed: in short transactions, whatever interrupts them, and each is told. */
import { InstallationId, InstallationTable } from "@lectern/core/integration/Installation"
import { keyOf } from "@lectern/core/integration/Integration"
import { IntegrationEventTable } from "@lectern/core/integration/IntegrationEvent"
import { JobWorker } from "@lectern/core/job/JobWorker"
import { OrganizationId } from "@lectern/core/organization/Organization"
import { Storage } from "@lectern/core/storage/Storage"
import { assert } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { Harness, has, onEachAdapter, refused } from "./Harness.ts"
import { installed, program, publishIntegration } from "./IntegrationSteps.ts"
import { UnsafeRuntime } from "./UnsafeRuntime.ts"

const many = 10_000
/** Number of things a little above that which one transaction removes. */
const slice = 110

onEachAdapter(
  "An integration with 10,000 installations",
  (it) => {
    it.effect(
      "is unpublished in short transactions, goes on where it was interrupted, and tells each that it is gone",
      () =>
        Effect.gen(function* () {
          const { call } = yield* Harness
          const { name, id, path } = yield* installed({ script: program("return new Response()") })
          const key = keyOf(name)
          const storage = yield* Storage
          const installations = storage.repository(InstallationTable)
          const events = storage.repository(IntegrationEventTable)
          const worker = JobWorker.use(({ runDue }) => runDue)
          yield* worker
          const one = (yield* installations.get({ id: InstallationId.make(id) }))!
          for (let from = 1; from < many; from += 500) {
            yield* storage.transaction(
              Effect.gen(function* () {
                for (let i = from; i < Math.min(many, from + 500); i++) {
                  const other = {
                    ...one,
                    id: InstallationId.make(`${name}-${i}`),
                    organization: OrganizationId.make(`o-${i}`)
                  }
                  yield* Effect.orDie(installations.insert(other))
                }
              })
            )
          }
          const left = installations.count({ integration: key })
          assert.strictEqual(yield* left, many)

          yield* call("admin", "DELETE", `/v1/integrations/${name}`).pipe(has(204))
          yield* call("admin", "GET", path).pipe(refused(404))
          let before = yield* left
          assert.isAtLeast(before, many - slice)

          // What runs is interrupted again and again: each time it has come a little further, by short steps alone.
          const steps: Array<number> = []
          while (before > many / 2) {
            const working = yield* Effect.forkChild(worker)
            for (const wanted = before - 5 * slice; (yield* left) > wanted;) {
              const now = yield* left
              if (now < before) steps.push(before - now)
              before = now
              yield* Effect.yieldNow
            }
            yield* Fiber.interrupt(working)
            before = yield* left
          }
          assert.isAtLeast(steps.length, 10)
          assert.isBelow(Math.max(...steps), many / 10)

          yield* worker
          assert.strictEqual(yield* left, 0)
          assert.strictEqual(yield* events.count({ integration: key, state: "queued" }), 0)
          // Those that were installed, and each that is gone.
          assert.strictEqual(yield* events.count({ integration: key, state: "success" }), many + 1)
          assert.strictEqual(yield* events.count({ integration: key, state: "failed" }), 0)
          yield* publishIntegration(name)
        })
    )
  },
  { integrationRuntime: UnsafeRuntime.layer }
)
