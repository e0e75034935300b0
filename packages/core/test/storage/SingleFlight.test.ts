/** Tests work that runs once for all concurrent callers. */
import { CurrentReads, Reads } from "@lectern/core/storage/Reads"
import { SingleFlight } from "@lectern/core/storage/SingleFlight"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber } from "effect"

const settle = Effect.repeat(Effect.yieldNow, { times: 20 })

/** Work that completes on request of the test. It counts starts and interruptions. */
const work = Effect.gen(function* () {
  const gate = yield* Deferred.make<string, string>()
  const counts = { started: 0, interrupted: 0 }
  const make = Effect.suspend(() => {
    counts.started++
    return Effect.onInterrupt(Deferred.await(gate), () => Effect.sync(() => void counts.interrupted++))
  })
  return { gate, counts, make }
})

describe("work for several callers", () => {
  it.effect("is done once for each key", () =>
    Effect.gen(function* () {
      const flights = new SingleFlight<string, string, string>()
      const { counts, gate, make } = yield* work
      const callers = yield* Effect.forEach(["a", "a", "b", "a"], (key) => Effect.forkChild(flights.run(key, make)))
      yield* settle
      assert.strictEqual(counts.started, 2)
      yield* Deferred.succeed(gate, "made")
      for (const caller of callers) assert.strictEqual(yield* Fiber.join(caller), "made")
      assert.strictEqual(yield* flights.run("a", Effect.succeed("anew")), "anew")
    })
  )

  it.effect("goes on when the first caller leaves, and is interrupted with the last one", () =>
    Effect.gen(function* () {
      const flights = new SingleFlight<string, string, string>()
      const { counts, gate, make } = yield* work
      const [first, second] = yield* Effect.all([
        Effect.forkChild(flights.run("a", make)),
        Effect.forkChild(flights.run("a", make))
      ])
      yield* settle
      yield* Fiber.interrupt(first)
      yield* settle
      assert.deepStrictEqual(counts, { started: 1, interrupted: 0 })
      yield* Fiber.interrupt(second)
      yield* settle
      assert.deepStrictEqual(counts, { started: 1, interrupted: 1 })
      const third = yield* Effect.forkChild(flights.run("a", make))
      yield* settle
      yield* Deferred.succeed(gate, "made")
      assert.strictEqual(yield* Fiber.join(third), "made")
    })
  )

  it.effect("fails for all who wait, and is tried again by the next", () =>
    Effect.gen(function* () {
      const flights = new SingleFlight<string, string, string>()
      const { gate, make } = yield* work
      const callers = yield* Effect.forEach(["a", "a"], (key) => Effect.forkChild(flights.run(key, make)))
      yield* settle
      yield* Deferred.fail(gate, "broken")
      for (const caller of callers) assert.deepStrictEqual(yield* Fiber.await(caller), Exit.fail("broken"))
      assert.strictEqual(yield* flights.run("a", Effect.succeed("made")), "made")
    })
  )

  it.effect("counts its reads as those of each caller", () =>
    Effect.gen(function* () {
      const flights = new SingleFlight<string, string>()
      const make = Effect.gen(function* () {
        yield* Effect.yieldNow
        ;(yield* CurrentReads)?.addEverything()
        return "made"
      })
      const all = [new Reads(), new Reads()]
      yield* Effect.forEach(all, (reads) => Effect.provideService(flights.run("a", make), CurrentReads, reads), {
        concurrency: 2
      })
      assert.deepStrictEqual(
        all.map(({ isEverything }) => isEverything),
        [true, true]
      )
    })
  )
})
