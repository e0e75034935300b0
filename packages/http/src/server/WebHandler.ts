/**
 * The application as a function from `Request` to `Response`, with the services around it (the clock and the log among
 * them). A client that hangs up interrupts its request.
 */
import { Effect, type Scope } from "effect"
import { HttpEffect, type HttpServerRequest } from "effect/http"
import type { HttpApp } from "./HttpApp.ts"
import type { Asked } from "./Asked.ts"

export type WebHandler = (request: Request) => Promise<Response>

/** A request as one that came over HTTP has it. */
export const askedOf = ({ method, url, headers }: Request): Asked => {
  const { host, pathname, search } = new URL(url)
  return { method, url: pathname + search, headers: { host, ...Object.fromEntries(headers) } }
}

export const make = Effect.fnUntraced(function* ({ answer, kept }: HttpApp): Effect.fn.Return<WebHandler> {
  // Given with each request, services would be added to its context one by one.
  const handler = HttpEffect.toWebHandlerWith<never, HttpServerRequest.HttpServerRequest | Scope.Scope>(
    yield* Effect.context<never>()
  )(answer)
  if (kept === undefined) return handler
  return (request) => {
    const found = kept(askedOf(request), request)
    if (found === undefined) return handler(request)
    return Promise.resolve(new Response(found.body as BodyInit | undefined, found))
  }
})
