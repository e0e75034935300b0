import { assert, describe, it } from "@effect/vitest"
import { KeyedSemaphore } from "@lectern/core/storage/KeyedSemaphore"
import { Deferred, Effect, Exit, Fiber } from "effect"

describe("turns by key", () => {
  it.effect("are taken in the order of coming, and say who has waited", () =>
    Effect.gen(function* () {
      const turns = new KeyedSemaphore()
      const gate = yield* Deferred.make<void>()
      const done: Array<readonly [string, boolean]> = []
      const add = (name: string, key: string) =>
        Effect.forkChild(
          turns.withPermit(key, (hasWaited) =>
            Effect.andThen(
              name === "first" ? Deferred.await(gate) : Effect.void,
              Effect.sync(() => void done.push([name, hasWaited]))
            )
          ),
          { startImmediately: true }
        )
      const fibers = [
        yield* add("first", "a"),
        yield* add("second", "a"),
        yield* add("third", "a"),
        yield* add("elsewhere", "b")
      ]
      assert.deepStrictEqual(done, [["elsewhere", false]])
      yield* Deferred.succeed(gate, undefined)
      yield* Effect.forEach(fibers, Fiber.join)
      assert.deepStrictEqual(done.slice(1), [
        ["first", false],
        ["second", true],
        ["third", true]
      ])
    })
  )

  it.effect("are bounded, free again after a failure, and left by who is interrupted", () =>
    Effect.gen(function* () {
      const turns = new KeyedSemaphore({ maxWaiting: 1 })
      const holds = yield* Effect.forkChild(
        turns.withPermit("a", () => Effect.never),
        { startImmediately: true }
      )
      const waits = yield* Effect.forkChild(
        turns.withPermit("a", () => Effect.never),
        { startImmediately: true }
      )
      assert.isTrue(Exit.isFailure(yield* Effect.exit(turns.withPermit("a", () => Effect.void))))
      yield* Fiber.interrupt(waits)
      yield* Fiber.interrupt(holds)
      assert.isTrue(Exit.isFailure(yield* Effect.exit(turns.withPermit("a", () => Effect.fail("no")))))
      assert.isFalse(yield* turns.withPermit("a", (hasWaited) => Effect.succeed(hasWaited)))
    })
  )
})
