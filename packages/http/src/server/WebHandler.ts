/**
 * The application as a function from `Request` to `Response`, with the services of the context, such as clock and
 * logger. A client that disconnects interrupts its request. `basePath` is the path of the host at which the application
 * is mounted, with slashes at both ends. Default: `/`.
 */
import { Effect, type Scope } from "effect"
import { Headers, HttpEffect, HttpServerRequest } from "effect/http"
import { type HttpApp, toHttpEffect } from "./HttpApp.ts"

export type WebHandler = (request: Request) => Promise<Response>

/** Returns the request with its path below `basePath`, and with the header `Host`, which `Request` keeps in its URL. */
export const serverRequest = (request: Request, basePath = "/"): HttpServerRequest.HttpServerRequest => {
  const converted = HttpServerRequest.fromWeb(request)
  const mounted = basePath === "/" ? converted : converted.modify({ url: pathBelow(basePath, converted.url) })
  return mounted.headers["host"] === undefined
    ? mounted.modify({ headers: Headers.set(mounted.headers, "host", new URL(request.url).host) })
    : mounted
}

/** Returns the path with its query, with a slash at the start. The base path itself may lack its trailing slash. */
const pathBelow = (basePath: string, url: string): string => url.slice(basePath.length - 1).replace(/^(?!\/)/, "/")

export const make = Effect.fnUntraced(function* ({ respond }: HttpApp, basePath = "/"): Effect.fn.Return<WebHandler> {
  // Services are part of the handler, since passing them with each request would add them to its context one by one.
  const run = HttpEffect.toWebHandlerWith<never, HttpServerRequest.HttpServerRequest | Scope.Scope>(
    yield* Effect.context<never>()
  )
  return (request) => {
    const response = respond(serverRequest(request, basePath))
    return Effect.isEffect(response)
      ? run(toHttpEffect({ respond: () => response }))(request)
      : Promise.resolve(new Response(response.body as BodyInit | undefined, response))
  }
})
