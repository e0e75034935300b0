/**
 * Events that wait for one receiver are given to its program one after another. Each is answered, given up or tried
 * again by itself, whatever happens to those around it, and all of them in their order.
 */
import { JobWorker } from "@lectern/core/job/JobWorker"
import { type Delivery, IntegrationRuntime, RunFailed } from "@lectern/core/integration/IntegrationRuntime"
import { StorageError } from "@lectern/core/storage/Storage"
import { assert } from "@effect/vitest"
import { Effect, Layer, Stream } from "effect"
import { TestClock } from "effect/testing"
import { answers, Harness, has, onMemory } from "./Harness.ts"
import * as Shapes from "./IntegrationShapes.ts"
import { installed } from "./IntegrationSteps.ts"
import { listOf } from "./Shapes.ts"
import { createSpace } from "./Steps.ts"

/** Outcome of an event: an answer, or none. */
type Fate = "fine" | "refused" | "no room" | RunFailed["reason"]

/** Fates of the events with these names, for each time that they are given; else they are fine. */
const fates = new Map<string, Array<Fate>>()
/** Names of the events that were begun. */
const begun: Array<string> = []

const nameOf = (event: string): string => JSON.parse(event).previous?.configuration?.city ?? "first"

const give = ({ event, queued }: Delivery) =>
  Effect.suspend((): Effect.Effect<number, RunFailed | StorageError> => {
    assert.isDefined(queued)
    const name = nameOf(event)
    begun.push(name)
    const fate = fates.get(name)?.shift() ?? "fine"
    if (fate === "fine") return Effect.succeed(200)
    if (fate === "refused") return Effect.succeed(500)
    if (fate === "no room") return Effect.fail(new StorageError({ reason: "busy", message: "No room" }))
    return Effect.fail(new RunFailed({ reason: fate, message: `It is ${fate}`, logs: [] }))
  })

const runtime = Layer.succeed(
  IntegrationRuntime,
  IntegrationRuntime.of({
    isAvailable: true,
    stop: () => Effect.void,
    run: (_, delivery) =>
      Effect.map(give(delivery), (status) => ({
        status,
        headers: [],
        body: Stream.empty,
        bytes: () => Effect.succeed(new Uint8Array()),
        isDone: true,
        trace: Effect.succeed({ logs: [], exceededLimit: false })
      }))
  })
)

const deliver = JobWorker.use(({ runDue }) => runDue)

/** An installation that is told of changes with these names, and how each of them ended, with the last line of its log. */
const told = Effect.fnUntraced(function* (names: ReadonlyArray<string>, given: Readonly<Record<string, Array<Fate>>>) {
  const { call } = yield* Harness
  const { name, path } = yield* installed()
  fates.clear()
  for (const [name, some] of Object.entries(given)) fates.set(name, some)
  begun.length = 0
  // A change is told of with what was configured before.
  for (const city of [...names, "configured last"]) {
    yield* call("admin", "PATCH", path, { configuration: { city } }).pipe(has(200))
  }
  yield* deliver
  const events = `/v1/integrations/${name}/events`
  return Effect.gen(function* () {
    const { items } = yield* call("admin", "GET", `${events}?limit=1000`).pipe(
      answers(200, listOf(Shapes.IntegrationEvent))
    )
    return yield* Effect.forEach(items.toReversed().slice(2), ({ id, status }) =>
      Effect.map(call("admin", "GET", `${events}/${id}`).pipe(answers(200, Shapes.TracedEvent)), ({ trace }) => [
        status,
        trace.logs.at(-1)?.message
      ])
    )
  })
})

const fine = ["success", undefined]

onMemory(
  "Events that wait for one receiver",
  (it) => {
    it.effect("are given one after another, each with an answer of its own", () =>
      Effect.gen(function* () {
        const names = Array.from({ length: 21 }, (_, n) => `city ${n}`)
        const outcomes = yield* told(names, { "city 3": ["refused"] })
        assert.deepStrictEqual(begun.slice(2), names)
        assert.deepStrictEqual(
          yield* outcomes,
          names.map((name) => (name === "city 3" ? ["failed", "The program responded with status 500"] : fine))
        )
      })
    )

    it.effect("are given again from the one in which a process ended, which is given up after three of them", () =>
      Effect.gen(function* () {
        const outcomes = yield* told(["a", "once", "b", "poison", "c", "twice", "d"], {
          once: ["crashed"],
          poison: ["crashed", "crashed", "crashed"],
          twice: ["crashed", "crashed"]
        })
        const given = "first first a once once b poison poison poison c twice twice twice d"
        assert.deepStrictEqual(begun, given.split(" "))
        assert.deepStrictEqual(yield* outcomes, [fine, fine, fine, ["failed", "It is crashed"], fine, fine, fine])
      })
    )

    it.effect("go on behind one that takes more than it may, which has failed with the reason", () =>
      Effect.gen(function* () {
        const outcomes = yield* told(["a", "b", "c", "d"], { b: ["timed-out"], c: ["too-large"] })
        assert.deepStrictEqual(begun, ["first", "first", "a", "b", "c", "d"])
        assert.deepStrictEqual(yield* outcomes, [
          fine,
          ["failed", "It is timed-out"],
          ["failed", "It is too-large"],
          fine
        ])
      })
    )

    it.effect("wait for one that can't be reached, with growing pauses, and those before it are not given again", () =>
      Effect.gen(function* () {
        const outcomes = yield* told(["a", "b", "c"], { b: ["unreachable", "unreachable"], c: ["unreachable"] })
        assert.deepStrictEqual(begun, ["first", "first", "a", "b"])
        assert.deepStrictEqual(yield* outcomes, [fine])
        for (const [pause, expected] of [
          ["4 seconds", []],
          ["1 second", ["b"]],
          ["5 seconds", []],
          ["5 seconds", ["b", "c"]],
          // It was reached meanwhile: the pauses begin anew.
          ["5 seconds", ["c"]]
        ] as const) {
          begun.length = 0
          yield* TestClock.adjust(pause)
          yield* deliver
          assert.deepStrictEqual<ReadonlyArray<string>>(begun, expected)
        }
        assert.deepStrictEqual(yield* outcomes, [fine, fine, fine])
      })
    )

    it.effect("wait for room for their program, with pauses that don't grow, and hold up no other receiver", () =>
      Effect.gen(function* () {
        const outcomes = yield* told(["a", "b", "c"], { b: ["no room", "no room", "no room"] })
        assert.deepStrictEqual(begun, ["first", "first", "a", "b"])
        for (const expected of [["b"], ["b"], ["b", "c"]]) {
          begun.length = 0
          yield* TestClock.adjust("5 seconds")
          yield* deliver
          assert.deepStrictEqual(begun, expected)
        }
        assert.deepStrictEqual(yield* outcomes, [fine, fine, fine])
      })
    )

    it.effect("have failed once their receiver is paused, which is told of that alone", () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        const { id: space } = yield* createSpace()
        const { name, path } = yield* installed({ scopes: ["space:metadata:read"] })
        yield* deliver
        const change = (visibility: string) =>
          call("admin", "PATCH", `/v1/spaces/${space}`, { visibility }).pipe(has(200))
        for (const visibility of ["unlisted", "private", "unlisted"]) yield* change(visibility)
        yield* call("admin", "PATCH", path, { status: "paused" }).pipe(has(200))
        begun.length = 0
        yield* deliver
        assert.lengthOf(begun, 1)
        yield* call("admin", "PATCH", path, { status: "active" }).pipe(has(200))
        yield* change("private")
        yield* deliver
        assert.lengthOf(begun, 3)

        const events = `/v1/integrations/${name}/events`
        const { items } = yield* call("admin", "GET", events).pipe(answers(200, listOf(Shapes.IntegrationEvent)))
        assert.deepStrictEqual(items.map(({ payload, status }) => `${payload.type} ${status}`).sort(), [
          ...Array.from({ length: 3 }, () => "installation_setup success"),
          ...Array.from({ length: 3 }, () => "space_visibility_updated failed"),
          "space_visibility_updated success"
        ])
        const { id } = items.find(({ status }) => status === "failed")!
        const { trace } = yield* call("admin", "GET", `${events}/${id}`).pipe(answers(200, Shapes.TracedEvent))
        assert.match(trace.logs.at(-1)?.message ?? "", /paused/)
      })
    )
  },
  { integrationRuntime: runtime }
)
