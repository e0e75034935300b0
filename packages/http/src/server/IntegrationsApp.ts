/**
 * The public endpoints of integrations, as an application for an origin of its own, since their responses are active
 * content. Each response gets a sandbox without an origin. Cookies of Lectern are removed from requests and responses.
 *
 * An integration runs to its end even if the client disconnects, since many webhook senders wait only a few seconds.
 * Such a request holds its slot until then.
 *
 * Limits: 8 MiB per body; 32 concurrent requests per integration. Default: no limit per minute.
 */
import { rateLimitKey } from "@lectern/core/fetch/Addresses"
import { Ids } from "@lectern/core/identity/Ids"
import { IntegrationsUrl } from "@lectern/core/integration/IntegrationEndpoints"
import { makeIntegrationFetches } from "@lectern/core/integration/IntegrationFetches"
import { Clock, Context, Data, Effect, Option, Stream } from "effect"
import * as ByteSize from "effect/ByteSize"
import { Cookies, HttpIncomingMessage, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { errorResponse, retryLater } from "./Responses.ts"
import { responseHeadersOf, isOurCookie } from "./EndpointHeaders.ts"
import { policyOf } from "./EndpointPolicy.ts"
import type { Respond } from "./HttpApp.ts"
import * as Observation from "./Observation.ts"
import { RequestCounter } from "./RequestCounter.ts"

const maxBody = 8 * 1024 * 1024

/** Maximum number of concurrent requests per integration, which protects its process and the memory of the server. */
const maxConcurrent = 32

/** Factor between the limit per minute of an address and that of an integration. */
const addressesPerIntegration = 20

/**
 * Requests per minute and address; 0: no limit. An integration gets 20 times as many. Read at each request, as it may
 * change.
 */
export const EndpointRequestsPerMinute = Context.Reference<() => number>(
  "@lectern/http/server/EndpointRequestsPerMinute",
  {
    defaultValue: () => () => 0
  }
)

/** Returns the name of the integration in a URL, in lower case, or "". */
const integrationOf = (url: string): string => /^\/v1\/integrations\/([^/?]{1,100})/.exec(url)?.[1]?.toLowerCase() ?? ""

/** Returns the route for observers, which must not see the name of the integration. */
const routeOf = (url: string): string => (integrationOf(url) === "" ? "" : "/v1/integrations/:integrationName")

/** Header by which a runtime reports an uncaught exception. Such a response has no body. */
const uncaught = "x-lectern-uncaught"

/** Removes headers and cookies that only Lectern may read. */
const requestHeadersOf = (headers: { readonly [name: string]: string | undefined }) => {
  const result: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && name !== "cookie") result[name] = value
  }
  const cookies = (headers["cookie"] ?? "").split(";").filter((cookie) => cookie.trim() !== "" && !isOurCookie(cookie))
  return cookies.length === 0 ? result : { ...result, cookie: cookies.join(";").trim() }
}

const hasBody = (method: string) => method !== "GET" && method !== "HEAD"

class BodyTooLarge extends Data.TaggedError("BodyTooLarge") {}

const bodyOf = ({ arrayBuffer }: HttpServerRequest.HttpServerRequest): Effect.Effect<Uint8Array, BodyTooLarge> =>
  Effect.provideService(arrayBuffer, HttpIncomingMessage.MaxBodySize, ByteSize.fromInputUnsafe(maxBody)).pipe(
    Effect.mapBoth({ onSuccess: (bytes) => new Uint8Array(bytes), onFailure: () => new BodyTooLarge() })
  )

const statuses = {
  "nothing-runs": 503,
  unreachable: 502,
  crashed: 502,
  "too-large": 502,
  unusable: 502,
  "timed-out": 504
} as const

/** Creates the application. */
export const make = Effect.gen(function* () {
  const fetches = yield* makeIntegrationFetches
  const process = yield* (yield* Ids).next
  const limit = yield* EndpointRequestsPerMinute
  const basePath = new URL(yield* IntegrationsUrl).pathname.replace(/\/$/, "")
  const observe = yield* Observation.observe
  const callers = new RequestCounter(limit)
  const integrations = new RequestCounter(() => limit() * addressesPerIntegration)
  const runningCounts = new Map<string, number>()
  let requests = 0

  /** Returns the error response if a rate limit is exceeded. */
  const rateLimited = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest, name: string) {
    if (limit() <= 0) return undefined
    const now = yield* Clock.currentTimeMillis
    const address = rateLimitKey(Option.getOrElse(request.remoteAddress, () => ""))
    return callers.count(address, now).refused ?? integrations.count(name, now).refused
  })

  /** Acquires a slot of an integration until the response is sent. False if all slots are in use. */
  const acquireSlot = (name: string) =>
    Effect.suspend(() => {
      const count = runningCounts.get(name) ?? 0
      if (count >= maxConcurrent) return Effect.succeed(false)
      runningCounts.set(name, count + 1)
      const leave = Effect.sync(() => {
        const remaining = runningCounts.get(name)! - 1
        if (remaining === 0) runningCounts.delete(name)
        else runningCounts.set(name, remaining)
      })
      return Effect.as(
        Effect.addFinalizer(() => leave),
        true
      )
    })

  const handleRequest = Effect.fnUntraced(
    function* (request: HttpServerRequest.HttpServerRequest) {
      const name = integrationOf(request.url)
      const rejection = yield* rateLimited(request, name)
      if (rejection !== undefined) return rejection
      if (!(yield* acquireSlot(name))) {
        return errorResponse(503, `This integration already handles ${maxConcurrent} requests: retry in a moment`, {
          headers: { "retry-after": "1" }
        })
      }
      const fetchResult = yield* fetches.respond({
        method: request.method,
        url: request.url,
        headers: requestHeadersOf(request.headers),
        ...(hasBody(request.method) && { body: bodyOf(request) })
      })
      const { status, headers, contentSecurityPolicy } = fetchResult
      if (status === 500 && headers.some(([name]) => name === uncaught)) {
        return errorResponse(500, "The integration failed: see its logs")
      }
      const { plain, cookies } = responseHeadersOf(
        headers.filter(([name]) => name !== uncaught),
        basePath + /^\/v1\/integrations\/[^/?]+/.exec(request.url)![0]
      )
      // A stream needs its content type here, or it defaults to `application/octet-stream`, which browsers don't run.
      const contentType = plain["content-type"]
      const isEmpty = status === 204 || status === 304 || request.method === "HEAD"
      const response = isEmpty
        ? HttpServerResponse.empty({ status })
        : HttpServerResponse.stream(fetchResult.body.pipe(Stream.orDie), {
            status,
            ...(contentType && { contentType })
          })
      return response.pipe(
        HttpServerResponse.setHeaders({
          ...plain,
          "content-security-policy": policyOf(contentSecurityPolicy, headers),
          "x-content-type-options": "nosniff"
        }),
        HttpServerResponse.mergeCookies(Cookies.fromSetCookie(cookies))
      )
    },
    Effect.catchTags({
      BodyTooLarge: () => Effect.succeed(errorResponse(413, "The body is larger than 8 MiB")),
      EndpointNotFound: ({ message }) => Effect.succeed(errorResponse(404, message)),
      RunFailed: ({ reason, message }) => Effect.succeed(errorResponse(statuses[reason], message)),
      StorageError: (error) =>
        error.reason === "busy"
          ? Effect.succeed(errorResponse(503, error.message, { headers: retryLater }))
          : Effect.as(
              Effect.logError("A request to an integration failed", error),
              errorResponse(503, "The storage is unavailable at the moment")
            )
    })
  )

  const respond: Respond = (request) => {
    const id = `${process}-${(requests++).toString(36)}`
    const { method, url, remoteAddress } = request
    const report = observe?.(Option.getOrUndefined(remoteAddress))
    return Effect.map(Effect.uninterruptible(handleRequest(request)), (response) => {
      report?.({ method, route: routeOf(url), actor: undefined }, response, id)
      return { response, headers: { "x-request-id": id } }
    })
  }
  return respond
})
