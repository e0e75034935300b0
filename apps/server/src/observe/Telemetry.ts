/**
 * Exports traces, metrics and logs over OTLP (HTTP with JSON) to a collector. A request with a `traceparent` header
 * continues that trace. Spans name routes and contain no URL, query or header.
 *
 * Data that the collector does not accept is lost. A warning is logged at most once a minute.
 *
 * User and password in the URL of the collector are sent as basic authentication, since `fetch` rejects such URLs.
 */
import { Clock, Effect, Layer, Tracer } from "effect"
import { FetchHttpClient, HttpClient } from "effect/http"
import { Otlp } from "effect/observability"
import { Throttle } from "@lectern/core/time/Throttle"
import { decodePercent } from "@lectern/document/PercentEncoding"
import { version } from "@lectern/cli/Version"

/** True for attributes that may contain a token or reveal which page a user read. */
const isPrivate = (key: string): boolean =>
  key === "url.full" || key === "url.path" || key === "url.query" || /^http\.(request|response)\.header\./.test(key)

/** Returns a tracer whose spans drop private attributes. */
const withoutPrivateAttributes = (tracer: Tracer.Tracer): Tracer.Tracer => ({
  ...tracer,
  span: (options) => {
    const span = tracer.span(options)
    const attribute = span.attribute.bind(span)
    span.attribute = (key, value) => {
      if (!isPrivate(key)) attribute(key, value)
    }
    return span
  }
})

const collectorOf = (url: string) => {
  const { username, password } = new URL(url)
  if (username === "" && password === "") return { baseUrl: url }
  const user = [username, password].map(decodePercent).join(":")
  return {
    baseUrl: url.replace(/\/\/[^/?#]*@/, "//"),
    headers: { authorization: `Basic ${Buffer.from(user).toString("base64")}` }
  }
}

/** HTTP client for requests to the collector. Logs failed requests, at most once per minute. */
const loggingClient = Effect.gen(function* () {
  const throttle = new Throttle("1 minute")
  const warn = (reason: string) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) =>
      throttle.isDue(now)
        ? Effect.logWarning(`The collector of LECTERN_OTLP_URL does not accept traces, metrics or logs: ${reason}`)
        : Effect.void
    )
  return (yield* HttpClient.HttpClient).pipe(
    HttpClient.tap(({ status }) => (status < 400 ? Effect.void : warn(`it responds with status ${status}`))),
    HttpClient.tapError(() => warn("it can't be reached"))
  )
})

export const layer = (url: string) =>
  Layer.effect(Tracer.Tracer, Effect.map(Tracer.Tracer, withoutPrivateAttributes)).pipe(
    Layer.provideMerge(
      Otlp.layerJson({
        ...collectorOf(url),
        resource: { serviceName: "lectern", serviceVersion: version },
        loggerMergeWithExisting: true
      })
    ),
    Layer.provide(Layer.effect(HttpClient.HttpClient, loggingClient)),
    Layer.provide(FetchHttpClient.layer)
  )
