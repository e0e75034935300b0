/**
 * Traces, metrics and logs over OTLP (HTTP with JSON) to a collector. A request that comes with a
 * `traceparent` goes on with that trace. Spans name routes: no URL, query or header goes out.
 */
import { Effect, Layer, Tracer } from "effect"
import { FetchHttpClient } from "effect/http"
import { Otlp } from "effect/observability"
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

export const layer = (url: string) =>
  Layer.effect(Tracer.Tracer, Effect.map(Tracer.Tracer, discreet)).pipe(
    Layer.provideMerge(
      Otlp.layerJson({
        baseUrl: url,
        resource: { serviceName: "lectern", serviceVersion: version },
        loggerMergeWithExisting: true
      })
    ),
    Layer.provide(FetchHttpClient.layer)
  )
