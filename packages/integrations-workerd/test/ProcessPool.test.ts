/** More programs than processes, in a real `workerd`: they wait for each other, and none is ended that has something to do. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { mkdtemp, rm, symlink } from "node:fs/promises"
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Delivery, IntegrationRuntime, type Program } from "@lectern/core/integration/IntegrationRuntime"
import { OrganizationId } from "@lectern/core/organization/Organization"
import type { StorageError } from "@lectern/core/storage/Storage"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Layer, Scope, Stream } from "effect"
import { binary } from "@lectern/integrations-workerd/WorkerdBinary"
import { WorkerdRuntime, type WorkerdRuntimeOptions } from "@lectern/integrations-workerd/WorkerdRuntime"
import { programOf } from "./ProgramSteps.ts"

/** Does as its event says: answers long, and asks a server that answers when it likes, before or behind its answer. */
const script = `
export default { async fetch(request, env, ctx) {
  const event = JSON.parse((await request.formData()).get("event"))
  const asked = async (url) => (await fetch(url)).text()
  if (event.later) ctx.waitUntil(asked(event.later))
  if (event.url) return new Response(await asked(event.url))
  return new Response(event.long ? "0123456789".repeat(100_000) : "fine")
} }`

const program = (name: string, version = 1) => programOf(name, script, { version })

const programs = (count: number) => Array.from({ length: count }, (_, i) => program(`program-${i}`))

interface Event {
  readonly url?: string
  readonly later?: string
  readonly long?: true
}

const deliveryOf = (event: Event): Delivery => ({ event: JSON.stringify(event), environment: "{}" })

const run = Effect.fnUntraced(function* (wanted: Program, event: Event = {}, queued: Pick<Delivery, "queued"> = {}) {
  const runtime = yield* IntegrationRuntime
  return yield* Effect.scoped(
    Effect.gen(function* () {
      const { body } = yield* runtime.run(wanted, { ...deliveryOf(event), ...queued })
      return yield* Stream.mkString(Stream.decodeText(body))
    })
  )
})

const all = <A, E, R>(each: ReadonlyArray<Effect.Effect<A, E, R>>) => Effect.all(each, { concurrency: "unbounded" })

/** A server that answers those who ask once they are let go, one after another. */
const gate = Effect.acquireRelease(
  Effect.promise(async () => {
    const held: Array<ServerResponse> = []
    let isOpen = false
    let most = 0
    let come = () => {}
    const server = createServer((_, answer) => {
      if (isOpen) return void answer.end("let go")
      held.push(answer)
      most = Math.max(most, held.length)
      come()
    })
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
    const holds = (count: number) =>
      Effect.callback<void>((resume) => {
        come = () => held.length >= count && resume(Effect.void)
        come()
      })
    const letOne = Effect.sync(() => void held.shift()?.end("let go"))
    return {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
      /** Waits until so many are held. */
      holds,
      letOne,
      letAll: Effect.sync(() => {
        isOpen = true
        for (const answer of held.splice(0)) answer.end("let go")
      }),
      /** How many were held at the same time. */
      most: () => most,
      close: () => server.close()
    }
  }),
  ({ letAll, close }) =>
    Effect.andThen(
      letAll,
      Effect.sync(() => close())
    )
)

const runtime = (options: WorkerdRuntimeOptions) =>
  WorkerdRuntime.layer({ allowedPrivateHosts: ["127.0.0.1"], ...options })

const isBusy = (error: unknown) =>
  (error as StorageError)._tag === "StorageError" && (error as StorageError).reason === "busy"

const processesOf = (program: string) =>
  readdirSync("/proc").filter((id) => {
    try {
      return /^\d+$/.test(id) && readFileSync(`/proc/${id}/cmdline`, "utf8").startsWith(`${program}\0`)
    } catch {
      return false
    }
  })

describe("Programs that are more than there may be processes", () => {
  it.live("all answer, however many are asked at once", () =>
    Effect.gen(function* () {
      for (let round = 0; round < 3; round++) {
        const answers = yield* all(programs(6).map((wanted) => run(wanted)))
        assert.deepStrictEqual(
          answers,
          answers.map(() => "fine")
        )
      }
    }).pipe(Effect.provide(runtime({ maxProcesses: 2 })))
  )

  it.live("are at work no more than may be at once, and those behind wait for them", () =>
    Effect.gen(function* () {
      const { url, holds, letOne, most } = yield* gate
      const answers = yield* Effect.forkChild(all(programs(5).map((wanted) => run(wanted, { url }))))
      for (let left = 5; left > 0; left--) {
        yield* holds(Math.min(left, 2))
        yield* letOne
      }
      assert.deepStrictEqual(
        yield* Fiber.join(answers),
        Array.from({ length: 5 }, () => "let go")
      )
      assert.strictEqual(most(), 2)
    }).pipe(Effect.scoped, Effect.provide(runtime({ maxProcesses: 2 })))
  )

  it.live("wait for what goes on behind an answer, and no longer", () =>
    Effect.gen(function* () {
      const [behind, after] = [yield* gate, yield* gate]
      const [first, second] = [program("first"), program("second")]
      assert.strictEqual(yield* run(first, { later: behind.url }), "fine")
      yield* behind.holds(1)
      const waiting = yield* Effect.forkChild(run(second, { url: after.url }))
      // Others start in other pools meanwhile, and so it would have.
      for (let i = 0; i < 3; i++) yield* Effect.provide(run(program("third")), runtime({}))
      assert.strictEqual(after.most(), 0)
      yield* behind.letAll
      yield* after.holds(1)
      yield* after.letAll
      assert.strictEqual(yield* Fiber.join(waiting), "let go")
    }).pipe(Effect.scoped, Effect.provide(runtime({ maxProcesses: 1 })))
  )

  it.live("end none whose answer is still read", () =>
    Effect.gen(function* () {
      const { run: begin } = yield* IntegrationRuntime
      const second = yield* Effect.scoped(
        Effect.gen(function* () {
          const { bytes } = yield* begin(program("first"), deliveryOf({ long: true }))
          const waiting = yield* Effect.forkChild(run(program("second")), { startImmediately: true })
          yield* Effect.provide(run(program("third")), runtime({}))
          assert.strictEqual((yield* bytes(1_000_000)).byteLength, 1_000_000)
          return waiting
        })
      )
      assert.strictEqual(yield* Fiber.join(second), "fine")
    }).pipe(Effect.provide(runtime({ maxProcesses: 1 })))
  )

  it.live("are told that too many are at work where they have waited for long", () =>
    Effect.gen(function* () {
      const { url, holds, letAll } = yield* gate
      const held = yield* Effect.forkChild(run(program("held"), { url }))
      yield* holds(1)
      const { run: begin, runBuffered } = yield* IntegrationRuntime
      const [other, delivery] = [program("other"), deliveryOf({})]
      for (const asked of [
        Effect.asVoid(Effect.scoped(begin(other, delivery))),
        Effect.asVoid(runBuffered!(other, delivery, 1_000))
      ]) {
        assert.isTrue(isBusy(yield* Effect.flip(asked)))
      }
      // One that has a process is asked all the same.
      assert.strictEqual(yield* run(program("held")), "fine")
      yield* letAll
      assert.strictEqual(yield* Fiber.join(held), "let go")
    }).pipe(Effect.scoped, Effect.provide(runtime({ maxProcesses: 1, queueTimeout: { milliseconds: 50 } })))
  )

  it.live("are told so at once where 256 wait, 192 of one organization, and whoever gives up waits no more", () =>
    Effect.gen(function* () {
      const { url, holds, letAll } = yield* gate
      const held = yield* Effect.forkChild(run(program("held"), { url }))
      yield* holds(1)
      const waiting: Array<Fiber.Fiber<string, unknown>> = []
      for (let i = 0; i < 192; i++)
        waiting.push(yield* Effect.forkChild(run(program("other")), { startImmediately: true }))
      assert.isTrue(isBusy(yield* Effect.flip(run(program("more")))))
      const others = programOf("others", script, { organization: OrganizationId.make("another") })
      for (let i = 0; i < 64; i++) waiting.push(yield* Effect.forkChild(run(others), { startImmediately: true }))
      assert.isTrue(isBusy(yield* Effect.flip(run(others))))
      yield* Fiber.interrupt(waiting.pop()!)
      waiting.push(yield* Effect.forkChild(run(others), { startImmediately: true }))
      yield* letAll
      assert.strictEqual(yield* Fiber.join(held), "let go")
      for (const fiber of waiting) assert.strictEqual(yield* Fiber.join(fiber), "fine")
    }).pipe(Effect.scoped, Effect.provide(runtime({ maxProcesses: 1, queueTimeout: { minutes: 1 } })))
  )

  it.live("tell those who deliver for how long they had no room", () =>
    Effect.gen(function* () {
      const { url, holds, letAll } = yield* gate
      const held = yield* Effect.forkChild(run(program("held"), { url }))
      yield* holds(1)
      const told: Array<string> = []
      const queued = { onWait: () => void told.push("waits"), onStart: () => void told.push("begun") }
      const late = yield* Effect.forkChild(run(program("late"), {}, { queued }), { startImmediately: true })
      while (told.length === 0) yield* Effect.yieldNow
      assert.deepStrictEqual(told, ["waits"])
      yield* letAll
      yield* Fiber.join(held)
      assert.strictEqual(yield* Fiber.join(late), "fine")
      assert.deepStrictEqual(told, ["waits", "begun"])
      assert.strictEqual(yield* run(program("late"), {}, { queued }), "fine")
      assert.deepStrictEqual(told, ["waits", "begun"])
    }).pipe(Effect.scoped, Effect.provide(runtime({ maxProcesses: 1, queueTimeout: { minutes: 1 } })))
  )

  it.live("answer whoever waits while others are at work with what was queued", () =>
    Effect.gen(function* () {
      const { url, holds, letAll, most } = yield* gate
      const told = yield* Effect.forkChild(
        all(programs(6).map((wanted) => run(wanted, { url }, { queued: { onWait: () => {}, onStart: () => {} } })))
      )
      yield* holds(3)
      assert.strictEqual(yield* run(program("asked")), "fine")
      assert.strictEqual(most(), 3)
      yield* letAll
      yield* Fiber.join(told)
    }).pipe(Effect.scoped, Effect.provide(runtime({ maxProcesses: 4 })))
  )
})

describe("A runtime that stops", () => {
  const workerd = binary()
  it.live.skipIf(!existsSync("/proc/self/cmdline") || workerd === undefined)(
    "leaves no process, and nobody without an answer",
    () =>
      Effect.gen(function* () {
        const folder = yield* Effect.acquireRelease(
          Effect.promise(() => mkdtemp(join(tmpdir(), "lectern-stops-"))),
          (folder) => Effect.promise(() => rm(folder, { recursive: true }))
        )
        const own = join(folder, "workerd")
        yield* Effect.promise(() => symlink(workerd!, own))
        const { url, holds } = yield* gate
        const scope = yield* Scope.make()
        const context = yield* Layer.buildWithScope(runtime({ maxProcesses: 3, program: own }), scope)
        const begin = (wanted: Program, event: Event = {}) =>
          Effect.forkChild(Effect.exit(Effect.provide(run(wanted, event), context)), { startImmediately: true })
        // One that another version has taken over from, one that rests, one that starts, and one that waits.
        const published = [yield* begin(program("published", 1), { url })]
        yield* holds(1)
        published.push(yield* begin(program("published", 2), { url }))
        yield* holds(2)
        yield* Fiber.join(yield* begin(program("resting")))
        assert.lengthOf(processesOf(own), 3)
        published.push(yield* begin(program("starting")), yield* begin(program("waiting")))
        yield* Scope.close(scope, Exit.void)
        assert.isEmpty(processesOf(own))
        for (const fiber of published) assert.isTrue(Exit.isFailure(yield* Fiber.join(fiber)))
      }).pipe(Effect.scoped)
  )
})
