/**
 * Lectern as one HTTP application: the interface under `/v1`, signing on under `/saml`, `/openapi.json`, `/docs`,
 * `/healthz` and `/readyz`. Serve it with any server of `effect/http`, or take `fetch` for everything that speaks
 * `Request` and `Response`.
 *
 * Every answer carries `X-Request-Id`; every failure the one error body (see `Recovery`).
 */
import { CurrentActor } from "@lectern/core/access/Actor"
import type { LecternServices } from "@lectern/core/EmbeddedLectern"
import { AuditOrigin } from "@lectern/core/audit/AuditTrail"
import { Threads } from "@lectern/core/thread/Threads"
import { Context, Effect, Layer, LogLevel, Option, References, type Scope } from "effect"
import { HttpRouter, HttpServer, HttpServerRequest, HttpServerResponse } from "effect/http"
import { Ids } from "@lectern/core/identity/Ids"
import { errorResponse } from "./Answers.ts"
import type { Asked } from "./Asked.ts"
import { sender } from "./AuthenticationHttp.ts"
import { Beside } from "./Beside.ts"
import * as Questions from "./cache/Questions.ts"
import { watched } from "./cache/Reading.ts"
import * as ResponseCache from "./cache/ResponseCache.ts"
import * as Compression from "./Compression.ts"
import * as Cors from "./Cors.ts"
import { Handlers } from "./Handlers.ts"
import * as HostAuthentication from "./HostAuthentication.ts"
import * as Observation from "./Observation.ts"
import * as Operations from "./Operations.ts"
import * as RateLimit from "./RateLimit.ts"
import { pathToLog, recover, recovered, recovering } from "./Recovery.ts"
import * as RenderLane from "./RenderLane.ts"
import * as RequestBody from "./RequestBody.ts"
import { SignOnHttp } from "./SignOnHttp.ts"
import { SystemHttp } from "./SystemHttp.ts"
import * as UploadBody from "./UploadBody.ts"
import { type ShortAnswer, type Written, written } from "./Written.ts"

const Routes = Layer.mergeAll(SignOnHttp, SystemHttp).pipe(Layer.provide(HttpServer.layerServices))

export interface HttpApp {
  /** Answers the request in its context. Whoever hangs up interrupts that. */
  readonly answer: Effect.Effect<
    HttpServerResponse.HttpServerResponse,
    never,
    HttpServerRequest.HttpServerRequest | Scope.Scope
  >
  /**
   * The answer to a request that is kept and holds (see `ResponseCache`), undefined where `answer` is to be asked.
   * `source`: what the platform calls the request; `address`: whence it comes. Undefined where nothing is kept.
   */
  readonly kept:
    | ((asked: Asked, source?: object, address?: () => string | undefined) => Written | undefined)
    | undefined
  /**
   * The answer to a request that is short (see `RequestBody.isShort`) and asks for an operation; undefined for any other
   * request, for which `answer` is to be asked. It is the same answer, with less around it: no scope, no stream of what
   * comes in and no trace. `source` and `address` as above.
   */
  readonly short: (
    asked: Asked,
    source: object,
    address: () => string | undefined
  ) => ((body: Uint8Array) => Effect.Effect<ShortAnswer>) | undefined
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

  const senderOf = yield* sender
  const refusing = yield* UploadBody.refusing
  const threads = yield* Threads
  // Ids of requests only have to differ: what can't be guessed costs more to make.
  const process = yield* ids.next
  let requests = 0
  const nextId = () => `${process}-${(requests++).toString(36)}`

  const watch = yield* Observation.watch
  const limit = yield* RateLimit.make
  const authenticate = yield* HostAuthentication.HostAuthentication
  // Who asks is known to the host alone, and what a request shows does not tell it.
  const cache = authenticate === undefined ? yield* ResponseCache.make() : undefined
  const beside = yield* Beside
  const besideCache = beside && (yield* ResponseCache.make(Questions.ofBeside(beside)))
  const cors = Cors.make(yield* Cors.CorsOrigins)
  const compression = Compression.make(yield* Compression.Compressors)
  const vary = varying("Origin", compression.vary)
  const isPrivate = authenticate === undefined ? {} : { "cache-control": "private, no-cache" }

  /** The body of the request, of whom it may be read. */
  const bodyOf = (request: HttpServerRequest.HttpServerRequest) =>
    RequestBody.isBytes(request)
      ? Effect.flatMap(refusing(request), (refused) =>
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

  /** The answer as it is sent, once the log has heard of it. */
  const logged = (
    request: HttpServerRequest.HttpServerRequest,
    response: HttpServerResponse.HttpServerResponse,
    id: string
  ): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
    Effect.withFiber(({ context }) => {
      const compressed = compression.of(request, response)
      // All requests that wait for the same compression resume in one turn of the event loop. Yielding sends each
      // response in a turn of its own.
      const sent =
        compressed instanceof Promise
          ? Effect.flatMap(
              Effect.promise(() => compressed),
              (made) => Effect.as(Effect.yieldNow, made)
            )
          : Effect.succeed(compressed)
      const isTold = LogLevel.isLessThanOrEqualTo(Context.get(context, References.MinimumLogLevel), "Debug")
      return isTold ? Effect.andThen(logRequest(request, response, id), sent) : sent
    })

  /** The answer of what stands beside the interface; undefined where the request is not its own. */
  const ofBeside = Effect.fnUntraced(function* (
    request: HttpServerRequest.HttpServerRequest,
    id: string,
    own: NonNullable<ReturnType<NonNullable<Beside>["of"]>>
  ) {
    const address = Option.getOrUndefined(request.remoteAddress)
    const note = watch?.(address)
    const reading = besideCache?.reading(request.source)
    const counted = yield* limit.request(request)
    const failed = (response: HttpServerResponse.HttpServerResponse) =>
      beside!.failed(request, HttpServerResponse.setHeader(response, "x-request-id", id))
    const refused = counted?.refused && (yield* failed(counted.refused))
    const answered = Effect.catchCause(own, (cause) => Effect.flatMap(recover(request, id, cause), failed))
    const sentWith = (response: HttpServerResponse.HttpServerResponse, headers: Readonly<Record<string, string>>) =>
      HttpServerResponse.setHeaders(response, { ...headers, ...counted?.headers, "x-request-id": id })

    const make = Effect.gen(function* () {
      const response = refused ?? (yield* watched(reading, answered))
      if (response === undefined) return undefined
      const sent = yield* logged(request, response, id)
      const noted = note && { method: request.method, route: beside!.route, actor: undefined }
      if (noted) note(noted, sent, id)
      const varies = varying(sent.headers["vary"], compression.vary)
      const headers = varies === "" ? {} : { vary: varies }
      const again = beside!.again(response)
      if (reading !== undefined)
        besideCache?.keep(reading, request, sent, { headers, noted, caller: counted?.name, again })
      return sentWith(sent, headers)
    })
    if (reading === undefined || besideCache === undefined || refused !== undefined) return yield* make
    return yield* besideCache.together(reading, make, ({ again, headers, noted, response }) => {
      again?.(request, address)
      if (noted) note?.(noted, response, id, true)
      return sentWith(response, headers)
    })
  })

  /** The answer to a request of the interface; `how` answers it where nothing speaks against it. */
  const ofInterface = Effect.fnUntraced(function* <E, R>(
    request: HttpServerRequest.HttpServerRequest,
    id: string,
    how: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
  ) {
    const note = watch?.(Option.getOrUndefined(request.remoteAddress))
    const reading = cache?.reading(request.source)
    const preflight = cors.preflight(request)
    const counted = preflight === undefined ? yield* limit.request(request) : undefined
    const refused = preflight ?? counted?.refused ?? withoutPath(request)
    const answer = recovered(how, request, id)
    const response = refused ?? (yield* watched(reading, answer))
    const sent = yield* logged(request, response, id)
    const noted = note && Observation.noted(request)
    if (noted) note(noted, sent, id)
    const own = sent.headers["vary"]
    const unlessSaid = sent.headers["cache-control"] === undefined ? isPrivate : {}
    const headers = { ...cors.headers(request), ...unlessSaid, vary: own === undefined ? vary : varying(own, vary) }
    if (reading !== undefined) cache?.keep(reading, request, sent, { headers, noted, caller: counted?.name })
    return { response: sent, headers: { ...headers, ...counted?.headers, "x-request-id": id } }
  })

  const whole = Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const id = nextId()
    const own = beside?.of(request)
    const there = own && (yield* recovered(ofBeside(request, id, own), request, id))
    if (there !== undefined) return there
    const answer = recovering(ofInterface(request, id, routed(request)), request, id)
    const { response, headers } = yield* Effect.updateContext(answer, (context: Context.Context<Scope.Scope>) =>
      around(request, id, context)
    )
    return HttpServerResponse.setHeaders(response, headers)
  })

  const render = yield* RenderLane.make

  /** How a short request is answered once its body is there; undefined for one that asks for no operation. */
  const shortly = (request: HttpServerRequest.HttpServerRequest, asked: Asked) => {
    const name = RenderLane.find(asked)
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
    // Around it servers of Effect let nothing be interrupted.
    answer: Effect.interruptible(whole),

    short: (asked, source, address) => {
      if (!RequestBody.isShort(asked)) return undefined
      const request = requestOf(asked, source, address())
      if (beside?.of(request) !== undefined) return undefined
      const how = shortly(request, asked)
      return (
        how &&
        ((body) => {
          const id = nextId()
          const answer = recovering(ofInterface(request, id, how(body)), request, id)
          return Effect.updateContext(answer, (context: Context.Context<never>) => around(request, id, context))
        })
      )
    },

    kept:
      cache &&
      ((asked, source = asked, address) => {
        // What is beside is the same for many callers, who are counted each.
        const ofInterface = cache.find(asked, source)
        // The same path and token ask for something else at a host of what is beside.
        if (ofInterface !== undefined && beside?.of(requestOf(asked, source)) !== undefined) return undefined
        const found = ofInterface ?? (limit.isOn() ? undefined : besideCache?.find(asked, source))
        // Where nobody counted yet, it is not known by which name to count.
        if (found === undefined || (limit.isOn() && found.caller === undefined)) return undefined
        const note = watch?.(address?.())
        const id = nextId()
        const counted = limit.isOn() ? limit.again(found.caller!) : undefined
        const response = counted?.refused ?? found.response
        if (counted?.refused === undefined) found.again?.(asked, address?.())
        if (found.noted) note?.(found.noted, response, id, counted?.refused === undefined)
        return written(response, { ...found.headers, ...counted?.headers, "x-request-id": id })
      })
  }
})

export const make: Effect.Effect<HttpApp, never, LecternServices | Scope.Scope> = HostAuthentication.askedOnce(app)

/** As much of a request as whoever looks at it needs to know. */
const requestOf = ({ method, url, headers }: Asked, source: object, address?: string) =>
  ({
    method,
    url,
    headers,
    source,
    remoteAddress: Option.fromNullishOr(address)
  }) as HttpServerRequest.HttpServerRequest

/** Headers that an answer depends on, as `Vary` has them. */
const varying = (...names: ReadonlyArray<string | undefined>): string => names.filter(Boolean).join(", ")

/** The services that an answer has of its request: its id is for the audit log, where it may write. */
const around = <R>(
  request: HttpServerRequest.HttpServerRequest,
  id: string,
  context: Context.Context<R>
): Context.Context<R | HttpServerRequest.HttpServerRequest> => {
  const { method } = request
  const told = method === "GET" || method === "HEAD" ? context : Context.add(context, AuditOrigin, { request: id })
  return Context.add(told, HttpServerRequest.HttpServerRequest, request)
}

/** The answer to a request that names no path, as `OPTIONS *` does: there is nothing to route. */
const withoutPath = ({ url }: HttpServerRequest.HttpServerRequest) =>
  RequestBody.pathOf(url) === "" ? errorResponse(400, "The request asks for no path of this server") : undefined

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
