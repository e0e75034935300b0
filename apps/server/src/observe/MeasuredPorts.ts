/** Measures of what goes out of the process: guarded fetches, and events that programs of integrations are given. */
import { GuardedFetch } from "@lectern/core/fetch/GuardedFetch"
import { IntegrationRuntime, type RunFailed } from "@lectern/core/integration/IntegrationRuntime"
import type { StorageError } from "@lectern/core/storage/Storage"
import { Clock, Effect, Layer, Metric, Result } from "effect"

const fetches = Metric.counter("lectern_fetches_total", {
  description: "Requests to other servers for a caller or a check of links, by kind and outcome",
  incremental: true
})

const runs = Metric.histogram("lectern_integration_run_duration_seconds", {
  description: "Time until an integration's program answered an event, by outcome",
  boundaries: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
})

/** Tells how it ended; what is interrupted did not. */
const outcomeOf = <A, E extends { readonly _tag: string; readonly reason?: string }>(
  result: Result.Result<A, E>
): string => (Result.isSuccess(result) ? "answered" : (result.failure.reason ?? result.failure._tag))

const count = (kind: string, outcome: string) => Metric.update(Metric.withAttributes(fetches, { kind, outcome }), 1)

const counted =
  (kind: string) =>
  <A, E extends { readonly _tag: string; readonly reason?: string }, R>(
    fetch: Effect.Effect<A, E, R>
  ): Effect.Effect<A, E, R> =>
    Effect.flatMap(Effect.result(fetch), (result) =>
      Effect.andThen(count(kind, outcomeOf(result)), Effect.fromResult(result))
    )

/** Fetches that are counted. */
export const fetch = (layer: Layer.Layer<GuardedFetch>): Layer.Layer<GuardedFetch> =>
  Layer.effect(
    GuardedFetch,
    Effect.map(GuardedFetch, ({ check, fetch, stream, answer }) => ({
      // One that is refused by its name is never begun.
      check: (url) => Effect.tapError(check(url), () => count("fetch", "refused")),
      fetch: (url, options) => counted("fetch")(fetch(url, options)),
      stream: (url, options) => counted("fetch")(stream(url, options)),
      answer: (url, options) => counted("answer")(answer(url, options))
    }))
  ).pipe(Layer.provide(layer))

const timed = Effect.fnUntraced(function* <A, R>(run: Effect.Effect<A, RunFailed | StorageError, R>) {
  const begun = yield* Clock.currentTimeMillis
  const result = yield* Effect.result(run)
  const took = ((yield* Clock.currentTimeMillis) - begun) / 1_000
  yield* Metric.update(Metric.withAttributes(runs, { outcome: outcomeOf(result) }), took)
  return yield* Effect.fromResult(result)
})

/** Events that a program is given in turn: each takes as long as the program was at it. */
const timedBatch =
  (runBatch: NonNullable<IntegrationRuntime["Service"]["runBatch"]>): typeof runBatch =>
  (program, deliveries, heard) =>
    Effect.clockWith((clock) => {
      let begun = clock.currentTimeMillisUnsafe()
      const took: Array<number> = []
      const lap = () => {
        const now = clock.currentTimeMillisUnsafe()
        took.push((now - begun) / 1_000)
        begun = now
      }
      const measured = (outcome: string, times: ReadonlyArray<number>) =>
        Effect.forEach(times, (time) => Metric.update(Metric.withAttributes(runs, { outcome }), time), {
          discard: true
        })
      const running = runBatch(program, deliveries, (answer) => {
        lap()
        heard(answer)
      })
      return Effect.flatMap(Effect.result(running), (result) => {
        const answered = measured("answered", took.splice(0))
        if (Result.isSuccess(result)) return answered
        lap()
        return Effect.andThen(Effect.andThen(answered, measured(outcomeOf(result), took)), Effect.fromResult(result))
      })
    })

/** Runs that are timed. */
export const integrationRuntime = (layer: Layer.Layer<IntegrationRuntime>): Layer.Layer<IntegrationRuntime> =>
  Layer.effect(
    IntegrationRuntime,
    Effect.map(IntegrationRuntime, ({ run, runBuffered, runBatch, ...runtime }) => ({
      ...runtime,
      run: (program, delivery) => timed(run(program, delivery)),
      ...(runBatch && { runBatch: timedBatch(runBatch) }),
      ...(runBuffered && {
        runBuffered: (program, delivery, maxBytes) => timed(runBuffered(program, delivery, maxBytes))
      })
    }))
  ).pipe(Layer.provide(layer))
