/**
 * Lectern as one HTTP application: the API under `/v1`, sign-on under `/saml` and `/oidc`, `/openapi.json`, `/healthz` and
 * `/readyz`, and an application next to them (see `MountedApp`). `fetch` serves it on platforms with `Request` and
 * `Response`.
 *
 * Each request takes one path: the response cache, then the middleware below in order, then the router and a handler.
 *
 * Every response has `X-Request-Id`, and every failure has the common error body (see `Recovery`).
 */
import { CurrentActor } from "@lectern/core/access/Actor"
import type { LecternServices } from "@lectern/core/Lectern"
import type { ExchangeServices } from "@lectern/exchange/Exchange"
import { AuditOrigin } from "@lectern/core/audit/AuditTrail"
import { withArrival } from "@lectern/core/storage/LearnedCommits"
import { Storage } from "@lectern/core/storage/Storage"
import { Threads } from "@lectern/core/thread/Threads"
import { Context, Effect, LogLevel, Option, References, type Scope } from "effect"
import { HttpMiddleware, HttpServerRequest, HttpServerResponse } from "effect/http"
import { Ids } from "@lectern/core/identity/Ids"
import { errorResponse } from "./Responses.ts"
import { senderLookup } from "./AuthenticationHttp.ts"
import { MountedApp, type SelectedRequest } from "./MountedApp.ts"
import * as CachePolicy from "./cache/CachePolicy.ts"
import { type CacheFill, trackFill } from "./cache/CacheFill.ts"
import type { CachedResponse } from "./cache/CacheEntry.ts"
import * as ResponseCache from "./cache/ResponseCache.ts"
import * as Compression from "./Compression.ts"
import * as Cors from "./Cors.ts"
import * as HostAuthentication from "./HostAuthentication.ts"
import * as Observation from "./Observation.ts"
import * as Operations from "./Operations.ts"
import * as RateLimit from "./RateLimit.ts"
import { notRouted, pathToLog, recover } from "./Recovery.ts"
import * as RequestBody from "./RequestBody.ts"
import * as Routes from "./Routes.ts"
import { SessionCookies } from "./SessionCookies.ts"
import { oidcSignOnHandlers } from "./OidcSignOnHttp.ts"
import { signOnHandlers } from "./SignOnHttp.ts"
import { unsubscribeHandlers } from "./UnsubscribeHttp.ts"
import { systemHandlers } from "./SystemHttp.ts"
import * as UploadBody from "./UploadBody.ts"
import { type ResponseWithHeaders, type WireResponse, wireResponse } from "./WireResponse.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse
type Headers = Readonly<Record<string, string>>

/**
 * Responds to a request: at once if the response is cached, and else by an effect, which is to be interrupted if the
 * client disconnects. The scope ends when the response is sent.
 */
export type Respond = (request: Request) => WireResponse | Effect.Effect<ResponseWithHeaders, never, Scope.Scope>

export interface HttpApp {
  readonly respond: Respond
}

/** Returns true while each request has to be logged. Then no response comes from the cache. Default: false. */
export const LogRequests = Context.Reference<() => boolean>("@lectern/http/server/LogRequests", {
  defaultValue: () => () => false
})

/** True to trace each request (see `HttpMiddleware.tracer`). Then no response comes from the cache. Default: false. */
export const TraceRequests = Context.Reference<boolean>("@lectern/http/server/TraceRequests", {
  defaultValue: () => false
})

/** An application: the API, or the mounted one. */
interface App {
  readonly cache: ResponseCache.ResponseCache | undefined
  /** Returns the response to a preflight request, which is not limited; undefined for other requests. */
  readonly preflight: (request: Request) => Response | undefined
  readonly observed: (request: Request) => Observation.ObservedRequest
  /** Returns the headers that a response has in addition, which are cached with it. */
  readonly headers: (request: Request, response: Response) => Headers
  /** Replaces an error response. */
  readonly renderError: (request: Request, response: Response) => Effect.Effect<Response>
  readonly onHit: (response: Response) => CachedResponse["onHit"]
}

/** A request on its way through the middleware. */
interface Exchange {
  readonly request: Request
  readonly id: string
  readonly app: App
  /** Undefined if the response is not stored. */
  readonly fill: CacheFill | undefined
  /** Name under which the requests of the caller are counted. */
  caller: string | undefined
  /** Headers of this response only. */
  headers: Headers
  onHit: CachedResponse["onHit"]
  isCacheHit: boolean
  /** Set if the response comes from the computation of another request. */
  observed: Observation.ObservedRequest | undefined
}

type ResponseEffect = Effect.Effect<Response, never, Scope.Scope>

/** Wraps the response of a request. */
type Middleware = (exchange: Exchange, next: ResponseEffect) => ResponseEffect

const app = Effect.gen(function* (): Effect.fn.Return<
  HttpApp,
  never,
  LecternServices | ExchangeServices | Scope.Scope
> {
  const ids = yield* Ids
  const storage = yield* Storage
  const operations = yield* Operations.make
  const plainHandlers = new Map<string, Routes.PlainHandler>(
    Object.entries({
      ...(yield* systemHandlers),
      ...(yield* signOnHandlers),
      ...(yield* oidcSignOnHandlers),
      ...(yield* unsubscribeHandlers)
    })
  )
  const senderOf = yield* senderLookup
  const rejectUpload = yield* UploadBody.rejectUnsigned
  const threads = yield* Threads
  // Request ids are counted up, since they must be unique but not secret. Random ids cost more.
  const process = yield* ids.next
  let requests = 0
  const nextId = () => `${process}-${(requests++).toString(36)}`

  const observe = yield* Observation.observe
  const limit = yield* RateLimit.make
  const authenticate = yield* HostAuthentication.HostAuthentication
  const isTraced = yield* TraceRequests
  const isLogged = yield* LogRequests
  const mountedApp = yield* MountedApp
  const cors = Cors.make(yield* Cors.CorsOrigins)
  const compression = Compression.make(yield* Compression.Compressors)

  const apiVary = varyOf("Origin", compression.vary)
  const sessionOf = yield* SessionCookies
  const noHeaders: Headers = {}
  const privateHeaders: Headers = { "cache-control": "private, no-cache" }
  /** True if the response may be for a sender that a cache between client and server does not see in the request. */
  const isPrivate = (request: Request) => authenticate !== undefined || sessionOf?.(request) !== undefined
  const api: App = {
    // Only the host knows the sender, so a request can't serve as a cache key.
    cache: authenticate === undefined ? yield* ResponseCache.make(CachePolicy.apiPolicy) : undefined,
    preflight: cors.preflight,
    observed: Observation.observedRequest,
    headers: (request, { headers }) => ({
      ...cors.headers(request),
      ...(headers["cache-control"] === undefined && isPrivate(request) ? privateHeaders : noHeaders),
      vary: headers["vary"] === undefined ? apiVary : varyOf(headers["vary"], apiVary)
    }),
    renderError: (_request, response) => Effect.succeed(response),
    onHit: () => undefined
  }
  const site: App | undefined = mountedApp && {
    cache: yield* ResponseCache.make(CachePolicy.mountedAppPolicy),
    preflight: () => undefined,
    observed: (request) => ({
      method: request.method,
      route: mountedApp.route,
      actor: undefined,
      reason: mountedApp.reasonOf?.(request)
    }),
    headers: (_request, { headers }) => {
      const vary = varyOf(headers["vary"], compression.vary)
      return vary === "" ? {} : { vary }
    },
    renderError: mountedApp.renderError,
    onHit: mountedApp.cacheHitListener
  }

  const trace: Middleware = ({ request }, next) =>
    isTraced ? Effect.provideService(HttpMiddleware.tracer(next), HttpServerRequest.HttpServerRequest, request) : next

  const observation: Middleware = (exchange, next) => {
    const { app, id, request } = exchange
    const report = observe?.(addressOf(request))
    return report === undefined
      ? next
      : Effect.map(next, (response) => {
          report(exchange.observed ?? app.observed(request), response, id, exchange.isCacheHit)
          return response
        })
  }

  const preflight: Middleware = ({ app, request }, next) => {
    const response = app.preflight(request)
    return response === undefined ? next : Effect.succeed(response)
  }

  const rateLimit: Middleware = (exchange, next) => {
    const { app, request } = exchange
    return !limit.isOn()
      ? next
      : Effect.flatMap(limit.request(request), (limitResult) => {
          if (limitResult === undefined) return next
          exchange.caller = limitResult.name
          exchange.headers = { ...exchange.headers, ...limitResult.headers }
          return limitResult.refused === undefined ? next : app.renderError(request, limitResult.refused)
        })
  }

  /** Stores the compressed response. Equal requests to sites wait for one computation. */
  const cache: Middleware = (exchange, next) => {
    const { app, fill, request } = exchange
    if (fill === undefined || app.cache === undefined) return next
    const { cache } = app
    const compute = Effect.map(trackFill(fill, next), (response) => {
      cache.set(fill, request, response, {
        headers: app.headers(request, response),
        observed: observe && app.observed(request),
        caller: exchange.caller,
        onHit: exchange.onHit
      })
      return response
    })
    return cache.coalesce(fill, compute, ({ observed, onHit, response }) => {
      exchange.isCacheHit = true
      exchange.observed = observed
      onHit?.(request, addressOf(request))
      return response
    })
  }

  const compress: Middleware = ({ request }, next) =>
    Effect.flatMap(next, (response) => {
      const compressed = compression.compress(request, response)
      // All requests that wait for one compression resume in one turn of the event loop. Yielding sends each response
      // in a turn of its own.
      return compressed instanceof Promise
        ? Effect.flatMap(
            Effect.promise(() => compressed),
            (result) => Effect.as(Effect.yieldNow, result)
          )
        : Effect.succeed(compressed)
    })

  const log: Middleware = ({ id, request }, next) =>
    Effect.withFiber(({ context }) =>
      LogLevel.isLessThanOrEqualTo(Context.get(context, References.MinimumLogLevel), "Debug")
        ? Effect.tap(next, (response) => logRequest(request, response, id))
        : next
    )

  /** Turns failures into error responses. */
  const recovery: Middleware = ({ app, id, request }, next) =>
    Effect.catchCause(next, (cause) =>
      Effect.flatMap(recover(request, id, cause), (response) => app.renderError(request, withId(response, id)))
    )

  /**
   * The first one sees the request first and the response last. Recovery comes last for failures of handlers, whose
   * responses are observed and compressed like others, and early for failures of the middleware.
   */
  const middleware: ReadonlyArray<Middleware> = [
    trace,
    recovery,
    observation,
    preflight,
    rateLimit,
    cache,
    compress,
    log,
    recovery
  ]

  /** Passes a request through the middleware to its handler. */
  const runExchange = (
    app: App,
    request: Request,
    id: string,
    fill: CacheFill | undefined,
    handler: Effect.Effect<Response, unknown, Scope.Scope | HttpServerRequest.HttpServerRequest>
  ): Effect.Effect<ResponseWithHeaders, never, Scope.Scope> => {
    const headers = { "x-request-id": id }
    const exchange: Exchange = {
      request,
      id,
      app,
      fill,
      caller: undefined,
      headers,
      onHit: undefined,
      isCacheHit: false,
      observed: undefined
    }
    const handling = Effect.map(
      Effect.updateContext(handler, (context: Context.Context<Scope.Scope>) => requestContext(request, id, context)),
      (response) => {
        exchange.onHit = app.onHit(response)
        return response
      }
    )
    // The failures of the handler end in the innermost middleware.
    let next = handling as ResponseEffect
    for (let i = middleware.length - 1; i >= 0; i--) next = middleware[i]!(exchange, next)
    return Effect.map(next, (response) => ({
      response,
      headers: { ...app.headers(request, response), ...exchange.headers }
    }))
  }

  /**
   * Reads the body of a request. Large bodies are read only for authenticated senders, and uploads only for signed
   * URLs.
   */
  const bodyOf = (request: Request) => {
    if (RequestBody.isBytes(request)) {
      return Effect.flatMap(rejectUpload(request), (rejection) =>
        rejection === undefined ? RequestBody.read(request, threads) : Effect.succeed(rejection)
      )
    }
    return RequestBody.isLarge(request)
      ? Effect.flatMap(senderOf(request), (requestSender) =>
          HttpServerResponse.isHttpServerResponse(requestSender)
            ? Effect.succeed(requestSender)
            : Effect.provideService(RequestBody.read(request, threads), CurrentActor, requestSender)
        )
      : RequestBody.read(request, threads)
  }

  /** Reads the body, finds the route, and runs its handler. */
  const routeRequest = (request: Request) =>
    Effect.flatMap(bodyOf(request), (body) => {
      if (HttpServerResponse.isHttpServerResponse(body)) return Effect.succeed(body)
      const match = Routes.find(request.method, request.url)
      if (match === undefined) return Effect.succeed(notRouted(request))
      return operations(match, request, body) ?? plainHandlers.get(match.route.path)!(request, match.params)
    })

  const apiHandler = (request: Request) =>
    RequestBody.pathOf(request.url) === "" ? Effect.succeed(noPath()) : routeRequest(request)

  /** Returns a cached response with the headers of this request. */
  const cachedResponse = (request: Request, entry: CachedResponse): ResponseWithHeaders | undefined => {
    const isLimited = limit.isOn()
    // If no request was counted, the name for the rate limit is unknown, so the cached response is not used.
    if (isLimited && entry.caller === undefined) return undefined
    const report = observe?.(addressOf(request))
    const id = nextId()
    const limitResult = isLimited ? limit.again(entry.caller!) : undefined
    const response = limitResult?.refused ?? entry.response
    const isCacheHit = limitResult?.refused === undefined
    if (isCacheHit) entry.onHit?.(request, addressOf(request))
    if (entry.observed) report?.(entry.observed, response, id, isCacheHit)
    return { response, headers: { ...entry.headers, ...limitResult?.headers, "x-request-id": id } }
  }

  /** Returns the cached response of a request, or the effect that computes the response. */
  const respondWith = (
    app: App,
    request: Request,
    selected: SelectedRequest | undefined,
    cacheLookup: ReturnType<ResponseCache.ResponseCache["lookup"]>
  ): ResponseWithHeaders | Effect.Effect<ResponseWithHeaders, never, Scope.Scope> => {
    const { hit, fill } = typeof cacheLookup === "object" ? cacheLookup : {}
    const cached = hit && cachedResponse(request, hit)
    if (cached !== undefined) return cached
    const id = nextId()
    if (selected === undefined) return runExchange(api, request, id, fill, apiHandler(request))
    if (selected.isClaimed === undefined) return runExchange(app, request, id, fill, selected.respond)
    return Effect.matchCauseEffect(selected.isClaimed, {
      onSuccess: (isClaimed) =>
        isClaimed
          ? runExchange(app, request, id, fill, selected.respond)
          : runExchange(api, request, id, undefined, apiHandler(request)),
      onFailure: (cause) => runExchange(app, request, id, undefined, Effect.failCause(cause))
    })
  }

  return {
    respond: (request) => {
      const arrival = storage.arrival()
      const selected = mountedApp?.select(request)
      const app = selected === undefined ? api : site!
      // Clients share the entries of sites, but the rate limit counts each client.
      const usesCache = !isTraced && !isLogged() && !(app === site && limit.isOn())
      const key = CachePolicy.keyOf(request, selected)
      const lookup = () => (usesCache && key !== undefined ? app.cache?.lookup(key, arrival) : undefined)
      const cacheLookup = lookup()
      const result =
        cacheLookup === "unconfirmed"
          ? Effect.matchCauseEffect(storage.lastCommit, {
              onSuccess: () => asEffect(respondWith(app, request, selected, lookup())),
              onFailure: (cause) => runExchange(app, request, nextId(), undefined, Effect.failCause(cause))
            })
          : respondWith(app, request, selected, cacheLookup)
      return Effect.isEffect(result) ? withArrival(result, arrival) : wireResponse(result.response, result.headers)
    }
  }
})

export const make: Effect.Effect<HttpApp, never, LecternServices | ExchangeServices | Scope.Scope> =
  HostAuthentication.withAuthenticateOnce(app)

/** Returns the application for a server of Effect. It is interrupted if the client disconnects. */
export const toHttpEffect = ({
  respond
}: HttpApp): Effect.Effect<Response, never, HttpServerRequest.HttpServerRequest | Scope.Scope> =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
    const response = respond(request)
    // Handlers are made interruptible, since servers of Effect make them uninterruptible.
    return Effect.isEffect(response)
      ? Effect.map(Effect.interruptible(response), ({ response, headers }) =>
          HttpServerResponse.setHeaders(response, headers)
        )
      : Effect.succeed(fromWire(response))
  })

const fromWire = ({ body, headers, status }: WireResponse): Response =>
  HttpServerResponse.setHeaders(
    body === undefined
      ? HttpServerResponse.empty({ status })
      : typeof body === "string"
        ? HttpServerResponse.text(body, { status })
        : HttpServerResponse.uint8Array(body, { status }),
    headers
  )

const asEffect = <A, E, R>(result: A | Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.isEffect(result) ? result : Effect.succeed(result)

const addressOf = ({ remoteAddress }: Request): string | undefined => Option.getOrUndefined(remoteAddress)

const withId = (response: Response, id: string) => HttpServerResponse.setHeader(response, "x-request-id", id)

/** Joins names of headers for `Vary`. */
const varyOf = (...names: ReadonlyArray<string | undefined>): string => names.filter(Boolean).join(", ")

/** Provides the request and, for writes, its id for the audit log. */
const requestContext = <R>(
  request: Request,
  id: string,
  context: Context.Context<R>
): Context.Context<R | HttpServerRequest.HttpServerRequest> => {
  const { method } = request
  const services = method === "GET" || method === "HEAD" ? context : Context.add(context, AuditOrigin, { request: id })
  return Context.add(services, HttpServerRequest.HttpServerRequest, request)
}

/** Response to a request without a path, such as `OPTIONS *`. */
const noPath = () => errorResponse(400, "The request has no path on this server")

const logRequest = (request: Request, { status }: Response, id: string) =>
  Effect.annotateLogs(Effect.logDebug("request"), {
    method: request.method,
    path: pathToLog(request),
    status,
    request: id
  })
