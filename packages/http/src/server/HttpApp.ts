/**
 * Lectern as one HTTP application: the API under `/v1`, sign-on under `/saml`, `/openapi.json`, `/docs`, `/healthz` and
 * `/readyz`. Serve it with any server of `effect/http`, or use `fetch` for platforms with `Request` and `Response`.
 *
 * Every response has `X-Request-Id`, and every failure has the common error body (see `Recovery`).
 */
import { CurrentActor } from "@lectern/core/access/Actor"
import type { LecternServices } from "@lectern/core/EmbeddedLectern"
import { AuditOrigin } from "@lectern/core/audit/AuditTrail"
import { Threads } from "@lectern/core/thread/Threads"
import { Context, Effect, Layer, LogLevel, Option, References, type Scope } from "effect"
import { HttpRouter, HttpServer, HttpServerRequest, HttpServerResponse } from "effect/http"
import { Ids } from "@lectern/core/identity/Ids"
import { errorResponse } from "./Responses.ts"
import type { RequestHead } from "./RequestHead.ts"
import { senderLookup } from "./AuthenticationHttp.ts"
import { MountedApp } from "./MountedApp.ts"
import * as CachePolicy from "./cache/CachePolicy.ts"
import { trackFill } from "./cache/CacheFill.ts"
import * as ResponseCache from "./cache/ResponseCache.ts"
import * as Compression from "./Compression.ts"
import * as Cors from "./Cors.ts"
import { Handlers } from "./Handlers.ts"
import * as HostAuthentication from "./HostAuthentication.ts"
import * as Observation from "./Observation.ts"
import * as Operations from "./Operations.ts"
import * as RateLimit from "./RateLimit.ts"
import { pathToLog, recover, withRecovery, withShortRecovery } from "./Recovery.ts"
import * as RenderFastPath from "./RenderFastPath.ts"
import * as RequestBody from "./RequestBody.ts"
import { SignOnHttp } from "./SignOnHttp.ts"
import { SystemHttp } from "./SystemHttp.ts"
import * as UploadBody from "./UploadBody.ts"
import { type ResponseWithHeaders, type WireResponse, wireResponse } from "./WireResponse.ts"

const Routes = Layer.mergeAll(SignOnHttp, SystemHttp).pipe(Layer.provide(HttpServer.layerServices))

export interface HttpApp {
  /** Handles the request in the context. Interrupted if the client disconnects. */
  readonly handle: Effect.Effect<
    HttpServerResponse.HttpServerResponse,
    never,
    HttpServerRequest.HttpServerRequest | Scope.Scope
  >
  /**
   * Returns a valid cached response (see `ResponseCache`), or undefined if `handle` must run. `source`: request object
   * of the platform. `address`: address of the client. Undefined if the cache is off.
   */
  readonly cached:
    | ((head: RequestHead, source?: object, address?: () => string | undefined) => WireResponse | undefined)
    | undefined
  /**
   * Handles a short request for an operation (see `RequestBody.isShort`); `undefined` for any other request, for which
   * `handle` must run. The response is equal to that of `handle`, but there is no scope, no request stream and no trace. `source` and
   * `address` as for `cached`.
   */
  readonly handleShort: (
    head: RequestHead,
    source: object,
    address: () => string | undefined
  ) => ((body: Uint8Array) => Effect.Effect<ResponseWithHeaders>) | undefined
}

const app = Effect.gen(function* (): Effect.fn.Return<HttpApp, never, LecternServices | Scope.Scope> {
  const ids = yield* Ids
  const operations = yield* Effect.flatMap(Layer.build(Handlers), (handlers) =>
    Effect.provideContext(Operations.make, handlers)
  )
  const router = yield* Effect.provideService(
    HttpRouter.toHttpEffect(Routes),
    HttpRouter.RouterConfig,
    Operations.exactPaths
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
  // Only the host knows the sender, so a request can't serve as a cache key.
  const cache = authenticate === undefined ? yield* ResponseCache.make() : undefined
  const mounted = yield* MountedApp
  const mountedCache = mounted && (yield* ResponseCache.make(CachePolicy.mountedAppPolicy(mounted)))
  const cors = Cors.make(yield* Cors.CorsOrigins)
  const compression = Compression.make(yield* Compression.Compressors)
  const vary = varyOf("Origin", compression.vary)
  const privateHeaders = authenticate === undefined ? {} : { "cache-control": "private, no-cache" }

  /**
   * Reads the body of a request. Large bodies are read only for authenticated senders, and uploads only for signed
   * URLs.
   */
  const bodyOf = (request: HttpServerRequest.HttpServerRequest) =>
    RequestBody.isBytes(request)
      ? Effect.flatMap(rejectUpload(request), (refused) =>
          refused === undefined ? RequestBody.read(request, threads) : Effect.succeed(refused)
        )
      : RequestBody.isLarge(request)
        ? Effect.flatMap(senderOf(request), (sent) =>
            HttpServerResponse.isHttpServerResponse(sent)
              ? Effect.succeed(sent)
              : Effect.provideService(RequestBody.read(request, threads), CurrentActor, sent)
          )
        : RequestBody.read(request, threads)

  const routed = (request: HttpServerRequest.HttpServerRequest) =>
    Effect.flatMap(bodyOf(request), (body) =>
      HttpServerResponse.isHttpServerResponse(body) ? Effect.succeed(body) : (operations(request)?.(body) ?? router)
    )

  /** Compresses a response and logs the request. */
  const compressAndLog = (
    request: HttpServerRequest.HttpServerRequest,
    response: HttpServerResponse.HttpServerResponse,
    id: string
  ): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
    Effect.withFiber(({ context }) => {
      const compressed = compression.compress(request, response)
      // All requests that wait for one compression resume in one turn of the event loop. Yielding sends each
      // response in a turn of its own.
      const sent =
        compressed instanceof Promise
          ? Effect.flatMap(
              Effect.promise(() => compressed),
              (made) => Effect.as(Effect.yieldNow, made)
            )
          : Effect.succeed(compressed)
      const isLogged = LogLevel.isLessThanOrEqualTo(Context.get(context, References.MinimumLogLevel), "Debug")
      return isLogged ? Effect.andThen(logRequest(request, response, id), sent) : sent
    })

  /** Returns the response of the mounted application; `undefined` if the request is for the API. */
  const mountedResponse = Effect.fnUntraced(function* (
    request: HttpServerRequest.HttpServerRequest,
    id: string,
    handler: NonNullable<ReturnType<NonNullable<MountedApp>["handle"]>>
  ) {
    const address = Option.getOrUndefined(request.remoteAddress)
    const report = observe?.(address)
    const fill = mountedCache?.takeFill(request.source)
    const counted = yield* limit.request(request)
    const failed = (response: HttpServerResponse.HttpServerResponse) =>
      mounted!.renderError(request, HttpServerResponse.setHeader(response, "x-request-id", id))
    const refused = counted?.refused && (yield* failed(counted.refused))
    const attempt = Effect.catchCause(handler, (cause) => Effect.flatMap(recover(request, id, cause), failed))
    const withAllHeaders = (
      response: HttpServerResponse.HttpServerResponse,
      headers: Readonly<Record<string, string>>
    ) => HttpServerResponse.setHeaders(response, { ...headers, ...counted?.headers, "x-request-id": id })

    const make = Effect.gen(function* () {
      const response = refused ?? (yield* trackFill(fill, attempt))
      if (response === undefined) return undefined
      const sent = yield* compressAndLog(request, response, id)
      const observed = report && { method: request.method, route: mounted!.route, actor: undefined }
      if (observed) report(observed, sent, id)
      const varies = varyOf(sent.headers["vary"], compression.vary)
      const headers = varies === "" ? {} : { vary: varies }
      const onHit = mounted!.cacheHitListener(response)
      if (fill !== undefined)
        mountedCache?.set(fill, request, sent, { headers, observed, caller: counted?.name, onHit })
      return withAllHeaders(sent, headers)
    })
    if (fill === undefined || mountedCache === undefined || refused !== undefined) return yield* make
    return yield* mountedCache.coalesce(fill, make, ({ onHit, headers, observed, response }) => {
      onHit?.(request, address)
      if (observed) report?.(observed, response, id, true)
      return withAllHeaders(response, headers)
    })
  })

  /**
   * Returns the response of the API. `how` runs unless the request is a preflight, exceeds the rate limit or has no
   * path.
   */
  const apiResponse = Effect.fnUntraced(function* <E, R>(
    request: HttpServerRequest.HttpServerRequest,
    id: string,
    operation: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
  ) {
    const report = observe?.(Option.getOrUndefined(request.remoteAddress))
    const fill = cache?.takeFill(request.source)
    const preflight = cors.preflight(request)
    const counted = preflight === undefined ? yield* limit.request(request) : undefined
    const refused = preflight ?? counted?.refused ?? rejectPathless(request)
    const answer = withRecovery(operation, request, id)
    const response = refused ?? (yield* trackFill(fill, answer))
    const sent = yield* compressAndLog(request, response, id)
    const observed = report && Observation.observedRequest(request)
    if (observed) report(observed, sent, id)
    const ownVary = sent.headers["vary"]
    const cacheControl = sent.headers["cache-control"] === undefined ? privateHeaders : {}
    const headers = {
      ...cors.headers(request),
      ...cacheControl,
      vary: ownVary === undefined ? vary : varyOf(ownVary, vary)
    }
    if (fill !== undefined) cache?.set(fill, request, sent, { headers, observed, caller: counted?.name })
    return { response: sent, headers: { ...headers, ...counted?.headers, "x-request-id": id } }
  })

  const handleRequest = Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const id = nextId()
    const handler = mounted?.handle(request)
    const mountedResult = handler && (yield* withRecovery(mountedResponse(request, id, handler), request, id))
    if (mountedResult !== undefined) return mountedResult
    const answer = withShortRecovery(apiResponse(request, id, routed(request)), request, id)
    const { response, headers } = yield* Effect.updateContext(answer, (context: Context.Context<Scope.Scope>) =>
      requestContext(request, id, context)
    )
    return HttpServerResponse.setHeaders(response, headers)
  })

  const render = yield* RenderFastPath.make

  /**
   * Returns the handler of a short request, which takes the body; `undefined` if the request is not for an operation.
   */
  const shortHandler = (request: HttpServerRequest.HttpServerRequest, head: RequestHead) => {
    const name = RenderFastPath.integrationOf(head)
    if (name !== undefined) return (body: Uint8Array) => render(name, request, body)
    const operation = operations(request)
    return (
      operation &&
      ((bytes: Uint8Array) => {
        const body = RequestBody.readJson(request, bytes)
        return HttpServerResponse.isHttpServerResponse(body) ? Effect.succeed(body) : operation(body)
      })
    )
  }

  return {
    // Handlers are made interruptible, since servers of Effect make them uninterruptible.
    handle: Effect.interruptible(handleRequest),

    handleShort: (head, source, address) => {
      if (!RequestBody.isShort(head)) return undefined
      const request = requestOf(head, source, address())
      if (mounted?.handle(request) !== undefined) return undefined
      const handler = shortHandler(request, head)
      return (
        handler &&
        ((body) => {
          const id = nextId()
          const answer = withShortRecovery(apiResponse(request, id, handler(body)), request, id)
          return Effect.updateContext(answer, (context: Context.Context<never>) => requestContext(request, id, context))
        })
      )
    },

    cached:
      cache &&
      ((head, source = head, address) => {
        // If the rate limit is on, cached entries of the mounted application are not used. Clients share these entries,
        // but the rate limit counts each client.
        const apiEntry = cache.get(head, source)
        // The cached response is not used if the host belongs to the mounted application, for which path and token mean
        // something else.
        if (apiEntry !== undefined && mounted?.handle(requestOf(head, source)) !== undefined) return undefined
        const entry = apiEntry ?? (limit.isOn() ? undefined : mountedCache?.get(head, source))
        // If no request was counted, the name for the rate limit is unknown, so the cached response is not used.
        if (entry === undefined || (limit.isOn() && entry.caller === undefined)) return undefined
        const report = observe?.(address?.())
        const id = nextId()
        const counted = limit.isOn() ? limit.again(entry.caller!) : undefined
        const response = counted?.refused ?? entry.response
        if (counted?.refused === undefined) entry.onHit?.(head, address?.())
        if (entry.observed) report?.(entry.observed, response, id, counted?.refused === undefined)
        return wireResponse(response, { ...entry.headers, ...counted?.headers, "x-request-id": id })
      })
  }
})

export const make: Effect.Effect<HttpApp, never, LecternServices | Scope.Scope> =
  HostAuthentication.withAuthenticateOnce(app)

/** Creates a request with the fields that observers and filters read. */
const requestOf = ({ method, url, headers }: RequestHead, source: object, address?: string) =>
  ({
    method,
    url,
    headers,
    source,
    remoteAddress: Option.fromNullishOr(address)
  }) as HttpServerRequest.HttpServerRequest

/** Joins names of headers for `Vary`. */
const varyOf = (...names: ReadonlyArray<string | undefined>): string => names.filter(Boolean).join(", ")

/** Provides the request and, for writes, its id for the audit log. */
const requestContext = <R>(
  request: HttpServerRequest.HttpServerRequest,
  id: string,
  context: Context.Context<R>
): Context.Context<R | HttpServerRequest.HttpServerRequest> => {
  const { method } = request
  const services = method === "GET" || method === "HEAD" ? context : Context.add(context, AuditOrigin, { request: id })
  return Context.add(services, HttpServerRequest.HttpServerRequest, request)
}

/** Rejects a request without a path, such as `OPTIONS *`, which can't be routed. */
const rejectPathless = ({ url }: HttpServerRequest.HttpServerRequest) =>
  RequestBody.pathOf(url) === "" ? errorResponse(400, "The request has no path on this server") : undefined

const logRequest = (
  request: HttpServerRequest.HttpServerRequest,
  { status }: HttpServerResponse.HttpServerResponse,
  id: string
) =>
  Effect.annotateLogs(Effect.logDebug("request"), {
    method: request.method,
    path: pathToLog(request),
    status,
    request: id
  })
