/** Tests the memory budget of the process: callers acquire bytes, wait for bytes, and release bytes. */
import * as MemoryBudget from "@lectern/core/thread/MemoryBudget"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Deferred, Effect, Exit, Fiber } from "effect"
import { TestClock } from "effect/testing"

const mebibyte = 1024 * 1024

/** Returns a budget on the test clock. Default: 32 MiB, of which 8 MiB are for responses and 24 MiB for work. */
const budgetOf = (bytes = 32 * mebibyte) => Effect.map(Clock.Clock, (clock) => MemoryBudget.budgetOf(bytes, clock))

/** Lets all fibers run as far as possible. */
const settle = Effect.repeat(Effect.yieldNow, { times: 20 })

/** Starts a caller that holds bytes until the test ends it. */
const holding = Effect.fnUntraced(function* (take: (effect: Effect.Effect<void>) => Effect.Effect<void, unknown>) {
  const end = yield* Deferred.make<void>()
  const state = { hasBegun: false }
  const work = Effect.andThen(
    Effect.sync(() => {
      state.hasBegun = true
    }),
    Deferred.await(end)
  )
  const fiber = yield* Effect.forkChild(take(work))
  yield* settle
  return { state, fiber, end: Effect.andThen(Deferred.succeed(end, undefined), settle) }
})

describe("the budget of memory", () => {
  it.effect("lets callers wait for bytes, in their order", () =>
    Effect.gen(function* () {
      const budget = yield* budgetOf()
      const first = yield* holding((work) => budget.runReserved(20 * mebibyte, work))
      const large = yield* holding((work) => budget.runReserved(10 * mebibyte, work))
      const small = yield* holding((work) => budget.runReserved(1 * mebibyte, work))
      assert.deepStrictEqual(
        [first, large, small].map(({ state }) => state.hasBegun),
        [true, false, false]
      )
      yield* first.end
      assert.deepStrictEqual([large.state.hasBegun, small.state.hasBegun], [true, true])
      yield* large.end
      yield* small.end
      assert.strictEqual(budget.used(), 0)
    })
  )

  it.effect("refuses a caller after 3 seconds, which takes nothing then", () =>
    Effect.gen(function* () {
      const budget = yield* budgetOf()
      const first = yield* holding((work) => budget.runReserved(24 * mebibyte, work))
      const second = yield* holding((work) => budget.runReserved(1, work))
      yield* TestClock.adjust("3 seconds")
      const exit = yield* Fiber.await(second.fiber)
      assert.isTrue(Exit.isFailure(exit))
      assert.isFalse(second.state.hasBegun)
      yield* first.end
      assert.strictEqual(budget.used(), 0)
    })
  )

  it.effect("gets the bytes back of callers that fail, are interrupted, or leave while they wait", () =>
    Effect.gen(function* () {
      const budget = yield* budgetOf()
      yield* Effect.exit(budget.runReserved(5, Effect.die("failed")))
      const first = yield* holding((work) => budget.runReserved(24 * mebibyte, work))
      const second = yield* holding((work) => budget.runReserved(24 * mebibyte, work))
      yield* Fiber.interrupt(second.fiber)
      const third = yield* holding((work) => budget.runReserved(24 * mebibyte, work))
      yield* Fiber.interrupt(first.fiber)
      yield* settle
      assert.isTrue(third.state.hasBegun)
      yield* third.end
      assert.strictEqual(budget.used(), 0)
    })
  )

  it.effect("lets no two callers wait for each other: what is made within something is made at once", () =>
    Effect.gen(function* () {
      const budget = yield* budgetOf()
      const inner = Effect.succeed("made")
      const nested = budget.runReserved(20 * mebibyte, budget.runReserved(20 * mebibyte, inner))
      assert.deepStrictEqual(yield* Effect.all([nested, nested], { concurrency: 2 }), ["made", "made"])
      const answer = budget.runResponse(
        Effect.andThen(budget.reserveForResponse(20 * mebibyte), budget.runReserved(20 * mebibyte, inner))
      )
      const answers = Array.from({ length: 8 }, () => answer)
      assert.lengthOf(yield* Effect.all(answers, { concurrency: "unbounded" }), 8)
      assert.strictEqual(budget.used(), 0)
    })
  )

  it.effect("has room for as many answers, and for others while one waits for another program", () =>
    Effect.gen(function* () {
      const budget = yield* budgetOf()
      const answers = yield* Effect.forEach(Array.from({ length: 4 }), () =>
        holding((work) => budget.runResponse(work))
      )
      const next = yield* holding((work) => budget.runResponse(work))
      assert.deepStrictEqual(
        [...answers, next].map(({ state }) => state.hasBegun),
        [true, true, true, true, false]
      )
      yield* answers[0]!.end
      assert.isTrue(next.state.hasBegun)
      yield* next.end
      const pausing = yield* holding((work) => budget.runResponse(budget.pause(work)))
      const beside = yield* holding((work) => budget.runResponse(work))
      assert.deepStrictEqual([pausing.state.hasBegun, beside.state.hasBegun], [true, true])
      for (const one of [...answers.slice(1), pausing, beside]) yield* one.end
      assert.strictEqual(budget.used(), 0)
    })
  )
})
