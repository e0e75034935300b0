/**
 * Lectern as one HTTP application: the interface under `/v1`, signing on under `/saml`,
 * `/openapi.json`, `/docs`, `/healthz` and `/readyz`. Serve it with any server of `effect/http`, or take `fetch` for everything that
 * speaks `Request` and `Response`.
 *
 * Every answer carries `X-Request-Id`; every failure the one error body. What goes wrong inside is
 * logged under that id, and the caller is told nothing but the id.
 */
import { CurrentActor } from "@lectern/core/access/Actor"
import type { LecternServices } from "@lectern/core/EmbeddedLectern"
import { AuditOrigin } from "@lectern/core/audit/AuditTrail"
import { StorageError } from "@lectern/core/storage/Storage"
import { Threads, TooCostly } from "@lectern/core/thread/Threads"
import { Cause, Clock, Effect, Layer, LogLevel, References, type Scope } from "effect"
import { HttpRouter, HttpServer, HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Ids } from "@lectern/core/identity/Ids"
import { LecternApi } from "../api/LecternApi.ts"
import { errorResponse, failureResponse } from "./Answers.ts"
import { AuditEventsHttp } from "./AuditEventsHttp.ts"
import { AuthenticationHttp, OptionalAuthenticationHttp, sender } from "./AuthenticationHttp.ts"
import { ChangeRequestsHttp } from "./ChangeRequestsHttp.ts"
import { ChangeRequestCommentsHttp, SpaceCommentsHttp } from "./CommentsHttp.ts"
import { ChangeRequestContentHttp, DownloadsHttp, RevisionsHttp, SpaceContentHttp } from "./ContentHttp.ts"
import * as Compression from "./Compression.ts"
import * as Cors from "./Cors.ts"
import { CollectionsHttp } from "./CollectionsHttp.ts"
import { FailuresHttp } from "./FailuresHttp.ts"
import { ContentImportsHttp } from "./ContentImportsHttp.ts"
import { GitHttp } from "./GitHttp.ts"
import { CollectionGrantsHttp, SiteGrantsHttp, SpaceGrantsHttp } from "./GrantsHttp.ts"
import {
  InstallationsHttp,
  IntegrationAssetsHttp,
  IntegrationsHttp,
  PlacedIntegrationsHttp,
  SitePlacementsHttp,
  SpacePlacementsHttp
} from "./IntegrationsHttp.ts"
import { ChangeRequestLinksHttp, ContentUrlsHttp, EmbedsHttp, SpaceLinksHttp } from "./LinksHttp.ts"
import { ImportRunsHttp } from "./ImportRunsHttp.ts"
import { InvitationsHttp, InviteLinksHttp } from "./InvitationsHttp.ts"
import { MembersHttp } from "./MembersHttp.ts"
import { OpenApiSpecsHttp, PublishedSpecsHttp } from "./OpenApiSpecsHttp.ts"
import { OrganizationsHttp, SubdomainsHttp } from "./OrganizationsHttp.ts"
import {
  AdaptiveSchemaHttp,
  CustomHostnamesHttp,
  CustomizationHttp,
  PublishedHttp,
  PublishingAuthHttp,
  RedirectsHttp,
  ShareLinksHttp
} from "./PublishingHttp.ts"
import { PdfDownloadsHttp, PdfsHttp } from "./PdfsHttp.ts"
import * as Observation from "./Observation.ts"
import * as RateLimit from "./RateLimit.ts"
import * as RequestBody from "./RequestBody.ts"
import * as ResponseCache from "./ResponseCache.ts"
import { ReviewsHttp } from "./ReviewsHttp.ts"
import { allowedMethods } from "./Routes.ts"
import { SamlProvidersHttp } from "./SamlProvidersHttp.ts"
import { SearchHttp } from "./SearchHttp.ts"
import { SignOnHttp } from "./SignOnHttp.ts"
import { SiteInsightsHttp, SiteInsightsSumsHttp } from "./SiteInsightsHttp.ts"
import { SiteSectionGroupsHttp, SiteSectionsHttp, SitesHttp, SiteSpacesHttp } from "./SitesHttp.ts"
import { SpacesHttp } from "./SpacesHttp.ts"
import { SystemHttp } from "./SystemHttp.ts"
import { TeamsHttp } from "./TeamsHttp.ts"
import { TemplatesHttp } from "./TemplatesHttp.ts"
import { GlossariesHttp, TranslationsHttp } from "./TranslationsHttp.ts"
import { unwell } from "./Unwell.ts"
import { UsersHttp } from "./UsersHttp.ts"
import { UserTokensHttp } from "./UserTokensHttp.ts"

const Handlers = Layer.mergeAll(
  UsersHttp,
  UserTokensHttp,
  OrganizationsHttp,
  SubdomainsHttp,
  ImportRunsHttp,
  InvitationsHttp,
  InviteLinksHttp,
  AuditEventsHttp,
  MembersHttp,
  TeamsHttp,
  CollectionsHttp,
  CollectionGrantsHttp,
  SpacesHttp,
  SpaceGrantsHttp,
  ContentImportsHttp,
  GitHttp,
  SpaceContentHttp,
  SpaceLinksHttp,
  TemplatesHttp,
  SpaceCommentsHttp,
  SearchHttp,
  ChangeRequestsHttp,
  ChangeRequestContentHttp,
  ChangeRequestLinksHttp,
  ContentUrlsHttp,
  EmbedsHttp,
  ChangeRequestCommentsHttp,
  ReviewsHttp,
  RevisionsHttp,
  DownloadsHttp,
  PdfsHttp,
  PdfDownloadsHttp,
  SitesHttp,
  SiteGrantsHttp,
  SiteSectionsHttp,
  SiteSectionGroupsHttp,
  SiteSpacesHttp,
  ShareLinksHttp,
  PublishingAuthHttp,
  AdaptiveSchemaHttp,
  CustomizationHttp,
  RedirectsHttp,
  PublishedHttp,
  SiteInsightsHttp,
  SiteInsightsSumsHttp,
  CustomHostnamesHttp,
  OpenApiSpecsHttp,
  TranslationsHttp,
  GlossariesHttp,
  PublishedSpecsHttp,
  SamlProvidersHttp,
  IntegrationsHttp,
  InstallationsHttp,
  SpacePlacementsHttp,
  SitePlacementsHttp,
  PlacedIntegrationsHttp,
  IntegrationAssetsHttp
).pipe(Layer.provide([AuthenticationHttp, OptionalAuthenticationHttp, FailuresHttp]))

const Routes = Layer.mergeAll(
  HttpApiBuilder.layer(LecternApi).pipe(Layer.provide(Handlers)),
  SignOnHttp,
  SystemHttp
).pipe(Layer.provide(HttpServer.layerServices))

/**
 * A path is what it says, so that what is told of it (`Routes`, `RequestBody`) holds for all of its
 * spellings. The longest names that stand in one are hostnames.
 */
const exactPaths = {
  caseSensitive: true,
  ignoreTrailingSlash: false,
  ignoreDuplicateSlashes: false,
  maxParamLength: 512
}

export interface HttpApp {
  /** Answers the request in its context. */
  readonly answer: Effect.Effect<
    HttpServerResponse.HttpServerResponse,
    never,
    HttpServerRequest.HttpServerRequest | Scope.Scope
  >
  /**
   * The answer to a request that is kept and holds (see `ResponseCache`), undefined where `answer` is to be asked.
   * `source`: what the platform calls the request. Undefined where nothing is kept.
   */
  readonly kept: ((asked: ResponseCache.Asked, source?: object) => ResponseCache.Written | undefined) | undefined
}

export const make: Effect.Effect<HttpApp, never, LecternServices | Scope.Scope> = Effect.gen(function* () {
  const ids = yield* Ids
  const router = yield* Effect.provideService(HttpRouter.toHttpEffect(Routes), HttpRouter.RouterConfig, exactPaths)

  const senderOf = yield* sender
  const threads = yield* Threads
  // Ids of requests only have to differ: what can't be guessed costs more to make.
  const process = yield* ids.next
  let requests = 0
  const nextId = () => `${process}-${(requests++).toString(36)}`

  const watch = yield* Observation.watch
  const limit = yield* RateLimit.make
  const cache = yield* ResponseCache.make
  const cors = Cors.make(yield* Cors.CorsOrigins)
  const compression = Compression.make(yield* Compression.Compressors)
  const vary = ["Origin", compression.vary].filter(Boolean).join(", ")

  /** The request with its body read, for whom it may be read. */
  const bodyOf = (request: HttpServerRequest.HttpServerRequest) =>
    RequestBody.isLarge(request)
      ? Effect.flatMap(senderOf(request), (sent) =>
          HttpServerResponse.isHttpServerResponse(sent)
            ? Effect.succeed(sent)
            : Effect.provideService(RequestBody.read(request, threads), CurrentActor, sent)
        )
      : RequestBody.read(request, threads)

  const routed = (request: HttpServerRequest.HttpServerRequest, id: string) =>
    Effect.flatMap(bodyOf(request), (accepted) =>
      HttpServerResponse.isHttpServerResponse(accepted)
        ? Effect.succeed(accepted)
        : accepted === request
          ? router
          : Effect.provideService(router, HttpServerRequest.HttpServerRequest, accepted)
    ).pipe(Effect.catchCause((cause) => recover(request, id, cause)))

  const answer = Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const id = nextId()
    const watched = watch?.()
    const reading = cache?.reading(request.source)
    const preflight = cors.preflight(request)
    const counted = preflight === undefined ? yield* limit.request(request) : undefined
    const refused = preflight ?? counted?.refused ?? withoutPath(request)
    const response =
      refused ??
      (yield* reading === undefined
        ? told(routed(request, id), request, id)
        : Effect.provideService(routed(request, id), Clock.Clock, reading.clock))
    if (LogLevel.isLessThanOrEqualTo(yield* References.MinimumLogLevel, "Debug")) {
      yield* logRequest(request, response, id)
    }
    const compressed = compression.of(request, response)
    const sent = compressed instanceof Promise ? yield* Effect.promise(() => compressed) : compressed
    const noted = watched && Observation.noted(request)
    if (noted) watched(noted, sent, id)
    const headers = { ...cors.headers(request), vary }
    if (reading !== undefined) cache?.keep(reading, request, sent, { headers, noted, caller: counted?.name })
    return HttpServerResponse.setHeaders(sent, { ...headers, ...counted?.headers, "x-request-id": id })
  })

  return {
    answer,
    kept:
      cache &&
      ((asked, source = asked) => {
        const found = cache.find(asked, source)
        // Where nobody counted yet, it is not known by which name to count.
        if (found === undefined || (limit.isOn() && found.caller === undefined)) return undefined
        const watched = watch?.()
        const id = nextId()
        const counted = limit.isOn() ? limit.again(found.caller!) : undefined
        const response = counted?.refused ?? found.response
        if (found.noted) watched?.(found.noted, response, id)
        return ResponseCache.written(response, { ...found.headers, ...counted?.headers, "x-request-id": id })
      })
  }
})

/** The answer with the id of the request for the audit log, where it may write. */
const told = <A, E, R>(answer: Effect.Effect<A, E, R>, { method }: HttpServerRequest.HttpServerRequest, id: string) =>
  method === "GET" || method === "HEAD" ? answer : Effect.provideService(answer, AuditOrigin, { request: id })

/** The answer to a request that names no path, as `OPTIONS *` does: there is nothing to route. */
const withoutPath = ({ url }: HttpServerRequest.HttpServerRequest) =>
  RequestBody.pathOf(url) === "" ? errorResponse(400, "The request asks for no path of this server") : undefined

/** No id has a `_`, behind which an invite link has its secret. */
const pathToLog = ({ url }: HttpServerRequest.HttpServerRequest) =>
  RequestBody.pathOf(url).replace(/_[\w-]{22,}/g, "_…")

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

const recover = (request: HttpServerRequest.HttpServerRequest, requestId: string, cause: Cause.Cause<unknown>) => {
  if (Cause.hasInterruptsOnly(cause)) return Effect.interrupt
  const error = Cause.squash(cause)
  if (HttpServerError.isHttpServerError(error) && error.reason._tag === "RouteNotFound") {
    return Effect.succeed(notRouted(request))
  }
  if (error instanceof TooCostly) return Effect.succeed(failureResponse(error))
  if (error instanceof StorageError && error.reason === "busy") {
    return Effect.succeed(errorResponse(503, error.message, { headers: { "retry-after": patience } }))
  }
  const unavailable = error instanceof StorageError ? unwell(error) : undefined
  return Effect.logError("A request failed", cause).pipe(
    Effect.annotateLogs({ method: request.method, path: pathToLog(request), request: requestId }),
    Effect.as(
      unavailable !== undefined
        ? errorResponse(503, unavailable, { requestId })
        : errorResponse(500, "Something went wrong on our side", { requestId })
    )
  )
}

/** How soon it may be otherwise, in seconds. */
const patience = "5"

const notRouted = (request: HttpServerRequest.HttpServerRequest) => {
  const path = RequestBody.pathOf(request.url)
  const methods = allowedMethods(path)
  // A method that the path takes was turned away for a parameter that nothing can have: too long, or ill-formed.
  return methods.length === 0 || methods.includes(request.method)
    ? errorResponse(404, `There is nothing at ${path.slice(0, 200)}`)
    : errorResponse(405, `${path.slice(0, 200)} does not take ${request.method}`, {
        headers: { allow: methods.join(", ") }
      })
}
