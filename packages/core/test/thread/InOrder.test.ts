/** Parts of a long work: taken in their order, whoever does them. */
import { assert, describe, it } from "@effect/vitest"
import { inOrder } from "@lectern/core/thread/InOrder"
import { Deferred, Effect, Fiber } from "effect"

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i)

const settled = Effect.gen(function* () {
  for (let i = 0; i < 20; i++) yield* Effect.yieldNow
})

/** Another thread that ends a part when it is told to, and what was done where. */
const watched = () => {
  const here: Array<number> = []
  const there: Array<number> = []
  const ends = new Map<number, Deferred.Deferred<string>>()
  return {
    done: { here, there },
    here: (part: number) =>
      Effect.sync(() => {
        here.push(part)
        return `here ${part}`
      }),
    there: (part: number) =>
      Effect.suspend(() => {
        there.push(part)
        const end = Deferred.makeUnsafe<string>()
        ends.set(part, end)
        return Deferred.await(end)
      }),
    end: (part: number) => Effect.andThen(Deferred.succeed(ends.get(part)!, `there ${part}`), settled)
  }
}

const all = <A, E>(next: Effect.Effect<A | undefined, E>) =>
  Effect.gen(function* () {
    const taken: Array<A> = []
    for (let one = yield* next; one !== undefined; one = yield* next) taken.push(one)
    return taken
  })

describe("InOrder", () => {
  it.effect("does everything in place where there is no other thread", () =>
    Effect.gen(function* () {
      const { here, done } = watched()
      const next = yield* inOrder({ parts: numbers(20), here, there: undefined })
      assert.deepStrictEqual(
        yield* all(next),
        numbers(20).map((n) => `here ${n}`)
      )
      assert.deepStrictEqual(done.here, numbers(20))
      assert.isUndefined(yield* next)
    }).pipe(Effect.scoped)
  )

  it.effect("has a thread go ahead, helps it rather than to wait, and takes all in order", () =>
    Effect.gen(function* () {
      const { here, there, done, end } = watched()
      const next = yield* inOrder({ parts: numbers(4), here, there })
      yield* settled
      const taking = yield* Effect.forkChild(all(next))
      yield* settled
      // The thread is at the first: whoever takes has done all others meanwhile, and waits for it.
      assert.deepStrictEqual(done, { there: [0], here: [1, 2, 3] })
      yield* end(0)
      assert.deepStrictEqual(yield* Fiber.join(taking), ["there 0", "here 1", "here 2", "here 3"])
    }).pipe(Effect.scoped)
  )

  it.effect("goes no more than four parts ahead", () =>
    Effect.gen(function* () {
      const { here, there, done, end } = watched()
      const next = yield* inOrder({ parts: numbers(30), here, there })
      yield* settled
      for (let part = 0; part < 4; part++) yield* end(part)
      assert.deepStrictEqual(done, { there: numbers(4), here: [] })
      assert.strictEqual(yield* next, "there 0")
      yield* settled
      assert.deepStrictEqual(done, { there: numbers(5), here: [] })
      const taking = yield* Effect.forkChild(all(next))
      yield* settled
      // All but the fifth are there or were done in place, up to four behind what was taken last.
      assert.deepStrictEqual(done.here, [5, 6, 7])
      yield* end(4)
      yield* settled
      while (done.there.length > 0 && done.there.length + done.here.length < 30) yield* end(done.there.at(-1)!)
      yield* end(done.there.at(-1)!)
      const taken = yield* Fiber.join(taking)
      assert.deepStrictEqual(
        taken.map((one) => Number(one.split(" ")[1])),
        numbers(30).slice(1)
      )
    }).pipe(Effect.scoped)
  )

  it.effect("fails where the part that failed is taken, not before", () =>
    Effect.gen(function* () {
      const here = (part: number) => (part === 2 ? Effect.fail("broken") : Effect.succeed(part))
      const next = yield* inOrder({ parts: numbers(4), here, there: here })
      yield* settled
      assert.strictEqual(yield* next, 0)
      assert.strictEqual(yield* next, 1)
      assert.strictEqual(yield* Effect.flip(next), "broken")
    }).pipe(Effect.scoped)
  )
})
