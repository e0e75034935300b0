import { assert, describe, it } from "@effect/vitest"
import { SqliteStorage } from "@lectern/adapter-sqlite/SqliteStorage"
import { CurrentActor } from "@lectern/core/access/Actor"
import { EventReaderTable } from "@lectern/core/event/EventReader"
import { EventSubscriptions } from "@lectern/core/event/EventSubscriptions"
import { HostJobs } from "@lectern/core/job/host/HostJobs"
import * as Timestamps from "@lectern/core/schema/Timestamps"
import { Spaces } from "@lectern/core/space/Spaces"
import { Storage } from "@lectern/core/storage/Storage"
import { UserId } from "@lectern/core/user/User"
import { Clock, Context, Deferred, Effect, Exit, Layer, Scope } from "effect"
import { TestClock } from "effect/testing"
import { temporaryFile } from "../../../adapter-sqlite/test/TemporaryFile.ts"
import { pausableClock } from "../PausedProcess.ts"
import { onEach } from "../Adapters.ts"
import { actor, adapters, instance, organization, type Services } from "../Instances.ts"
import { turns } from "../Turns.ts"

const pass = (duration: Parameters<typeof TestClock.adjust>[0]) => Effect.andThen(TestClock.adjust(duration), turns(20))

/** The titles of spaces in the order in which their events came. */
const titles = Effect.gen(function* () {
  const spaces = yield* Spaces
  const seen: Array<string | undefined> = []
  const see = ({ space }: { readonly space: Parameters<typeof spaces.get>[0] }) =>
    Effect.map(spaces.get(space), ({ title }) => void seen.push(title))
  const here = yield* organization
  const make = (...names: ReadonlyArray<string>) =>
    Effect.forEach(names, (title) => spaces.create(here, { title }), { discard: true })
  return { seen, see, make, here, spaces }
})

for (const [name, services] of onEach(adapters)) {
  describe(`subscriptions (${name})`, () => {
    const test = (title: string, body: () => Effect.Effect<void, unknown, Services | Scope.Scope>) =>
      it.effect(title, () => Effect.provide(body(), Layer.fresh(services)))

    test("get the events of their types, from now on and in their order", () =>
      Effect.gen(function* () {
        const { on } = yield* EventSubscriptions
        const { see, seen, make, here, spaces } = yield* titles
        yield* make("before")
        yield* on(["space_created"], see)
        yield* on(["space_created", "space_updated"], ({ type }) => Effect.sync(() => void seen.push(type)), {
          reader: "both"
        })
        const { id } = yield* spaces.create(here, { title: "first" })
        yield* turns(20)
        yield* spaces.update(id, { title: "renamed" })
        yield* turns(20)
        yield* make("second", "third")
        yield* turns(20)
        assert.deepStrictEqual(
          seen.filter((text) => !text?.startsWith("space_")),
          ["first", "second", "third"]
        )
        assert.deepStrictEqual(
          seen.filter((text) => text?.startsWith("space_")),
          ["space_created", "space_updated", "space_created", "space_created"]
        )
      }))

    test("with a reader miss nothing that happens while nobody subscribes", () =>
      Effect.gen(function* () {
        const { on } = yield* EventSubscriptions
        const { see, seen, make, here, spaces } = yield* titles
        const stray = spaces.create(here, { title: "stray" }).pipe(Effect.flatMap(({ id }) => spaces.remove(id)))
        yield* Effect.scoped(
          Effect.gen(function* () {
            yield* on(["space_created"], see, { reader: "search" })
            yield* make("one")
            yield* turns(20)
          })
        )
        assert.deepStrictEqual(seen, ["one"])
        yield* make("two")
        yield* stray
        yield* make(...Array.from({ length: 250 }, (_, i) => `more ${i}`))
        yield* on(["space_created"], see, { reader: "search" })
        yield* on(["space_updated"], () => Effect.die("no space was updated"))
        while (seen.length < 253) yield* turns(20)
        assert.deepStrictEqual(seen.slice(0, 4), ["one", "two", "stray", "more 0"])
        assert.strictEqual(seen.at(-1), "more 249")
      }))

    test("try a handler that fails again after longer and longer pauses, and hold nobody else back", () =>
      Effect.gen(function* () {
        const { on } = yield* EventSubscriptions
        const jobs = yield* HostJobs
        const { see, seen, make } = yield* titles
        let attempts = 0
        const failing = Effect.suspend(() => (++attempts < 4 ? Effect.die(new Error("The moon is full")) : Effect.void))
        yield* on(["space_created"], (event) => Effect.andThen(failing, see(event)), { reader: "failing" })
        const others: Array<string> = []
        yield* on(["space_created"], ({ id }) => Effect.sync(() => void others.push(id)), { reader: "other" })
        yield* on(["space_created"], ({ id }) => Effect.sync(() => void others.push(id)))
        yield* make("one", "two")
        yield* turns(20)
        assert.strictEqual(others.length, 4)
        const readers = jobs.list({ status: "waiting", kind: "event-reader" })
        const [held] = yield* readers
        assert.deepInclude(held, { id: "reader:host:failing", attempts: 1, failure: "The moon is full" })
        for (const [wait, expected] of [
          ["4999 millis", 1],
          ["1 milli", 2],
          ["9999 millis", 2],
          ["1 milli", 3],
          ["19999 millis", 3]
        ] as const) {
          yield* pass(wait)
          assert.strictEqual(attempts, expected)
        }
        assert.isEmpty(seen)
        yield* pass("1 milli")
        assert.deepStrictEqual(seen, ["one", "two"])
        assert.deepStrictEqual(
          (yield* readers).map(({ id, attempts }) => [id, attempts]),
          [
            ["reader:host:failing", 0],
            ["reader:host:other", 0]
          ]
        )
      }))

    test("that are gone with the process try again, too", () =>
      Effect.gen(function* () {
        const { on } = yield* EventSubscriptions
        const { see, seen, make } = yield* titles
        let attempts = 0
        const failing = Effect.suspend(() => (++attempts < 2 ? Effect.fail("no") : Effect.void))
        yield* on(["space_created"], (event) => Effect.andThen(failing, see(event)))
        yield* make("one")
        yield* turns(20)
        assert.isEmpty(seen)
        yield* pass("5 seconds")
        assert.deepStrictEqual(seen, ["one"])
      }))

    test("wait for the handler that runs when they end, and deliver again what it did not finish", () =>
      Effect.gen(function* () {
        const { on } = yield* EventSubscriptions
        const { seen, make } = yield* titles
        const gates = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        let begun = 0
        const subscribe = Effect.gen(function* () {
          const scope = yield* Scope.make()
          const handler = ({ id }: { readonly id: string }) =>
            Effect.andThen(
              Deferred.await(gates[begun++]!),
              Effect.sync(() => void seen.push(id))
            )
          yield* on(["space_created"], handler, { reader: "slow" }).pipe(Effect.provideService(Scope.Scope, scope))
          return scope
        })
        const first = yield* subscribe
        yield* make("one", "two")
        yield* turns(20)
        const closing = yield* Effect.forkChild(Scope.close(first, Exit.void))
        yield* turns(20)
        assert.isUndefined(closing.pollUnsafe())
        yield* Deferred.succeed(gates[0]!, undefined)
        yield* turns(20)
        assert.isDefined(closing.pollUnsafe())
        assert.strictEqual(seen.length, 1)

        const second = yield* subscribe
        yield* turns(20)
        assert.strictEqual(begun, 2)
        const stuck = yield* Effect.forkChild(Scope.close(second, Exit.void))
        yield* turns(20)
        yield* pass("10 seconds")
        assert.isDefined(stuck.pollUnsafe())
        gates.push(yield* Deferred.make<void>())
        yield* Deferred.succeed(gates[2]!, undefined)
        yield* subscribe
        yield* turns(20)
        assert.strictEqual(seen.length, 2)
        assert.strictEqual(new Set(seen).size, 2)
      }))

    test("take over what a process held that is gone, once its lease is over", () =>
      Effect.gen(function* () {
        const { on } = yield* EventSubscriptions
        const { see, seen, make } = yield* titles
        yield* Effect.scoped(on(["space_created"], see, { reader: "killed" }))
        yield* make("one")
        const rows = (yield* Storage).repository(EventReaderTable)
        const [row] = yield* rows.list({ where: {} })
        const lease = { holder: "gone", number: row!.lease.number + 1, until: Timestamps.at(60_000) }
        yield* rows.update({ reader: row!.reader }, { lease })
        yield* on(["space_created"], see, { reader: "killed" })
        yield* pass("59 seconds")
        assert.isEmpty(seen)
        yield* pass("1 second")
        assert.deepStrictEqual(seen, ["one"])
      }))

    test("are the host's alone, and bounded", () =>
      Effect.gen(function* () {
        const { on } = yield* EventSubscriptions
        const jobs = yield* HostJobs
        const nothing = () => Effect.void
        const refused = (effect: Effect.Effect<unknown, { readonly _tag: string }, CurrentActor | Scope.Scope>) =>
          Effect.map(Effect.flip(Effect.scoped(effect)), ({ _tag }) => _tag)
        const user = Effect.provideService(CurrentActor, { type: "user", user: UserId.make("eve") })
        assert.strictEqual(yield* refused(on(["space_created"], nothing).pipe(user)), "Forbidden")
        assert.strictEqual(yield* refused(jobs.list({ status: "waiting" }).pipe(user)), "Forbidden")
        assert.strictEqual(yield* refused(jobs.removeReader("a").pipe(user)), "Forbidden")
        assert.strictEqual(yield* refused(on([], nothing)), "InvalidInput")
        assert.strictEqual(yield* refused(on(["no_such_event" as "space_created"], nothing)), "InvalidInput")
        assert.strictEqual(yield* refused(on(["space_created"], nothing, { reader: "" })), "InvalidInput")
        assert.strictEqual(yield* refused(on(["space_created"], nothing, { reader: "a".repeat(101) })), "InvalidInput")
        yield* on(["space_created"], nothing, { reader: "twice" })
        assert.strictEqual(yield* refused(on(["space_created"], nothing, { reader: "twice" })), "ReaderInUse")
        for (let i = 1; i < 100; i++) yield* Effect.scoped(on(["space_created"], nothing, { reader: `reader ${i}` }))
        assert.strictEqual(yield* refused(on(["space_created"], nothing, { reader: "one more" })), "TooManyReaders")
        assert.isTrue(yield* jobs.removeReader("reader 1"))
        assert.isFalse(yield* jobs.removeReader("reader 1"))
        yield* Effect.scoped(on(["space_created"], nothing, { reader: "one more" }))
        for (let i = 1; i < 100; i++) yield* on(["space_created"], nothing)
        assert.strictEqual(yield* refused(on(["space_created"], nothing)), "TooManyReaders")
      }))
  })
}

it.effect("two processes with one reader deliver each event once, in order, one at a time", () =>
  Effect.gen(function* () {
    const filename = yield* temporaryFile
    const open = Layer.build(instance(SqliteStorage.layer({ filename })))
    const lecterns = [yield* open, yield* open]
    const seen: Array<string | undefined> = []
    const by = new Set<number>()
    let atOnce = 0
    for (const [i, lectern] of lecterns.entries()) {
      const { on } = Context.get(lectern, EventSubscriptions)
      const spaces = Context.get(lectern, Spaces)
      yield* on(
        ["space_created"],
        Effect.fnUntraced(function* ({ space }) {
          assert.strictEqual(++atOnce, 1)
          yield* Effect.provideContext(turns(20), lectern)
          seen.push((yield* spaces.get(space)).title)
          by.add(i)
          atOnce--
        }),
        { reader: "shared" }
      )
    }
    const here = yield* organization.pipe(Effect.provideContext(lecterns[0]!))
    // Time must not outrun the disk: what is claimed and not renewed in time is delivered again.
    const turnsOfBoth = Effect.forEach(lecterns, (lectern) => Effect.provideContext(turns(20), lectern))
    const later = Effect.andThen(TestClock.adjust("5 seconds"), turnsOfBoth)
    const made = Array.from({ length: 12 }, (_, i) => `space ${i}`)
    for (const [i, title] of made.entries()) {
      yield* Context.get(lecterns[i % 2]!, Spaces).create(here, { title })
      if (i % 3 === 2) while (seen.length <= i) yield* later
    }
    while (seen.length < made.length) yield* later
    assert.deepStrictEqual(seen, made)
    assert.strictEqual(by.size, 2)
  }).pipe(Effect.scoped, Effect.provide(actor))
)

it.effect(
  "a process that stands still for longer than its lease can't write for the event that another took over",
  () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const open = Layer.build(instance(SqliteStorage.layer({ filename })))
      const { clock, pause, resume } = yield* pausableClock
      const [first, second] = [yield* Effect.provideService(open, Clock.Clock, clock), yield* open]
      const spaces = Context.get(first, Spaces)
      const here = yield* organization.pipe(Effect.provideContext(first))
      const continued = yield* Deferred.make<void>()
      const refused = yield* Deferred.make<unknown>()
      const late = Effect.gen(function* () {
        yield* Deferred.await(continued)
        yield* Deferred.succeed(refused, yield* Effect.flip(spaces.create(here, { title: "late" })))
      })
      yield* Context.get(first, EventSubscriptions).on(["space_created"], () => late, { reader: "shared" })
      yield* spaces.create(here, { title: "one" })
      const turnsOfBoth = Effect.forEach([first, second], (lectern) => Effect.provideContext(turns(20), lectern))
      yield* turnsOfBoth
      yield* pause

      const handled: Array<string> = []
      const note = ({ id }: { readonly id: string }) => Effect.sync(() => void handled.push(id))
      yield* Context.get(second, EventSubscriptions).on(["space_created"], note, { reader: "shared" })
      for (let i = 0; i < 13; i++) yield* Effect.andThen(TestClock.adjust("5 seconds"), turnsOfBoth)
      assert.strictEqual(handled.length, 1)
      const readers = Context.get(first, Storage).repository(EventReaderTable)
      const before = yield* readers.list({ where: {} })
      yield* Deferred.succeed(continued, undefined)
      assert.deepInclude(yield* Deferred.await(refused), { _tag: "StorageError", reason: "lease-lost" })
      yield* turnsOfBoth
      assert.deepStrictEqual(yield* readers.list({ where: {} }), before)
      assert.deepStrictEqual(
        (yield* spaces.list(here, {})).items.map(({ title }) => title),
        ["one"]
      )
      yield* resume
      yield* TestClock.adjust("1 minute")
    }).pipe(Effect.scoped, Effect.provide(actor))
)
