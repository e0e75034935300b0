/**
 * The public endpoints of integrations, as an application beside the interface: for an origin of its
 * own, since what programs answer is active content. Each answer is put into a sandbox, which gives it no
 * origin; cookies of Lectern's own neither come in nor go out.
 *
 * A program ends what it has begun, also where whoever asked hangs up before it is answered: many a sender of webhooks
 * waits for a few seconds only. Such a request keeps its place until then.
 *
 * Limits: bodies of 8 MiB; 32 requests of an integration at once, whoever makes them. Default: as many in a
 * minute as one likes.
 */
import { countedAs } from "@lectern/core/fetch/Addresses"
import { Ids } from "@lectern/core/identity/Ids"
import { IntegrationsUrl } from "@lectern/core/integration/IntegrationEndpoints"
import { IntegrationFetches } from "@lectern/core/integration/IntegrationFetches"
import { Clock, Context, Data, Effect, Option, Stream } from "effect"
import * as ByteSize from "effect/ByteSize"
import { Cookies, HttpIncomingMessage, HttpServerRequest, HttpServerResponse } from "effect/http"
import { errorResponse, later } from "./Answers.ts"
import { headersOut, isOurCookie } from "./EndpointHeaders.ts"
import { policyOf } from "./EndpointPolicy.ts"
import * as Observation from "./Observation.ts"
import { RequestCounter } from "./RequestCounter.ts"

const maxBody = 8 * 1024 * 1024

/** How many requests of one integration are answered at once: readers must not take its process, or the server's memory. */
const maxAtOnce = 32

/** How many more requests in a minute all callers of an integration may make than one address. */
const addresses = 20

/**
 * Requests for each address and minute; 0: no limit. All of an integration: 20 times as many. Asked at each
 * request, as it may change.
 */
export const EndpointRequestsPerMinute = Context.Reference<() => number>(
  "@lectern/http/server/EndpointRequestsPerMinute",
  {
    defaultValue: () => () => 0
  }
)

/** The integration that an address names, in lower case. */
const integrationOf = (url: string): string => /^\/v1\/integrations\/([^/?]{1,100})/.exec(url)?.[1]?.toLowerCase() ?? ""

/** Paths of integrations as whoever watches is told of them: which integration is nobody's business. */
const routeOf = (url: string): string => (integrationOf(url) === "" ? "" : "/v1/integrations/:integrationName")

/** Header by which a runtime says that a script threw: there is no body to answer then. */
const uncaught = "x-lectern-uncaught"

/** Without what is for Lectern alone. */
const headersIn = (headers: { readonly [name: string]: string | undefined }) => {
  const kept: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && name !== "cookie") kept[name] = value
  }
  const cookies = (headers["cookie"] ?? "").split(";").filter((cookie) => cookie.trim() !== "" && !isOurCookie(cookie))
  return cookies.length === 0 ? kept : { ...kept, cookie: cookies.join(";").trim() }
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

/** The application, as an effect that answers the request in its context. */
export const make = Effect.gen(function* () {
  const fetches = yield* IntegrationFetches
  const process = yield* (yield* Ids).next
  const limit = yield* EndpointRequestsPerMinute
  const basePath = new URL(yield* IntegrationsUrl).pathname.replace(/\/$/, "")
  const watch = yield* Observation.watch
  const callers = new RequestCounter(limit)
  const integrations = new RequestCounter(() => limit() * addresses)
  const underWay = new Map<string, number>()
  let requests = 0

  /** The answer to a request beyond a limit. */
  const refusal = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest, name: string) {
    if (limit() <= 0) return undefined
    const now = yield* Clock.currentTimeMillis
    const address = countedAs(Option.getOrElse(request.remoteAddress, () => ""))
    return callers.count(address, now).refused ?? integrations.count(name, now).refused
  })

  /** Takes one of the places of an integration, until its answer is out; false where none is free. */
  const enter = (name: string) =>
    Effect.suspend(() => {
      const there = underWay.get(name) ?? 0
      if (there >= maxAtOnce) return Effect.succeed(false)
      underWay.set(name, there + 1)
      const leave = Effect.sync(() => {
        const left = underWay.get(name)! - 1
        if (left === 0) underWay.delete(name)
        else underWay.set(name, left)
      })
      return Effect.as(
        Effect.addFinalizer(() => leave),
        true
      )
    })

  const answer = Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const name = integrationOf(request.url)
    const refused = yield* refusal(request, name)
    if (refused !== undefined) return refused
    if (!(yield* enter(name))) {
      return errorResponse(503, `${maxAtOnce} requests of this integration are being answered: try again in a moment`, {
        headers: { "retry-after": "1" }
      })
    }
    const answered = yield* fetches.respond({
      method: request.method,
      url: request.url,
      headers: headersIn(request.headers),
      ...(hasBody(request.method) && { body: bodyOf(request) })
    })
    const { status, headers, contentSecurityPolicy } = answered
    if (status === 500 && headers.some(([name]) => name === uncaught)) {
      return errorResponse(500, "The integration failed: its logs say why")
    }
    const { plain, cookies } = headersOut(
      headers.filter(([name]) => name !== uncaught),
      basePath + /^\/v1\/integrations\/[^/?]+/.exec(request.url)![0]
    )
    // What a stream is of stands with it, or it would be bytes of any kind, which no browser runs.
    const contentType = plain["content-type"]
    const isEmpty = status === 204 || status === 304 || request.method === "HEAD"
    const response = isEmpty
      ? HttpServerResponse.empty({ status })
      : HttpServerResponse.stream(answered.body.pipe(Stream.orDie), { status, ...(contentType && { contentType }) })
    return response.pipe(
      HttpServerResponse.setHeaders({
        ...plain,
        "content-security-policy": policyOf(contentSecurityPolicy, headers),
        "x-content-type-options": "nosniff"
      }),
      HttpServerResponse.mergeCookies(Cookies.fromSetCookie(cookies))
    )
  }).pipe(
    Effect.catchTags({
      BodyTooLarge: () => Effect.succeed(errorResponse(413, "The body is larger than 8 MiB")),
      EndpointNotFound: ({ message }) => Effect.succeed(errorResponse(404, message)),
      RunFailed: ({ reason, message }) => Effect.succeed(errorResponse(statuses[reason], message)),
      StorageError: (error) =>
        error.reason === "busy"
          ? Effect.succeed(errorResponse(503, error.message, { headers: later }))
          : Effect.as(
              Effect.logError("An integration could not be asked", error),
              errorResponse(503, "The data can't be reached or written at the moment")
            )
    })
  )

  return Effect.gen(function* () {
    const id = `${process}-${(requests++).toString(36)}`
    const { method, url, remoteAddress } = yield* HttpServerRequest.HttpServerRequest
    const watched = watch?.(Option.getOrUndefined(remoteAddress))
    const response = yield* answer
    if (watched !== undefined) {
      watched({ method, route: routeOf(url), actor: undefined }, response, id)
    }
    return HttpServerResponse.setHeader(response, "x-request-id", id)
  })
})
