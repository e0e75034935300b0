import { JobWorker } from "@lectern/core/job/JobWorker"
import { Spaces } from "@lectern/core/space/Spaces"
import type { IntegrationScope } from "@lectern/core/integration/IntegrationManifest"
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { ruleOn } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { publish } from "../comment/Discussion.ts"
import { adaptersWith } from "../Instances.ts"
import { installed, manifest } from "./IntegrationMembers.ts"
import { type ProgramEvent, programs } from "./Programs.ts"

/** Content events that programs have received. Each test takes its own. */
const received: Array<ProgramEvent> = []

const services = adaptersWith(
  programs((event) => {
    if (event.type === "space_content_updated") received.push(event)
    return {}
  })
)

/** Two installations, with a space. `scopes` of the second one. */
const ready = Effect.fnUntraced(function* (scopes: ReadonlyArray<IntegrationScope> = ["space:content:read"]) {
  const fixture = yield* installed()
  const { org, integrations, installations, installation } = fixture
  yield* integrations.publish("charts", manifest(org, { title: "Charts", scopes }))
  const { id: second } = yield* installations.install("charts", { organization: org })
  const { id: space } = yield* (yield* Spaces).create(org, {})
  received.length = 0
  const work = Effect.map(
    Effect.flatMap(JobWorker, ({ runDue }) => runDue),
    () => received.splice(0)
  )
  const edit = (title: string) => publish(space, [{ operation: "insert_page", title }])
  return { ...fixture, first: installation, second, space, edit, work }
})

for (const [name, adapter] of onEach(services)) {
  describe(`SharedEvents (${name})`, () => {
    const rule = ruleOn(adapter)

    rule("reach each installation that covers the space once, in order", () =>
      Effect.gen(function* () {
        const { first, second, space, edit, work } = yield* ready()
        yield* edit("One")
        yield* edit("Two")
        const events = yield* work
        assert.strictEqual(events.length, 4)
        for (const installation of [first, second]) {
          const own = events.filter(({ installationId }) => installationId === installation)
          assert.strictEqual(new Set(own.map(({ revisionId }) => revisionId)).size, 2)
          assert.isTrue(own.every(({ spaceId }) => spaceId === space))
        }
        const revisions = (id: string) =>
          events.flatMap(({ installationId, revisionId }) => (installationId === id ? [revisionId] : []))
        assert.deepStrictEqual(revisions(first), revisions(second))
        assert.deepStrictEqual(yield* work, [])
      })
    )

    rule("reach no installation without the scope, and none that is paused or removed", () =>
      Effect.gen(function* () {
        const { first, installations, edit, work } = yield* ready(["space:metadata:read"])
        const receivers = Effect.map(work, (events) => events.map(({ installationId }) => installationId))
        yield* edit("One")
        assert.deepStrictEqual(yield* receivers, [first])
        yield* installations.update("weather", first, { status: "paused" })
        yield* edit("Two")
        assert.deepStrictEqual(yield* receivers, [])
        yield* installations.uninstall("weather", first)
        yield* edit("Three")
        assert.deepStrictEqual(yield* receivers, [])
      })
    )

    rule("are not written if the change is rolled back", () =>
      Effect.gen(function* () {
        const { space, edit, work } = yield* ready()
        const missing = [{ operation: "delete_page", page: "missing" }] as const
        yield* Effect.exit(publish(space, missing))
        assert.deepStrictEqual(yield* work, [])
        yield* edit("One")
        assert.strictEqual((yield* work).length, 2)
      })
    )
  })
}
