/** Threads that are none: what goes over is taken as it would be received elsewhere, and a test says what costs too much. */
import { find } from "@lectern/core/thread/Computations"
import { exchangeComputations } from "@lectern/exchange/ExchangeComputations"
import { type Pool, Threads, tooCostly } from "@lectern/core/thread/Threads"
import { Effect, Layer } from "effect"

export class FarThreads {
  /** The computations that they were asked for, by name. */
  readonly asked: Array<string> = []
  readonly costly = new Set<string>()
  #isComputing = false

  readonly #pool: Pool = {
    count: 2,
    run: ({ name, input, shared }) => {
      const { asked, costly } = this
      return Effect.gen({ self: this }, function* () {
        asked.push(name)
        if (costly.has(name)) return yield* tooCostly
        const run = yield* (yield* Effect.promise(() => find(exchangeComputations, name))).run
        this.#isComputing = true
        try {
          return structuredClone(run(structuredClone(input), shared))
        } finally {
          this.#isComputing = false
        }
      })
    }
  }

  /** How long the longest JSON is (characters) that is read or written outside of threads meanwhile. */
  longestJson<A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<number, E, R> {
    let longest = 0
    const seen = (json: string | undefined) => {
      if (!this.#isComputing) longest = Math.max(longest, json?.length ?? 0)
    }
    const { parse, stringify } = JSON
    const watch = Effect.sync(() => {
      JSON.parse = (...given) => {
        seen(given[0])
        return parse(...given)
      }
      JSON.stringify = ((...given: Parameters<typeof stringify>) => {
        const json = stringify(...given)
        seen(json)
        return json
      }) as typeof stringify
    })
    const unwatch = Effect.sync(() => Object.assign(JSON, { parse, stringify }))
    return Effect.acquireUseRelease(
      watch,
      () => work,
      () => unwatch
    ).pipe(Effect.map(() => longest))
  }

  readonly layer = Layer.sync(Threads, () => Threads.ofPool(this.#pool))

  /** Computations that were asked for since the last time. */
  take(): ReadonlySet<string> {
    return new Set(this.asked.splice(0))
  }
}
