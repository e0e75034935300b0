/**
 * Traces, metrics and logs over OTLP (HTTP with JSON) to a collector. A request that comes with a
 * `traceparent` goes on with that trace. Spans name routes: no URL, query or header goes out.
 *
 * A collector that doesn't take them loses them: the log says so, once a minute at most.
 *
 * A user and a password in the URL of the collector are its basic authentication, since `fetch` takes no URL with them.
 */
import { Clock, Effect, Layer, Tracer } from "effect"
import { FetchHttpClient, HttpClient } from "effect/http"
import { Otlp } from "effect/observability"
import { Seldom } from "@lectern/core/moment/Seldom"
import { decoded } from "@lectern/document/PercentEncoding"
import { version } from "../Version.ts"

/** Attributes that could hold a token, or say what somebody read. */
const isPrivate = (key: string): boolean =>
  key === "url.full" || key === "url.path" || key === "url.query" || /^http\.(request|response)\.header\./.test(key)

/** A tracer whose spans keep what is private to themselves. */
const discreet = (tracer: Tracer.Tracer): Tracer.Tracer => ({
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
  const user = [username, password].map(decoded).join(":")
  return {
    baseUrl: url.replace(/\/\/[^/?#]*@/, "//"),
    headers: { authorization: `Basic ${Buffer.from(user).toString("base64")}` }
  }
}

/** A client of the collector that tells where nothing is taken. */
const tellingClient = Effect.gen(function* () {
  const seldom = new Seldom("1 minute")
  const tell = (reason: string) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) =>
      seldom.isDue(now)
        ? Effect.logWarning(`The collector of LECTERN_OTLP_URL takes no traces, metrics or logs: ${reason}`)
        : Effect.void
    )
  return (yield* HttpClient.HttpClient).pipe(
    HttpClient.tap(({ status }) => (status < 400 ? Effect.void : tell(`it answers ${status}`))),
    HttpClient.tapError(() => tell("it can't be reached"))
  )
})

export const layer = (url: string) =>
  Layer.effect(Tracer.Tracer, Effect.map(Tracer.Tracer, discreet)).pipe(
    Layer.provideMerge(
      Otlp.layerJson({
        ...collectorOf(url),
        resource: { serviceName: "lectern", serviceVersion: version },
        loggerMergeWithExisting: true
      })
    ),
    Layer.provide(Layer.effect(HttpClient.HttpClient, tellingClient)),
    Layer.provide(FetchHttpClient.layer)
  )
