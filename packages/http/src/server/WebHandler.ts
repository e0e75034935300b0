/**
 * The application as a function from `Request` to `Response`, with the services of the context, such as clock and
 * logger. A client that disconnects interrupts its request.
 */
import { Effect, type Scope } from "effect"
import { Headers, HttpEffect, HttpServerRequest } from "effect/http"
import { type HttpApp, toHttpEffect } from "./HttpApp.ts"

export type WebHandler = (request: Request) => Promise<Response>

/** Returns the request with the header `Host`, which `Request` keeps in its URL. */
export const serverRequest = (request: Request): HttpServerRequest.HttpServerRequest => {
  const converted = HttpServerRequest.fromWeb(request)
  return converted.headers["host"] === undefined
    ? converted.modify({ headers: Headers.set(converted.headers, "host", new URL(request.url).host) })
    : converted
}

export const make = Effect.fnUntraced(function* ({ respond }: HttpApp): Effect.fn.Return<WebHandler> {
  // Services are part of the handler, since passing them with each request would add them to its context one by one.
  const run = HttpEffect.toWebHandlerWith<never, HttpServerRequest.HttpServerRequest | Scope.Scope>(
    yield* Effect.context<never>()
  )
  return (request) => {
    const response = respond(serverRequest(request))
    return Effect.isEffect(response)
      ? run(toHttpEffect({ respond: () => response }))(request)
      : Promise.resolve(new Response(response.body as BodyInit | undefined, response))
  }
})
