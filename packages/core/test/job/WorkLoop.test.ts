/** The loop of all background work, with a source in memory. */
import { assert, describe, it } from "@effect/vitest"
import { makeLoop, type WorkSource } from "@lectern/core/job/WorkLoop"
import { WorkSignal } from "@lectern/core/job/WorkSignal"
import { StorageError } from "@lectern/core/storage/Storage"
import { Clock, Deferred, Duration, Effect, Exit, References, Scope } from "effect"
import { TestClock } from "effect/testing"

/** A source of items that are due at times in ms, with the ends of their runs. */
const sourceOf = (
  items: Array<readonly [name: string, dueAt: number]>,
  work: Record<string, Effect.Effect<void, unknown>>
) => {
  const ends: Array<string> = []
  let [running, most, claims] = [0, 0, 0]
  let unavailable = 0
  const end = (how: string) => (name: string) => Effect.sync(() => void ends.push(`${name} ${how}`))
  const source: WorkSource<string> = {
    name: "item",
    signal: new WorkSignal(),
    concurrency: (mode) => (mode === "standing" ? 2 : 1),
    claim: () =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        claims++
        if (unavailable-- > 0) return new StorageError({ reason: "unavailable", message: "locked" })
        const [first] = items.toSorted(([, a], [, b]) => a - b)
        if (first === undefined) return Effect.succeed({ items: [] })
        if (first[1] > now) return Effect.succeed({ items: [], nextAt: first[1] })
        items.splice(items.indexOf(first), 1)
        return Effect.succeed({ items: [first[0]] })
      }),
    lease: () => ({ fence: undefined, renew: () => Effect.succeed(true) }),
    run: (name) =>
      Effect.ensuring(
        Effect.andThen(
          Effect.sync(() => (most = Math.max(most, ++running))),
          work[name] ?? Effect.void
        ),
        Effect.sync(() => running--)
      ),
    complete: end("completed"),
    fail: (name, { reason }) => end(`failed: ${reason}`)(name),
    release: end("released"),
    logFields: () => ({})
  }
  return { source, ends, items, counts: () => ({ most, claims }), fails: (times: number) => void (unavailable = times) }
}

const pass = (duration: Duration.Input) => Effect.andThen(TestClock.adjust(duration), Effect.yieldNow)
const quiet = Effect.provideService(References.MinimumLogLevel, "None")

describe("The loop of background work", () => {
  it.effect("starts work when it is due, when a signal opens, and when a run ends", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const waiting = Deferred.await(gate)
      const { source, ends, items, counts } = sourceOf([["later", 7_000]], { one: waiting, two: waiting })
      yield* makeLoop(source, "me", { poll: { days: 1 } }).start
      yield* pass("6999 millis")
      assert.deepStrictEqual(ends, [])
      yield* pass("1 milli")
      assert.deepStrictEqual(ends, ["later completed"])
      items.push(["one", 0], ["two", 0], ["three", 0])
      yield* pass("1 minute")
      assert.deepStrictEqual(items.length, 3)
      yield* source.signal.open
      yield* pass(0)
      assert.deepStrictEqual(items, [["three", 0]])
      yield* Deferred.succeed(gate, undefined)
      yield* pass(0)
      assert.sameMembers(ends.slice(1), ["one completed", "two completed", "three completed"])
      assert.strictEqual(counts().most, 2)
    })
  )

  it.effect("polls for work of other processes, also after the store failed", () =>
    Effect.gen(function* () {
      const { source, ends, items, fails } = sourceOf([], {})
      yield* makeLoop(source, "me", {}).start
      yield* pass(0)
      fails(1)
      items.push(["theirs", 0])
      yield* pass("5 seconds")
      assert.deepStrictEqual(ends, [])
      yield* pass("5 seconds")
      assert.deepStrictEqual(ends, ["theirs completed"])
    }).pipe(quiet)
  )

  it.effect("records failures with a reason, and runs other work meanwhile", () =>
    Effect.gen(function* () {
      const { source, ends } = sourceOf(
        [
          ["slow", 0],
          ["broken", 1],
          ["fine", 2]
        ],
        { slow: Effect.sleep("1 hour"), broken: Effect.die(new Error("The moon is full")) }
      )
      yield* makeLoop(source, "me", {}).start
      yield* pass("1 second")
      assert.deepStrictEqual(ends, ["broken failed: The moon is full", "fine completed"])
      yield* pass("1 hour")
      assert.strictEqual(ends.at(-1), "slow completed")
    }).pipe(quiet)
  )

  it.effect("waits for runs at a shutdown, then interrupts and releases them, and claims nothing", () =>
    Effect.gen(function* () {
      const { source, ends, items, counts } = sourceOf([["endless", 0]], { endless: Effect.never })
      const scope = yield* Scope.make()
      yield* makeLoop(source, "me", {}).start.pipe(Scope.provide(scope))
      yield* pass(0)
      const closing = yield* Effect.forkScoped(Scope.close(scope, Exit.void))
      yield* pass(0)
      items.push(["late", 0])
      const { claims } = counts()
      yield* source.signal.open
      yield* pass("9999 millis")
      assert.isUndefined(closing.pollUnsafe())
      yield* pass("1 milli")
      assert.isDefined(closing.pollUnsafe())
      assert.deepStrictEqual(ends, ["endless released"])
      assert.strictEqual(counts().claims, claims)
    })
  )

  it.effect("runs one item after another until none is due, and returns their number", () =>
    Effect.gen(function* () {
      const { source, ends, counts } = sourceOf(
        [
          ["one", 0],
          ["two", 0],
          ["later", 1]
        ],
        { one: Effect.yieldNow }
      )
      assert.strictEqual(yield* makeLoop(source, "me", {}).runDue, 2)
      assert.deepStrictEqual([ends, counts().most], [["one completed", "two completed"], 1])
    })
  )

  it.effect("interrupts a run that lost its lease, and records nothing", () =>
    Effect.gen(function* () {
      const { source, ends } = sourceOf([["lost", 0]], { lost: Effect.never })
      let renewals = 0
      const lease = () => ({ fence: undefined, renew: () => Effect.sync(() => ++renewals < 3) })
      yield* makeLoop({ ...source, lease }, "me", {}).start
      yield* pass("10 seconds")
      assert.strictEqual(renewals, 2)
      yield* pass("5 seconds")
      assert.strictEqual(renewals, 3)
      yield* pass("1 hour")
      assert.deepStrictEqual([renewals, ends], [3, []])
    }).pipe(quiet)
  )
})
