/**
 * Converts a handler of `Request` and `Response` to the exports of a route of Next.js, such as
 * `app/help/[[...path]]/route.ts`:
 *
 * ```ts
 * export const { GET, HEAD, POST } = toNextHandler(async () => siteHandler(await openLectern(), { site, at: "/help" }))
 * ```
 *
 * The handler is created at the first request, since Next.js also loads routes while it builds the application. The
 * origin of a request is its `Host` header: `next start` names itself in the URL.
 */
import type { MountedApiHandler } from "./fetch.ts"
import * as RequestedUrl from "./server/RequestedUrl.ts"

type Handler = Pick<MountedApiHandler, "fetch">

type Route = (request: Request) => Promise<Response>

export interface NextHandler {
  readonly GET: Route
  readonly HEAD: Route
  readonly POST: Route
  readonly PUT: Route
  readonly PATCH: Route
  readonly DELETE: Route
  readonly OPTIONS: Route
}

/**
 * Converts a handler. `create` is called once, and again if it was rejected. A request without a response gets 404.
 */
export const toNextHandler = (create: () => Promise<Handler>): NextHandler => {
  let handler: Promise<Handler> | undefined
  const route: Route = async (request) => {
    handler ??= create().catch((error: unknown) => {
      handler = undefined
      throw error
    })
    const { fetch } = await handler
    return (await fetch(withRequestedUrl(request))) ?? new Response(null, { status: 404 })
  }
  return { GET: route, HEAD: route, POST: route, PUT: route, PATCH: route, DELETE: route, OPTIONS: route }
}

/** Returns the request with the URL that the client requested. */
const withRequestedUrl = (request: Request): Request => {
  const { protocol, host, pathname, search } = new URL(request.url)
  const requestedHost = request.headers.get("host")
  const isSecure = protocol === "https:"
  const url = RequestedUrl.make(isSecure ? "https:" : "http:", requestedHost, pathname + search)
  return url === undefined || url.host === host ? request : new Request(url, request)
}
