/** Threads that are none: what goes over is taken as it would be received elsewhere, and a test says what costs too much. */
import { find } from "@lectern/core/thread/Computations"
import { type Pool, Threads, tooCostly } from "@lectern/core/thread/Threads"
import { Effect, Layer } from "effect"

export class FarThreads {
  /** The computations that they were asked for, by name. */
  readonly asked: Array<string> = []
  readonly costly = new Set<string>()

  readonly #pool: Pool = {
    count: 2,
    run: ({ name, input, shared }) => {
      const { asked, costly } = this
      return Effect.gen(function* () {
        asked.push(name)
        if (costly.has(name)) return yield* tooCostly
        const run = yield* (yield* Effect.promise(() => find(name))).run
        return structuredClone(run(structuredClone(input), shared))
      })
    }
  }

  readonly layer = Layer.sync(Threads, () => Threads.over(this.#pool))

  /** Computations that were asked for since the last time. */
  take(): ReadonlySet<string> {
    return new Set(this.asked.splice(0))
  }
}
