import { CurrentActor } from "@lectern/core/access/Actor"
import type { InstallationId } from "@lectern/core/integration/Installation"
import { IntegrationTasks } from "@lectern/core/integration/IntegrationTasks"
import { JobWorker } from "@lectern/core/job/JobWorker"
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { outcome, outcomes, ruleOn } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { adaptersWith } from "../Instances.ts"
import { installed } from "./IntegrationMembers.ts"
import { programs } from "./Programs.ts"

/** Tasks that programs have received. Each test takes its own. */
const received: Array<unknown> = []

const services = adaptersWith(
  programs((event) => {
    if (event.type === "task") received.push(event["task"])
    return {}
  })
)

const ready = Effect.gen(function* () {
  const fixture = yield* installed({ visibility: "public" })
  received.length = 0
  const work = Effect.map(
    Effect.flatMap(JobWorker, ({ runDue }) => runDue),
    () => received.splice(0)
  )
  return { ...fixture, tasks: yield* IntegrationTasks, work }
})

for (const [name, adapter] of onEach(services)) {
  describe(`IntegrationTasks (${name})`, () => {
    const rule = ruleOn(adapter)

    rule("run once, when they are due", () =>
      Effect.gen(function* () {
        const { tasks, work } = yield* ready
        yield* tasks.queue("weather", { task: { city: "Oslo" } })
        yield* tasks.queue("weather", { task: { city: "Bergen" }, schedule: 60 })
        assert.deepStrictEqual(yield* work, [{ city: "Oslo" }])
        yield* TestClock.adjust("59 seconds")
        assert.deepStrictEqual(yield* work, [])
        yield* TestClock.adjust("1 second")
        assert.deepStrictEqual(yield* work, [{ city: "Bergen" }])
        assert.deepStrictEqual(yield* work, [])
      })
    )

    rule("do not run after the integration is unpublished", () =>
      Effect.gen(function* () {
        const { integrations, tasks, work } = yield* ready
        yield* tasks.queue("weather", { task: {}, schedule: 60 })
        yield* integrations.unpublish("weather")
        yield* TestClock.adjust("60 seconds")
        assert.deepStrictEqual(yield* work, [])
      })
    )

    rule("are queued by the integration itself, and by administrators of its publisher", () =>
      Effect.gen(function* () {
        const { people, tasks, installation } = yield* ready
        const expected = {
          ok: "host admin",
          Forbidden: "create review edit comment read guest outsider"
        }
        for (const operation of [tasks.queue("weather", { task: {} }), tasks.token("weather", installation)]) {
          assert.deepStrictEqual(yield* outcomes(people, operation), expected)
          for (const [integration, result] of [
            ["weather", "ok"],
            ["other", "Forbidden"]
          ] as const) {
            const asIntegration = Effect.provideService(outcome(operation), CurrentActor, {
              type: "integration",
              integration
            })
            assert.strictEqual(yield* asIntegration, result)
          }
        }
      })
    )

    rule("are limited to 64 KiB and 24 hours", () =>
      Effect.gen(function* () {
        const { tasks, work } = yield* ready
        for (const input of [
          { task: { text: "x".repeat(64 * 1024) } },
          { task: {}, schedule: -1 },
          { task: {}, schedule: 86_401 },
          { task: [] as never }
        ]) {
          assert.strictEqual(yield* outcome(tasks.queue("weather", input)), "InvalidInput")
        }
        assert.strictEqual(yield* outcome(tasks.queue("missing", { task: {} })), "IntegrationNotFound")
        assert.deepStrictEqual(yield* work, [])
      })
    )

    rule("have tokens of installations of the integration only", () =>
      Effect.gen(function* () {
        const { tasks, installation } = yield* ready
        assert.isNotEmpty((yield* tasks.token("weather", installation)).token)
        const missing = "missing" as InstallationId
        assert.strictEqual(yield* outcome(tasks.token("weather", missing)), "InstallationNotFound")
      })
    )
  })
}
