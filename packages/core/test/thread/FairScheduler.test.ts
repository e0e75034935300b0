/** Tests fibers that share the turns of an event loop. */
import { enqueue, fairScheduler, runSoon } from "@lectern/core/thread/FairScheduler"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Scheduler } from "effect"

/**
 * Waits for a turn of Effect's own scheduler. All tasks of the current event loop turn run before the promise resolves.
 */
const turnOfLoop = () => new Promise<void>((resolve) => new Scheduler.MixedScheduler().setImmediate(resolve))

/** Occupies the CPU for longer than the limit of a turn. */
const compute = () => {
  const end = performance.now() + 9
  while (performance.now() < end);
}

describe("the fair scheduler", () => {
  it("runs no second task in a turn that is over", async () => {
    const done: Array<number> = []
    for (const n of [1, 2, 3]) {
      enqueue(() => {
        done.push(n)
        compute()
      })
    }
    await turnOfLoop()
    assert.deepStrictEqual(done, [1])
    await turnOfLoop()
    await turnOfLoop()
    await turnOfLoop()
    assert.deepStrictEqual(done, [1, 2, 3])
  })

  it("runs what comes at once while a turn lasts, and later in the order in which it came", async () => {
    await turnOfLoop()
    const done: Array<number> = []
    for (const n of [1, 2, 3]) {
      runSoon(() => {
        done.push(n)
        compute()
      })
    }
    assert.deepStrictEqual(done, [1])
    await turnOfLoop()
    await turnOfLoop()
    await turnOfLoop()
    assert.deepStrictEqual(done, [1, 2, 3])
  })

  it("runs no task that was cancelled", async () => {
    const done: Array<string> = []
    enqueue(() => done.push("cancelled"))()
    enqueue(() => done.push("other"))
    await turnOfLoop()
    assert.deepStrictEqual(done, ["other"])
  })

  it("runs fibers that rest in turns", async () => {
    const steps: Array<string> = []
    const fiber = (name: string) =>
      Effect.gen(function* () {
        for (const n of [1, 2]) {
          steps.push(`${name}${n}`)
          yield* Effect.yieldNow
        }
      })
    const both = Effect.all([fiber("a"), fiber("b")], { concurrency: 2 })
    await Effect.runPromise(Effect.provideService(both, Scheduler.Scheduler, fairScheduler))
    assert.deepStrictEqual(steps, ["a1", "b1", "a2", "b2"])
  })
})
