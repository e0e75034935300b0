/** Tasks and events that wait are bounded for each integration. */
import { JobWorker } from "@lectern/core/job/JobWorker"
import { InstallationId, InstallationTable, PlacementTable } from "@lectern/core/integration/Installation"
import { IntegrationTable, keyOf } from "@lectern/core/integration/Integration"
import { makeIntegrationRemoval } from "@lectern/core/integration/IntegrationRemoval"
import { OrganizationId } from "@lectern/core/organization/Organization"
import { IntegrationEventTable, IntegrationQueueTable, maxQueued } from "@lectern/core/integration/IntegrationEvent"
import { IntegrationTaskTable, maxWaitingTasks } from "@lectern/core/integration/IntegrationTask"
import { RecordAllowance } from "@lectern/core/integration/RecordAllowance"
import type { Sealed } from "@lectern/core/schema/Sealed"
import { TaskAllowance } from "@lectern/core/integration/TaskAllowance"
import { Storage } from "@lectern/core/storage/Storage"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { Harness, has, onMemory, refused } from "./Harness.ts"
import { freshName, installed, manifest, program, publishIntegration } from "./IntegrationSteps.ts"
import { UnsafeRuntime } from "./UnsafeRuntime.ts"

onMemory(
  "The limits of integrations",
  (it) => {
    it.effect("are published by a body of 8 MiB, and by no longer one, of which nothing is stored", () =>
      Effect.gen(function* () {
        const { call, organization } = yield* Harness
        const name = yield* freshName
        const frame = JSON.stringify({ ...manifest, organization, padding: "" })
        const bodyOf = (bytes: number) => `${frame.slice(0, -2)}${"x".repeat(bytes - frame.length)}"}`
        const path = `/v1/integrations/${name}`
        const { message } = yield* call("admin", "POST", path, bodyOf(8 * 1024 * 1024 + 1)).pipe(refused(413))
        assert.match(message, /larger than 8 MiB/)
        yield* call("admin", "GET", path).pipe(refused(404))
        yield* call("admin", "POST", path, bodyOf(8 * 1024 * 1024)).pipe(has(200))
      })
    )

    it.effect("want each choice of a property, and each property that is required, named once", () =>
      Effect.gen(function* () {
        const { call, organization } = yield* Harness
        const path = `/v1/integrations/${yield* freshName}`
        const plan = { type: "string", enum: ["free", "pro"] }
        for (const account of [
          { properties: { plan }, required: ["plan", "plan"] },
          { properties: { plan: { ...plan, enum: ["free", "free"] } } }
        ]) {
          const body = { ...manifest, organization, configurations: { account } }
          yield* call("admin", "POST", path, body).pipe(refused(400))
          yield* call("admin", "GET", path).pipe(refused(404))
        }
        const account = { properties: { plan }, required: ["plan"] }
        yield* call("admin", "POST", path, { ...manifest, organization, configurations: { account } }).pipe(has(200))
      })
    )

    /** As if all but one of the tasks that an integration may have waited. */
    const fillTasks = Effect.fnUntraced(function* (name: string) {
      const storage = yield* Storage
      const tasks = storage.repository(IntegrationTaskTable)
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
    })

    it.effect("count tasks whose program can't be reached, and nobody else's", () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        const { name } = yield* installed({ script: program(`throw new Error("unreachable")`) })
        const queued = call("admin", "POST", `/v1/integrations/${name}/tasks`, { task: { now: true } })
        yield* queued.pipe(has(204))
        yield* (yield* JobWorker).runDue
        yield* fillTasks(name)
        yield* queued.pipe(refused(429))
        const { name: other } = yield* installed({ script: program("return new Response()") })
        yield* fillTasks(other)
        yield* call("admin", "POST", `/v1/integrations/${other}/tasks`, { task: { now: true } }).pipe(has(204))
      })
    )

    it.effect("refuse tasks that are too large to wait together, and take them once they are done", () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        const { name } = yield* installed({ script: program("return new Response()") })
        const path = `/v1/integrations/${name}/tasks`
        const queued = (body: object) => call("admin", "POST", path, body)
        const allowance = yield* TaskAllowance
        yield* queued({ task: { text: "x" }, schedule: 60 }).pipe(has(204))
        const fill = Effect.gen(function* () {
          for (const bytes of [1024 * 1024, 1024, 8]) while (yield* allowance.charge(keyOf(name), bytes));
        })
        yield* fill
        // Nothing of what was taken waits, as is seen a while later.
        yield* queued({ task: { text: "x" } }).pipe(refused(429))
        yield* call("outsider", "POST", path, { task: {} }).pipe(refused(403))
        yield* TestClock.adjust("11 seconds")
        yield* queued({ task: { text: "x" } }).pipe(has(204))
        // Of what does, it is: those that wait until they are due, and those for their program.
        const tasks = (yield* Storage).repository(IntegrationTaskTable)
        const large = { integration: keyOf(name), task: "x".repeat(32 * 1024 * 1024) as Sealed<never> }
        for (const id of [`${name}-a`, `${name}-b`]) {
          yield* Effect.orDie(tasks.insert({ id, ...large, createdAt: "2026-01-01T00:00:00.000Z" as never }))
        }
        yield* fill
        yield* TestClock.adjust("11 seconds")
        const { message } = yield* queued({ task: { text: "x" } }).pipe(refused(429))
        assert.match(message, /64 MiB of scheduled and queued tasks/)
      })
    )

    it.effect("leave no more records than fit, and are told all the same", () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        const { name } = yield* installed({
          script: program(`globalThis.told = (globalThis.told ?? 0) + 1; return new Response(String(globalThis.told))`)
        })
        const allowance = yield* RecordAllowance
        for (const payload of [1024 * 1024, 16 * 1024]) {
          while (yield* allowance.charge(keyOf(name), "success", { payload, logs: [] }));
        }
        const records = (yield* Storage).repository(IntegrationEventTable)
        const done = records.count({ integration: keyOf(name), state: { in: ["success", "failed"] } })
        const before = yield* done
        for (let i = 0; i < 20; i++) {
          yield* call("admin", "POST", `/v1/integrations/${name}/tasks`, { task: { text: "x".repeat(8000) } }).pipe(
            has(204)
          )
          yield* (yield* JobWorker).runDue
        }
        assert.isBelow((yield* done) - before, 3)
        assert.strictEqual(yield* records.count({ integration: keyOf(name), state: "queued" }), 0)
      })
    )

    it.effect("refuse one more task than may wait, and take it once another is done", () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        const { name } = yield* installed({ script: program("return new Response()") })
        const later = call("admin", "POST", `/v1/integrations/${name}/tasks`, { task: { later: true }, schedule: 60 })
        yield* later.pipe(has(204))
        yield* fillTasks(name)
        const { message } = yield* later.pipe(refused(429))
        assert.match(message, /10,000 scheduled and queued tasks/)
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
          assert.match(trace.logs[0].message, /10,000 later events are queued/)

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

    it.effect(
      "are gone at once when they are unpublished, wherever they are installed, and their installations soon",
      () =>
        Effect.gen(function* () {
          const { call, organization } = yield* Harness
          const { name, id, path } = yield* installed({ script: program("return new Response()") })
          const key = keyOf(name)
          const storage = yield* Storage
          const integrations = storage.repository(IntegrationTable)
          const installations = storage.repository(InstallationTable)
          const placements = storage.repository(PlacementTable)
          const one = (yield* installations.get({ id: InstallationId.make(id) }))!
          const { createdAt, updatedAt } = one
          const about = { integration: key, externalIds: [], createdAt, updatedAt }
          yield* storage.transaction(
            Effect.gen(function* () {
              for (let i = 0; i < 250; i++) {
                const other = {
                  ...one,
                  id: InstallationId.make(`${name}-${i}`),
                  organization: OrganizationId.make(`o-${i}`)
                }
                yield* Effect.orDie(installations.insert(other))
                const placement = { ...about, installation: one.id, organization: one.organization }
                yield* Effect.orDie(placements.insert({ ...placement, kind: "space", content: `space-${i}` }))
              }
            })
          )
          const left = Effect.all([
            installations.count({ integration: key }),
            placements.count({ installation: one.id })
          ])

          yield* call("admin", "DELETE", `/v1/integrations/${name}`).pipe(has(204))
          yield* call("admin", "GET", `/v1/integrations/${name}`).pipe(refused(404))
          yield* call("admin", "GET", path).pipe(refused(404))
          const seen = yield* call("admin", "GET", `/v1/orgs/${organization}/installations?limit=1000`).pipe(has(200))
          assert.notInclude(seen.text, id)
          const [some] = yield* left
          assert.isAbove(some, 0)
          const { message } = yield* call("admin", "POST", `/v1/integrations/${name}`, {
            ...manifest,
            organization
          }).pipe(refused(409))
          assert.match(message, /are still being removed/)

          // What one transaction has removed stays so, and the next run goes on from there.
          const removal = yield* makeIntegrationRemoval
          const row = (yield* integrations.get({ key }))!
          assert.isFalse(yield* storage.transaction(removal.removeSlice(row)))
          const [fewer, fewerPlaces] = yield* left
          assert.isBelow(fewer + fewerPlaces, some + 250)
          yield* (yield* JobWorker).runDue
          assert.deepStrictEqual(yield* left, [0, 0])
          yield* publishIntegration(name)
        })
    )

    it.effect("take more places than one transaction removes away with an installation", () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        const { id, path } = yield* installed()
        const storage = yield* Storage
        const placements = storage.repository(PlacementTable)
        const one = (yield* storage.repository(InstallationTable).get({ id: InstallationId.make(id) }))!
        const { integration, organization, createdAt, updatedAt } = one
        const about = { installation: one.id, integration, organization, externalIds: [], createdAt, updatedAt }
        for (let i = 0; i < 250; i++) {
          yield* Effect.orDie(placements.insert({ ...about, kind: "space", content: `space-${i}` }))
        }
        yield* call("admin", "DELETE", path).pipe(has(204))
        yield* call("admin", "GET", path).pipe(refused(404))
        assert.strictEqual(yield* placements.count({ installation: one.id }), 0)
      })
    )
  },
  { integrationRuntime: UnsafeRuntime.layer }
)
