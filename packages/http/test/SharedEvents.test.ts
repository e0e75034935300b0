/** Events that several installations are told of: written once, and spread to them a moment later, in order and as they are. */
import { IntegrationEventTable } from "@lectern/core/integration/IntegrationEvent"
import { SharedEventTable } from "@lectern/core/integration/SharedEvent"
import { JobWorker } from "@lectern/core/job/JobWorker"
import { Storage } from "@lectern/core/storage/Storage"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { answers, Harness, has, onEachAdapter } from "./Harness.ts"
import * as Shapes from "./IntegrationShapes.ts"
import { installed, program } from "./IntegrationSteps.ts"
import { listOf } from "./Shapes.ts"
import { createSpace, insertPage, publish } from "./Steps.ts"
import { UnsafeRuntime } from "./UnsafeRuntime.ts"

interface Heard {
  readonly type: string
  readonly [name: string]: unknown
}

/** Two receivers of what happens to a space. They have heard of their own installation. */
const world = Effect.gen(function* () {
  const { call } = yield* Harness
  const { id: space } = yield* createSpace()
  const one = yield* installed({ scopes: ["space:content:read"], script: program("return new Response()") })
  const two = yield* installed({ scopes: ["space:content:read"], script: program("return new Response()") })
  yield* (yield* JobWorker).runDue
  // Records of one moment stand in any order.
  yield* TestClock.adjust("1 second")
  /** Events that an integration was told, in order. */
  const told = Effect.fnUntraced(function* (name: string) {
    const { items } = yield* call("admin", "GET", `/v1/integrations/${name}/events?limit=1000`).pipe(
      answers(200, listOf(Shapes.IntegrationEvent))
    )
    return items.toReversed().map(({ payload, status }): Heard => ({ ...payload, status }))
  })
  const types = (name: string) => Effect.map(told(name), (events) => events.map(({ type }) => type))
  const storage = yield* Storage
  const events = storage.repository(IntegrationEventTable)
  const waiting = ({ id }: { readonly id: string }) => events.list({ where: { queue: id }, order: ["id"] })
  return { space, one, two, told, types, events, waiting, shared: storage.repository(SharedEventTable) }
})

const update = "space_content_updated"

onEachAdapter(
  "An event that several are told of",
  (it) => {
    it.effect("is written once, and each hears of it as its own", () =>
      Effect.gen(function* () {
        const { space, one, two, told, waiting, shared } = yield* world
        const before = yield* shared.count({})
        yield* publish(space, [insertPage("Page")])
        assert.strictEqual(yield* shared.count({}), before + 1)
        assert.isEmpty(yield* waiting(one))
        yield* (yield* JobWorker).runDue
        for (const { name, id } of [one, two]) {
          const event = (yield* told(name)).find(({ type }) => type === update)!
          assert.deepInclude(event, { installationId: id, spaceId: space, status: "success" })
        }
        assert.isEmpty(yield* waiting(two))
      })
    )

    it.effect("stands before whatever else they are told behind it, up to that they are gone", () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        const { space, one, two, types } = yield* world
        yield* publish(space, [insertPage("Page")])
        yield* call("admin", "PATCH", one.path, { configuration: { a: "b" } }).pipe(has(200))
        yield* publish(space, [insertPage("Another")])
        yield* call("admin", "DELETE", one.path).pipe(has(204))
        yield* (yield* JobWorker).runDue
        const setup = "installation_setup"
        assert.deepStrictEqual(yield* types(one.name), [setup, update, setup, update, "installation_deleted"])
        assert.deepStrictEqual(yield* types(two.name), [setup, update, update])
      })
    )

    it.effect("waits for nobody who looks, however many more are told of", () =>
      Effect.gen(function* () {
        const { space, one, waiting } = yield* world
        yield* publish(space, [insertPage("Page")])
        yield* TestClock.adjust("11 seconds")
        yield* publish(space, [insertPage("Another")])
        assert.strictEqual((yield* waiting(one)).length, 1)
      })
    )

    it.effect("is told in full however late it is spread, and then kept for as long as others", () =>
      Effect.gen(function* () {
        const { space, one, told, events, waiting, shared } = yield* world
        const { runDue } = yield* JobWorker
        yield* publish(space, [insertPage("Page")])
        yield* TestClock.adjust("2 days")
        // As if no process had run: of what recurs by now, what was told is spread by the next event of anybody.
        const { call } = yield* Harness
        yield* call("admin", "PATCH", one.path, { configuration: { a: "b" } }).pipe(has(200))
        const [late] = yield* waiting(one)
        assert.isUndefined(late?.told)
        yield* runDue
        yield* publish(space, [insertPage("Another")])
        yield* runDue
        yield* TestClock.adjust("6 days")
        yield* runDue
        const heard = (yield* told(one.name)).filter(({ type }) => type === update)
        assert.deepStrictEqual(
          heard.map(({ spaceId }) => spaceId),
          [space, space]
        )
        yield* TestClock.adjust("26 hours")
        yield* runDue
        assert.isEmpty(yield* told(one.name))
        assert.strictEqual(yield* events.count({ integration: late!.integration }), 0)
        yield* TestClock.adjust("1 day")
        yield* runDue
        assert.strictEqual(yield* shared.count({}), 0)
      })
    )
  },
  { integrationRuntime: UnsafeRuntime.layer }
)
