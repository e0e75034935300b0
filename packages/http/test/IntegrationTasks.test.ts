/**
 * Tasks that integrations ask for, to be done later: who waits for whom, and what a program that hangs does to
 * others.
 */
import { JobWorker } from "@lectern/core/job/JobWorker"
import { assert } from "@effect/vitest"
import { Effect, Fiber, Latch } from "effect"
import { TestClock } from "effect/testing"
import { Harness, has, onMemory } from "./Harness.ts"
import { install, installed, program, publishIntegration } from "./IntegrationSteps.ts"
import { json } from "./SiteSteps.ts"
import { UnsafeRuntime } from "./UnsafeRuntime.ts"

/** Tasks that the programs of a test have begun, and the release of those that hang. */
interface Seen {
  readonly begun: Array<string>
  readonly hear: (what: string) => void
  readonly released: Promise<void>
}

const script = program(`
  if (event.type === "ui_render") return Response.json({ type: "complete", returnValue: environment.apiTokens.integration })
  if (event.type !== "task") return new Response()
  globalThis.seen.begun.push(event.task.name)
  globalThis.seen.hear(event.task.name)
  if (event.task.hangs) await globalThis.seen.released
  return new Response()`)

/** Delivers what waits while `during` looks at it; `heard` waits until a task has begun, `release` ends what hangs. */
const delivering = <E, R>(
  during: (world: {
    readonly begun: ReadonlyArray<string>
    readonly heard: (...names: ReadonlyArray<string>) => Effect.Effect<void>
    readonly release: Effect.Effect<void>
  }) => Effect.Effect<void, E, R>
) =>
  Effect.gen(function* () {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const waiting = new Map<string, () => void>()
    const seen: Seen = { begun: [], hear: (name) => waiting.get(name)?.(), released }
    Object.assign(globalThis, { seen })
    const heard = (...names: ReadonlyArray<string>) =>
      Effect.promise(() =>
        Promise.all(
          names.map(
            (name) => new Promise<void>((done) => (seen.begun.includes(name) ? done() : waiting.set(name, done)))
          )
        )
      ).pipe(Effect.asVoid)
    // One delivers, and is held up by what hangs; the other queues what is due.
    const isQueued = yield* Latch.make(false)
    const worker = JobWorker.use(({ runDue }) => Effect.ensuring(runDue, isQueued.open))
    const running = yield* Effect.forkChild(Effect.all([worker, worker], { concurrency: 2 }), {
      startImmediately: true
    })
    yield* isQueued.await
    yield* TestClock.adjust("1 second")
    yield* during({ begun: seen.begun, heard, release: Effect.sync(release) })
    yield* Fiber.join(running)
    Reflect.deleteProperty(globalThis, "seen")
  })

onMemory(
  "Tasks of integrations",
  (it) => {
    it.effect("of one installation wait for one another, and no other waits for them", () =>
      Effect.gen(function* () {
        const { call, organization, elsewhere } = yield* Harness
        const { name } = yield* installed({ script })
        yield* install(name, "outsider")
        yield* JobWorker.use(({ runDue }) => runDue)
        const tokenIn = (by: "admin" | "outsider", organizationId: string) =>
          call(by, "POST", `/v1/integrations/${name}/render`, {
            componentId: "any",
            props: {},
            context: { type: "configuration_account", organizationId }
          }).pipe(
            json(200),
            Effect.map(({ returnValue }) => ({ token: returnValue as string }))
          )
        const here = yield* tokenIn("admin", organization)
        const there = yield* tokenIn("outsider", elsewhere)
        const ask = (by: typeof here | "admin", task: object) =>
          call(by, "POST", `/v1/integrations/${name}/tasks`, { task }).pipe(has(204))
        for (const n of [1, 2, 3]) yield* ask(here, { name: `here ${n}`, hangs: true })
        yield* ask(there, { name: "there" })
        yield* ask("admin", { name: "of none" })
        yield* ask("admin", { name: "of none, too" })
        yield* delivering(({ begun, heard, release }) =>
          Effect.gen(function* () {
            yield* heard("there", "of none", "of none, too")
            assert.isAtMost(begun.length, 4)
            yield* release
            yield* heard("here 1", "here 2", "here 3")
          })
        )
      })
    )

    it.effect("that hang take a part of what is delivered at once, however many they are", () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        const { name: hanging } = yield* installed({ script })
        const { name: other } = yield* installed({ script })
        yield* JobWorker.use(({ runDue }) => runDue)
        for (let n = 0; n < 100; n++) {
          const task = { name: `hanging ${n}`, hangs: true }
          yield* call("admin", "POST", `/v1/integrations/${hanging}/tasks`, { task }).pipe(has(204))
        }
        yield* call("admin", "POST", `/v1/integrations/${other}/tasks`, { task: { name: "other" } }).pipe(has(204))
        yield* delivering(({ begun, heard, release }) =>
          Effect.gen(function* () {
            yield* heard("other")
            assert.isAtMost(begun.length, 8 + 1)
            yield* release
          })
        )
        const { items } = yield* call("admin", "GET", `/v1/integrations/${hanging}/events?limit=1000`).pipe(json(200))
        assert.lengthOf(
          (items as ReadonlyArray<{ payload: { type: string }; status: string }>).filter(
            ({ payload, status }) => payload.type === "task" && status === "success"
          ),
          100
        )
      })
    )

    it.effect("that hang hold up no others, whatever integrations they are of", () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        const ask = (name: string, task: object) =>
          call("admin", "POST", `/v1/integrations/${name}/tasks`, { task }).pipe(has(204))
        const hanging = yield* Effect.forEach(Array.from({ length: 5 }), () => installed({ script }))
        const { name: other } = yield* installed({ script })
        yield* JobWorker.use(({ runDue }) => runDue)
        for (const { name } of hanging) for (let n = 0; n < 8; n++) yield* ask(name, { name: "hangs", hangs: true })
        yield* ask(other, { name: "other" })
        yield* delivering(({ begun, heard, release }) =>
          Effect.gen(function* () {
            yield* TestClock.adjust("3 seconds")
            yield* heard("other")
            assert.isAtMost(begun.length, 32 + 8 + 1)
            yield* release
          })
        )
      })
    )

    it.effect("of what was unpublished are not given to what is published by its name", () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        const { name } = yield* installed({ script })
        const path = `/v1/integrations/${name}`
        yield* call("admin", "POST", `${path}/tasks`, { task: { name: "secret" }, schedule: 60 }).pipe(has(204))
        yield* JobWorker.use(({ runDue }) => runDue)
        yield* call("admin", "DELETE", path).pipe(has(204))
        yield* publishIntegration(name, { script }, "outsider")
        yield* call("outsider", "POST", `${path}/tasks`, { task: { name: "own" }, schedule: 60 }).pipe(has(204))
        yield* TestClock.adjust("2 minutes")
        yield* delivering(({ begun, heard }) =>
          Effect.andThen(
            heard("own"),
            Effect.sync(() => assert.notInclude(begun, "secret"))
          )
        )
        const { items } = yield* call("outsider", "GET", `${path}/events`).pipe(json(200))
        assert.notInclude(JSON.stringify(items), "secret")
      })
    )
  },
  { integrationRuntime: UnsafeRuntime.layer }
)
