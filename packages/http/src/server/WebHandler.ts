/**
 * The application as a function from `Request` to `Response`, with the services around it (the clock and the log among
 * them). A client that hangs up interrupts its request.
 */
import { Effect, type Scope } from "effect"
import { HttpEffect, type HttpServerRequest } from "effect/http"
import type { HttpApp } from "./HttpApp.ts"

export type WebHandler = (request: Request) => Promise<Response>

export const make = Effect.fnUntraced(function* ({ answer, kept }: HttpApp): Effect.fn.Return<WebHandler> {
  // Given with each request, services would be added to its context one by one.
  const handler = HttpEffect.toWebHandlerWith<never, HttpServerRequest.HttpServerRequest | Scope.Scope>(
    yield* Effect.context<never>()
  )(answer)
  if (kept === undefined) return handler
  return (request) => {
    const { host, pathname, search } = new URL(request.url)
    const { method } = request
    const headers = { host, ...Object.fromEntries(request.headers) }
    const found = kept({ method, url: pathname + search, headers }, request)
    if (found === undefined) return handler(request)
    return Promise.resolve(new Response(found.body as BodyInit | undefined, found))
  }
})
