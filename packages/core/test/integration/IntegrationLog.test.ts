import { IntegrationLog } from "@lectern/core/integration/IntegrationLog"
import { JobWorker } from "@lectern/core/job/JobWorker"
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { outcome, outcomes, ruleOn } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { as } from "../comment/Discussion.ts"
import { adaptersWith } from "../Instances.ts"
import { installed } from "./IntegrationMembers.ts"
import { programs } from "./Programs.ts"

/** An installation whose program has received its first event. */
const delivered = Effect.gen(function* () {
  const fixture = yield* installed({ visibility: "public" })
  const log = yield* IntegrationLog
  const work = Effect.flatMap(JobWorker, ({ runDue }) => runDue)
  yield* work
  const types = Effect.map(log.list("weather", {}), ({ items }) => items.map(({ payload }) => payload["type"]))
  return { ...fixture, log, work, types }
})

for (const [name, services] of onEach(adaptersWith(programs(() => ({}))))) {
  describe(`IntegrationLog (${name})`, () => {
    const rule = ruleOn(services)

    rule("lists events that the program has processed, with their status", () =>
      Effect.gen(function* () {
        const { installation, log } = yield* delivered
        const [event] = (yield* log.list("weather", {})).items
        assert.deepInclude(event, { integrationId: "weather", installationId: installation, status: "success" })
        assert.deepInclude(event!.payload, { type: "installation_setup", status: "active" })
        assert.deepStrictEqual(yield* log.get("weather", event!.id), { event: event!, trace: { logs: [] } })
      })
    )

    rule("lists an event only after it was processed, newest first", () =>
      Effect.gen(function* () {
        const { installations, installation, log, work, types } = yield* delivered
        yield* installations.update("weather", installation, { status: "paused" })
        yield* installations.update("weather", installation, { status: "active" })
        assert.deepStrictEqual(yield* types, ["installation_setup"])
        yield* work
        assert.isAbove((yield* types).length, 1)
        const { items } = yield* log.list("weather", {})
        const ids = items.map(({ id }) => id as string)
        assert.deepStrictEqual(ids, ids.toSorted().toReversed())
      })
    )

    rule("shows all events to the publisher, and to others those of organizations that they administer", () =>
      Effect.gen(function* () {
        const { elsewhere, people, installations, log, work } = yield* delivered
        yield* installations.install("weather", { organization: elsewhere })
        yield* work
        const count = (person: keyof typeof people) =>
          Effect.map(log.list("weather", {}).pipe(as(people[person])), ({ items }) => items.length)
        assert.deepStrictEqual(yield* Effect.forEach(["admin", "outsider", "read"] as const, count), [2, 1, 0])
        const { items } = yield* log.list("weather", {}).pipe(as(people.outsider))
        const { admin, outsider, read } = people
        assert.deepStrictEqual(yield* outcomes({ admin, outsider, read }, log.get("weather", items[0]!.id)), {
          ok: "host admin outsider",
          IntegrationEventNotFound: "read"
        })
      })
    )

    rule("has no event of another id or integration", () =>
      Effect.gen(function* () {
        const { log } = yield* delivered
        assert.strictEqual(yield* outcome(log.get("weather", "missing")), "IntegrationEventNotFound")
        assert.strictEqual(yield* outcome(log.list("missing", {})), "IntegrationNotFound")
      })
    )
  })
}
