/** Whose turn it is with the threads: one of an actor at a time, a bounded queue, and what is patient last. */
import { assert, describe, it } from "@effect/vitest"
import { type Actor, CurrentActor } from "@lectern/core/access/Actor"
import * as Computation from "@lectern/core/thread/Computation"
import { computations, find } from "@lectern/core/thread/Computations"
import {
  maxReadersWaiting,
  maxWaiting,
  maxWaitingOfAll,
  type Task,
  Threads,
  tooCostly
} from "@lectern/core/thread/Threads"
import { UserId } from "@lectern/core/user/User"
import { Deferred, Effect, Fiber } from "effect"

const Double = Computation.make({ name: "double", isSmall: (n: number) => n < 10, run: (n) => n * 2 })

/** Threads that do nothing until they are told to, each task by its input. */
const held = (count: number, inPlace?: number) => {
  const begun: Array<unknown> = []
  const ends = new Map<unknown, Deferred.Deferred<unknown>>()
  const threads = Threads.ofPool({
    count,
    ...(inPlace !== undefined && { inPlace }),
    run: ({ input }: Task) =>
      Effect.suspend(() => {
        const end = Deferred.makeUnsafe<unknown>()
        begun.push(input)
        ends.set(input, end)
        return Deferred.await(end)
      })
  })
  const end = (input: unknown) =>
    Effect.gen(function* () {
      yield* Deferred.succeed(ends.get(input)!, undefined)
      // Whoever comes next begins.
      for (let i = 0; i < 10; i++) yield* Effect.yieldNow
    })
  return { threads, begun, end }
}

const as = (user: string) => Effect.provideService(CurrentActor, { type: "user", user: UserId.make(user) })

const settled = Effect.gen(function* () {
  for (let i = 0; i < 10; i++) yield* Effect.yieldNow
})

describe("Threads", () => {
  it.effect("do in place what is small, and everything where there are none", () =>
    Effect.gen(function* () {
      const { threads, begun } = held(1)
      assert.strictEqual(yield* threads.run(Double, 3), 6)
      assert.deepStrictEqual(begun, [])
      const { run } = yield* Threads.pipe(Effect.provide(Threads.layer))
      assert.strictEqual(yield* run(Double, 30), 60)
      const deep = Computation.make({
        name: "deep",
        run: (): number => {
          throw new RangeError("Maximum call stack size exceeded")
        }
      })
      assert.strictEqual(yield* Effect.flip(run(deep, undefined)), tooCostly)
    })
  )

  it.effect("do in place what is short enough where nobody else waits", () =>
    Effect.gen(function* () {
      const Long = Computation.make({ ...Double, lengthOf: (n: number) => n, run: (n) => n * 2 })
      const { threads, begun, end } = held(1, 100)
      assert.strictEqual(yield* threads.run(Long, 100), 200)
      assert.deepStrictEqual(begun, [])
      for (const [computation, n] of [
        [Long, 101],
        [Double, 11]
      ] as const) {
        yield* Effect.forkDetach(threads.run(computation, n))
        yield* settled
        assert.deepStrictEqual(begun.splice(0), [n])
        yield* end(n)
      }
    })
  )

  it.effect("take one of an actor at a time, and those of others meanwhile", () =>
    Effect.gen(function* () {
      const { threads, begun, end } = held(2)
      for (const [user, n] of [
        ["a", 10],
        ["a", 11],
        ["b", 20],
        ["c", 30]
      ] as const) {
        yield* Effect.forkDetach(threads.run(Double, n).pipe(as(user)))
      }
      yield* settled
      assert.deepStrictEqual(begun, [10, 20])
      yield* end(20)
      assert.deepStrictEqual(begun, [10, 20, 30])
      yield* end(10)
      assert.deepStrictEqual(begun, [10, 20, 30, 11])
    })
  )

  it.effect("turn away who has too many waiting, and nobody else", () =>
    Effect.gen(function* () {
      const { threads } = held(1)
      for (let n = 0; n <= maxWaiting; n++) yield* Effect.forkDetach(threads.run(Double, 100 + n).pipe(as("a")))
      yield* settled
      const { reason } = (yield* Effect.flip(threads.run(Double, 200).pipe(as("a")))) as { readonly reason: string }
      assert.strictEqual(reason, "busy")
      for (let n = maxWaiting; n < maxWaitingOfAll; n++) {
        yield* Effect.forkDetach(threads.run(Double, 300 + n).pipe(as(`user-${n}`)))
      }
      yield* settled
      assert.deepInclude(yield* Effect.flip(threads.run(Double, 400).pipe(as("late"))), { reason: "busy" })
    })
  )

  it.effect("let more readers of a site wait than anybody else: they are many", () =>
    Effect.gen(function* () {
      const { threads } = held(1)
      const reader = { type: "visitor", site: "site", via: "site", kind: "public" } as unknown as Actor
      const read = Effect.provideService(threads.run(Double, 100), CurrentActor, reader)
      for (let n = 0; n <= maxReadersWaiting; n++) yield* Effect.forkDetach(read)
      yield* settled
      assert.deepInclude(yield* Effect.flip(read), { reason: "busy" })
    })
  )

  it.effect("do what is patient last, in half of the threads, and never turn it away", () =>
    Effect.gen(function* () {
      const { threads, begun, end } = held(2)
      for (let n = 0; n < 2 * maxWaitingOfAll; n++) {
        yield* Effect.forkDetach(threads.run(Double, 1000 + n, { patient: true }).pipe(as("a")))
      }
      yield* settled
      assert.deepStrictEqual(begun, [1000])
      for (const n of [10, 11]) yield* Effect.forkDetach(threads.run(Double, n).pipe(as("a")))
      yield* settled
      assert.deepStrictEqual(begun, [1000, 10])
      yield* end(1000)
      assert.deepStrictEqual(begun, [1000, 10, 1001])
      yield* end(10)
      assert.deepStrictEqual(begun, [1000, 10, 1001, 11])
    })
  )

  it.effect("forget who does not wait any longer; what has begun keeps its turn until it is done", () =>
    Effect.gen(function* () {
      const { threads, begun, end } = held(1)
      const fibers = []
      for (const n of [10, 11, 12]) fibers.push(yield* Effect.forkDetach(threads.run(Double, n).pipe(as(`user-${n}`))))
      yield* settled
      yield* Fiber.interrupt(fibers[1]!)
      yield* Effect.forkDetach(Fiber.interrupt(fibers[0]!))
      yield* settled
      assert.deepStrictEqual(begun, [10])
      yield* end(10)
      assert.deepStrictEqual(begun, [10, 12])
    })
  )

  it.effect("find every computation under its name", () =>
    Effect.gen(function* () {
      for (const name of Object.keys(computations)) {
        assert.strictEqual((yield* Effect.promise(() => find(computations, name))).name, name)
      }
    })
  )
})
