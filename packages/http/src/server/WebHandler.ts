/**
 * The application as a function from `Request` to `Response`, with the services of the context, such as clock and
 * logger. A client that disconnects interrupts its request.
 */
import { Effect, type Scope } from "effect"
import { HttpEffect, type HttpServerRequest } from "effect/http"
import type { HttpApp } from "./HttpApp.ts"
import type { RequestHead } from "./RequestHead.ts"

export type WebHandler = (request: Request) => Promise<Response>

/** Converts a request to the head of an HTTP request. */
export const requestHeadOf = ({ method, url, headers }: Request): RequestHead => {
  const { host, pathname, search } = new URL(url)
  return { method, url: pathname + search, headers: { host, ...Object.fromEntries(headers) } }
}

export const make = Effect.fnUntraced(function* ({ handle, cached }: HttpApp): Effect.fn.Return<WebHandler> {
  // Services are part of the handler, since passing them with each request would add them to its context one by one.
  const handler = HttpEffect.toWebHandlerWith<never, HttpServerRequest.HttpServerRequest | Scope.Scope>(
    yield* Effect.context<never>()
  )(handle)
  if (cached === undefined) return handler
  return (request) => {
    const cachedResponse = cached(requestHeadOf(request), request)
    if (cachedResponse === undefined) return handler(request)
    return Promise.resolve(new Response(cachedResponse.body as BodyInit | undefined, cachedResponse))
  }
})
