/** There is a thread while something is asked of it, and one at a time. */
import { setTimeout } from "node:timers/promises"
import { assert, describe, it } from "@effect/vitest"
import * as ThreadOnDemand from "@lectern/services-node/thread/ThreadOnDemand"
import { Effect } from "effect"

const make = (options?: ThreadOnDemand.ThreadOnDemandOptions) =>
  ThreadOnDemand.make<string, string>(import.meta.url, "EchoWorker", options)

describe("ThreadOnDemand", () => {
  it.live("is the same for all that is asked, until it is lost", () =>
    Effect.gen(function* () {
      const ask = yield* make()
      const [first, second] = yield* Effect.all([ask("which"), ask("which")], { concurrency: "unbounded" })
      assert.strictEqual(second, first)
      assert.strictEqual((yield* Effect.flip(ask("fail"))).reason, "failed")
      const next = yield* ask("which")
      assert.notStrictEqual(next, first)
      assert.strictEqual((yield* Effect.flip(ask("never", "1 millis"))).reason, "time")
      assert.notInclude([first, next], yield* ask("which"))
    }).pipe(Effect.scoped)
  )

  it.live("ends with nothing to do, and not while it is asked for something that takes longer", () =>
    Effect.gen(function* () {
      const ask = yield* make({ idle: "1 millis" })
      const first = yield* ask("which")
      const wait = Effect.promise(() => setTimeout(5))
      let next = first
      while (next === first) {
        yield* wait
        next = yield* ask("which")
      }
      const both = Effect.all([ask("a"), ask("slowly")], { concurrency: "unbounded" })
      assert.deepStrictEqual(yield* both, ["a", "slowly"])
    }).pipe(Effect.scoped)
  )
})
