/** Wraps ports with metrics: guarded fetches, events that are delivered to programs of integrations, and sent mails. */
import { GuardedFetch } from "@lectern/core/fetch/GuardedFetch"
import { MailTransport } from "@lectern/core/mail/MailTransport"
import { IntegrationRuntime, type RunFailed } from "@lectern/core/integration/IntegrationRuntime"
import type { StorageError } from "@lectern/core/storage/Storage"
import { Clock, Effect, Layer, Metric, Result } from "effect"

const fetches = Metric.counter("lectern_fetches_total", {
  description: "Requests to other servers for callers and link checks, by kind and outcome",
  incremental: true
})

const runs = Metric.histogram("lectern_integration_run_duration_seconds", {
  description: "Time until the program of an integration responded to an event, by outcome",
  boundaries: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
})

const mails = Metric.counter("lectern_mails_total", {
  description: "Mails passed to the mail server, by outcome: sent, refused for good, or failed for now",
  incremental: true
})

/** Returns the outcome of a result as a label. Interrupted requests have no outcome. */
const outcomeOf = <A, E extends { readonly _tag: string; readonly reason?: string }>(
  result: Result.Result<A, E>
): string => (Result.isSuccess(result) ? "answered" : (result.failure.reason ?? result.failure._tag))

const count = (kind: string, outcome: string) => Metric.update(Metric.withAttributes(fetches, { kind, outcome }), 1)

const withCounter =
  (kind: string) =>
  <A, E extends { readonly _tag: string; readonly reason?: string }, R>(
    fetch: Effect.Effect<A, E, R>
  ): Effect.Effect<A, E, R> =>
    Effect.flatMap(Effect.result(fetch), (result) =>
      Effect.andThen(count(kind, outcomeOf(result)), Effect.fromResult(result))
    )

/** Wraps a layer of `GuardedFetch` with counters. */
export const fetch = (layer: Layer.Layer<GuardedFetch>): Layer.Layer<GuardedFetch> =>
  Layer.effect(
    GuardedFetch,
    Effect.map(GuardedFetch, ({ check, fetch, stream, requestHead, post }) => ({
      // A fetch of a refused URL never starts, so only the check is counted.
      check: (url) => Effect.tapError(check(url), () => count("fetch", "refused")),
      fetch: (url, options) => withCounter("fetch")(fetch(url, options)),
      stream: (url, options) => withCounter("fetch")(stream(url, options)),
      requestHead: (url, options) => withCounter("answer")(requestHead(url, options)),
      post: (url, options) => withCounter("answer")(post(url, options))
    }))
  ).pipe(Layer.provide(layer))

const timed = Effect.fnUntraced(function* <A, R>(run: Effect.Effect<A, RunFailed | StorageError, R>) {
  const startedAt = yield* Clock.currentTimeMillis
  const result = yield* Effect.result(run)
  const duration = ((yield* Clock.currentTimeMillis) - startedAt) / 1_000
  yield* Metric.update(Metric.withAttributes(runs, { outcome: outcomeOf(result) }), duration)
  return yield* Effect.fromResult(result)
})

/** Wraps a layer of `IntegrationRuntime` with timings. */
export const integrationRuntime = (layer: Layer.Layer<IntegrationRuntime>): Layer.Layer<IntegrationRuntime> =>
  Layer.effect(
    IntegrationRuntime,
    Effect.map(IntegrationRuntime, ({ run, runBuffered, ...runtime }) => ({
      ...runtime,
      run: (program, delivery) => timed(run(program, delivery)),
      ...(runBuffered && {
        runBuffered: (program, delivery, maxBytes) => timed(runBuffered(program, delivery, maxBytes))
      })
    }))
  ).pipe(Layer.provide(layer))

const mailOutcomes = { MailRefused: "refused", MailUnavailable: "failed" } as const

const countMail = (outcome: string) => Metric.update(Metric.withAttributes(mails, { outcome }), 1)

/** Wraps a layer of `MailTransport` with a counter. */
export const mail = (layer: Layer.Layer<MailTransport>): Layer.Layer<MailTransport> =>
  Layer.effect(
    MailTransport,
    Effect.map(MailTransport, ({ send, sender }) => ({
      sender,
      send: (outgoing) =>
        send(outgoing).pipe(
          Effect.tap(() => countMail("sent")),
          Effect.tapError(({ _tag }) => countMail(mailOutcomes[_tag]))
        )
    }))
  ).pipe(Layer.provide(layer))
