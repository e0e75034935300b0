/**
 * Published sites as an HTTP application that runs next to another application: `has` returns whether a host belongs to
 * a site.
 *
 * A site with a proxy also responds below its basename, to the proxy. Its links then lead to the proxy: as paths if the
 * reader's host is known to be the proxy's, otherwise as absolute URLs.
 */
import { SiteInsights } from "@lectern/core/insights/SiteInsights"
import { IntegrationsUrl } from "@lectern/core/integration/IntegrationEndpoints"
import { makeSiteUrls } from "@lectern/core/publishing/urls/SiteUrls"
import { RuleObserver, type VisibilityReason } from "@lectern/core/publishing/VisibilityRule"
import { isWithinLength, type PublishedUrlQuery } from "@lectern/core/publishing/PublishedUrl"
import { acceptedLanguage } from "@lectern/core/schema/InterfaceLanguage"
import { SiteAddresses } from "@lectern/core/site/SiteAddresses"
import { Hasher } from "@lectern/core/storage/Hasher"
import type { StorageError } from "@lectern/core/storage/Storage"
import { MemoryBudget } from "@lectern/core/thread/MemoryBudget"
import { previewPathIn } from "@lectern/core/visitor/Preview"
import { Effect, Option } from "effect"
import { Cookies, HttpBody, HttpServerRequest, HttpServerResponse } from "effect/http"
import * as AlternateUrls from "../machine-readable/AlternateUrls.ts"
import * as MachineReadable from "../machine-readable/MachineReadable.ts"
import * as Head from "../page/Head.ts"
import * as Layout from "../page/Layout.ts"
import * as SiteScripts from "../page/SiteScripts.ts"
import { signOffPath } from "../page/Footer.ts"
import * as LocalizedMessages from "../page/LocalizedMessages.ts"
import { SnippetRenderer } from "../rendering/SnippetRenderer.ts"
import { type ResolvedUrl, type ResolvedPage, SitePages } from "../reading/SitePages.ts"
import * as ReaderEvents from "../reading/ReaderEvents.ts"
import * as MountedFiles from "./MountedFiles.ts"
import * as PageRenderer from "./PageRenderer.ts"
import * as EntityTag from "./EntityTag.ts"
import * as RenderedPages from "./RenderedPages.ts"
import * as ReservedPaths from "./ReservedPaths.ts"
import * as SecurityHeaders from "./SecurityHeaders.ts"
import * as SiteCookies from "./SiteCookies.ts"
import * as SiteFiles from "./SiteFiles.ts"
import { canonicalPath, linkUrl, asNoPage, withoutToken } from "./SitePaths.ts"
import * as SocialImages from "./SocialImages.ts"

/** Request for a site. */
export interface SiteRequest {
  /** URL that the reader requested. */
  readonly url: URL
  /** URL that a proxy requested for the reader, if different. */
  readonly direct?: URL | undefined
}

export interface SiteApp {
  /** Response if no site exists for the URL or for the reader. */
  readonly notFound: HttpServerResponse.HttpServerResponse
  /** Returns an error page for browsers in place of an error response. Responses to programs are returned unchanged. */
  readonly renderError: (
    request: Pick<HttpServerRequest.HttpServerRequest, "headers">,
    response: HttpServerResponse.HttpServerResponse
  ) => HttpServerResponse.HttpServerResponse
  /** Returns true if a site has the host of this URL. */
  readonly has: (url: URL) => Effect.Effect<boolean, StorageError>
  readonly respond: (
    siteRequest: SiteRequest,
    request: HttpServerRequest.HttpServerRequest
  ) => Effect.Effect<HttpServerResponse.HttpServerResponse, StorageError>
  /**
   * Returns a function that counts repeated deliveries of a cached response of `respond`. Undefined if the response is
   * not counted.
   */
  readonly viewCounter: (response: HttpServerResponse.HttpServerResponse) => CountView | undefined
  /** Returns the reason for which the reader did not get the page, after `respond`. Undefined if they did. */
  readonly reasonOf: (request: HttpServerRequest.HttpServerRequest) => VisibilityReason | undefined
}

/** Counts a page view. Called for each request that the response is sent to, with the address of the client. */
export type CountView = (
  request: { readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>> },
  address: string | undefined
) => void

export interface SiteAppOptions extends SiteFiles.SiteFilesOptions {
  /** Size of the cache of rendered pages (bytes). Default: 64 MiB. */
  readonly cacheBytes?: number
  /**
   * True if a page responds with and without a trailing slash. If false, requests are redirected to the canonical path:
   * with a slash for front pages, without a slash for all other pages. Frameworks redirect to one form by themselves,
   * which would cause redirect loops. Default: true for `siteHandler`, false otherwise.
   */
  readonly ignoresTrailingSlash?: boolean
  /**
   * True if a page waits without a time limit until all of its code, formulas and icons are rendered. Default: false (see
   * `RenderedPages`).
   */
  readonly awaitsSnippets?: boolean
  /** Path with a trailing slash below which error pages load their files. Default: `/`. */
  readonly basePath?: string
}

/** Finds a URL of a site for the same reader. */
type FindUrl = (
  url: URL,
  extraQuery?: Pick<PublishedUrlQuery, "redirectOnError">
) => Effect.Effect<ResolvedUrl, StorageError>

const defaultCacheBytes = 64 * 1024 * 1024

const htmlType = "text/html; charset=utf-8"

export const make = Effect.fnUntraced(function* ({
  cacheBytes = defaultCacheBytes,
  ignoresTrailingSlash = false,
  awaitsSnippets = false,
  basePath = "/",
  ...fileOptions
}: SiteAppOptions = {}) {
  const pages = yield* SitePages
  const budget = yield* MemoryBudget
  const urls = yield* makeSiteUrls
  const addresses = yield* SiteAddresses
  const hasher = yield* Hasher
  const machineReadable = yield* MachineReadable.make
  const reservedPaths = yield* ReservedPaths.make
  const insights = yield* SiteInsights
  const viewCounters = new WeakMap<HttpServerResponse.HttpServerResponse, CountView>()
  const reasons = new WeakMap<HttpServerRequest.HttpServerRequest, VisibilityReason>()
  const headersOf = SecurityHeaders.make(hasher)
  const integrations = new URL(yield* IntegrationsUrl).origin
  const socialImages = SocialImages.make(hasher, yield* SnippetRenderer)
  const files = SiteFiles.make(hasher, fileOptions)
  const mountedFiles = yield* MountedFiles.make
  const errorAssets = files.assetsFor(basePath)
  const renderPage = yield* PageRenderer.make({
    ...fileOptions.theme,
    hasher,
    files,
    socialImages,
    headersOf,
    integrations,
    cacheBytes,
    awaitsSnippets
  })
  const notFound = HttpServerResponse.text(Layout.renderNotFound(LocalizedMessages.messagesFor("en"), errorAssets), {
    status: 404,
    contentType: htmlType,
    headers: { ...headersOf(), "cache-control": "no-store", "x-robots-tag": "noindex" }
  })

  /**
   * Returns the URL that the reader requested, and the origin of links to the site. The origin is empty if it is the
   * reader's.
   */
  const locate = Effect.fnUntraced(function* ({ url, direct }: SiteRequest) {
    for (const candidate of direct === undefined ? [url] : [url, direct]) {
      const resolved = yield* urls.find(candidate)
      if (resolved === undefined) continue
      const { proxy } = resolved.cachedSite.site
      // Previews are not served through the proxy.
      if (resolved.addressKind !== "basename" || proxy === undefined || previewPathIn(resolved.segments))
        return { url: candidate, origin: "" }
      const slash = resolved.segments.length > 0 && candidate.pathname.endsWith("/") ? "/" : ""
      const path = resolved.segments.map(encodeURIComponent).join("/") + slash
      const proxyUrl = new URL(`https://${proxy}/${path}${url.search}`)
      return { url: proxyUrl, origin: proxyUrl.host === url.host ? "" : proxyUrl.origin }
    }
    return { url, origin: "" }
  })

  const respondPage = Effect.fnUntraced(function* (
    resolved: ResolvedPage,
    origin: string,
    request: HttpServerRequest.HttpServerRequest
  ) {
    const renderedPage = yield* renderPage(resolved, origin, SiteCookies.consentOf(request.cookies))
    return yield* RenderedPages.respond(renderedPage, request, {
      "cache-control": isPublic(resolved) ? "public, no-cache" : "private, no-cache",
      vary: "Accept, Cookie"
    })
  })

  const withPageHeaders = ({ response, context, text }: ReservedPaths.ReservedResponse, origin: string) =>
    context === undefined
      ? response
      : HttpServerResponse.setHeaders(
          response,
          headersOf(
            Head.inlineStyle(context, files.assetsFor(context.site.home)),
            origin,
            SecurityHeaders.sourcesIn([text ?? ""], context, integrations)
          )
        )

  /** Adds an `ETag` to a response for machines, or returns 304 if the client has the same content. */
  const withEntityTag = (
    response: HttpServerResponse.HttpServerResponse,
    resolved: ResolvedUrl,
    { headers }: HttpServerRequest.HttpServerRequest
  ) => {
    const { body } = response
    const isTagged = resolved.type === "page" || resolved.type === "no-page"
    // Immutable pictures need no entity tag, since their URLs contain the hash of their content.
    const isImmutable = response.headers["cache-control"]?.includes("immutable") === true
    if (!isTagged || isImmutable || response.status !== 200 || body._tag !== "Uint8Array") return response
    const etag = response.headers["etag"] ?? EntityTag.entityTagOf(hasher.sha256(body.body))
    const matchedTag = EntityTag.matchingTag(headers["if-none-match"], etag)
    const sharedHeaders = {
      "cache-control": isPublic(resolved) ? "public, no-cache" : "private, no-cache",
      vary: "Accept, Cookie",
      etag: matchedTag ?? etag
    }
    if (matchedTag === undefined) return HttpServerResponse.setHeaders(response, sharedHeaders)
    const { "content-type": _, "content-length": __, ...remainingHeaders } = response.headers
    return HttpServerResponse.empty({ status: 304, headers: { ...remainingHeaders, ...sharedHeaders } })
  }

  /**
   * Returns an error page for a reader who comes back from the sign-in provider with an invalid token. A redirect to
   * the provider would loop. Undefined for all other requests.
   */
  const respondSignOnFailed = Effect.fnUntraced(function* (
    resolved: ResolvedUrl,
    { url, find }: { readonly url: URL; readonly find: FindUrl },
    { headers }: HttpServerRequest.HttpServerRequest
  ) {
    if (resolved.type !== "redirect" || !resolved.leavesSite || !url.searchParams.has("jwt_token")) return undefined
    // The visitor was admitted, so the redirect is the site's own and does not lead to the sign-in provider.
    if ((yield* find(url, { redirectOnError: false })).type !== "nothing") return undefined
    const messages = LocalizedMessages.messagesFor(acceptedLanguage(headers["accept-language"]))
    return HttpServerResponse.text(Layout.renderSignOnFailed(messages, errorAssets, resolved.to), {
      status: 403,
      contentType: htmlType,
      headers: { ...headersOf(), "cache-control": "private, no-store", "x-robots-tag": "noindex" }
    })
  })

  const respondResolved = Effect.fnUntraced(function* (
    resolved: ResolvedUrl,
    { url, origin }: { readonly url: URL; readonly origin: string },
    request: HttpServerRequest.HttpServerRequest
  ) {
    switch (resolved.type) {
      case "nothing":
        return notFound
      case "redirect":
        return redirect(
          resolved.leavesSite ? resolved.to : linkUrl(resolved.to, url, origin),
          resolved.isPermanent ? 308 : 307,
          headersOf()
        )
      case "no-page": {
        const { siteBasePath } = resolved.published
        const suggestions = yield* machineReadable.suggestions(resolved.published)
        const reservedResponse = yield* reservedPaths.missing(resolved, suggestions, files.assetsFor(siteBasePath))
        return reservedResponse === undefined ? notFound : withPageHeaders(reservedResponse, origin)
      }
      case "page": {
        const canonicalPathname = canonicalPath(resolved, url, { ignoresTrailingSlash })
        return canonicalPathname === undefined
          ? yield* respondPage(resolved, origin, request)
          : redirect(origin + canonicalPathname + url.search, 308, headersOf())
      }
    }
  })

  const respondRequest = Effect.fnUntraced(function* (
    siteRequest: SiteRequest,
    request: HttpServerRequest.HttpServerRequest
  ) {
    const target = yield* locate(siteRequest)
    const visitor = SiteCookies.visitorOf(request.cookies)
    const find: FindUrl = ({ href }, extraQuery) =>
      pages.find({ url: href, ...(visitor !== undefined && { visitor }), ...extraQuery }, target.origin)
    let reason: VisibilityReason | undefined
    const resolved = yield* Effect.provideService(find(target.url), RuleObserver, {
      add: (result) => (reason ??= result.reason)
    })
    if (reason !== undefined) reasons.set(request, reason)
    if (resolved.type === "nothing") return notFound
    const isRead = request.method === "GET" || request.method === "HEAD"
    if (
      !isRead &&
      !siteRequest.url.pathname.endsWith(AlternateUrls.mcpPath) &&
      !ReservedPaths.acceptsPost(siteRequest.url)
    ) {
      return HttpServerResponse.text("Sites are read: GET and HEAD are all that they take\n", {
        status: 405,
        headers: { allow: "GET, HEAD" }
      })
    }
    const failure = yield* respondSignOnFailed(resolved, { url: target.url, find }, request)
    if (failure !== undefined) return failure
    const isSitePath = resolved.type === "page" || resolved.type === "no-page"
    const isSignOff = isSitePath && resolved.published.pathname === `/${signOffPath}`
    const cookies = !isSitePath
      ? undefined
      : isSignOff
        ? SiteCookies.cookiesToClear(target.url, resolved.published)
        : SiteCookies.cookiesToSet(target.url, resolved.published, request.cookies)
    const accept = request.headers["accept"]
    const noPage = asNoPage(resolved, target.url)
    const reservedResponse = isSitePath
      ? yield* reservedPaths.respond(
          noPage ?? resolved,
          target.url,
          request,
          files.assetsFor(resolved.published.siteBasePath),
          find
        )
      : undefined
    if (reservedResponse === undefined && !isRead && ReservedPaths.acceptsPost(siteRequest.url)) return notFound
    const isPreview = isSitePath && resolved.published.preview === true
    const respondMachineOrPage = Effect.suspend(() =>
      machineReadable
        .respond(noPage ?? resolved, {
          url: target.url,
          accept,
          find,
          socialImageOf: socialImages.respond,
          isPage: noPage !== undefined
        })
        .pipe(
          Effect.provideService(HttpServerRequest.HttpServerRequest, request),
          Effect.flatMap((response) =>
            response === undefined
              ? respondResolved(resolved, target, request)
              : Effect.succeed(isRead ? withEntityTag(response, resolved, request) : response)
          )
        )
    )
    const baseResponse =
      isSitePath && (target.url.searchParams.has("jwt_token") || (isPreview && target.url.searchParams.has("token")))
        ? redirect(target.origin + withoutToken(target.url, isPreview), 307, headersOf())
        : isSignOff
          ? redirect(
              resolved.site.site.urls.logout ?? target.origin + resolved.published.siteBasePath,
              303,
              headersOf()
            )
          : reservedResponse !== undefined
            ? withPageHeaders(reservedResponse, target.origin)
            : yield* respondMachineOrPage
    const mergedResponse = cookies === undefined ? baseResponse : HttpServerResponse.mergeCookies(baseResponse, cookies)
    const responseWithCookies =
      ignoresTrailingSlash && !Cookies.isEmpty(mergedResponse.cookies)
        ? HttpServerResponse.updateCookies(mergedResponse, SiteCookies.withoutTrailingSlash)
        : mergedResponse
    const finalResponse =
      cookies === undefined && !isPreview
        ? responseWithCookies
        : HttpServerResponse.setHeaders(responseWithCookies, {
            "cache-control": "private, no-store",
            ...(isPreview && { "x-robots-tag": "noindex" })
          })
    const type = isRead ? ReaderEvents.readTypeOf(noPage ?? resolved, target.url, finalResponse) : undefined
    if (isSitePath && type !== undefined && request.method === "GET") {
      const needsConsent = SiteScripts.scriptsFor(resolved.site.scripts, undefined).needsConsent
      const lacksConsent = needsConsent && SiteCookies.consentOf(request.cookies) !== "yes"
      const recordView = ReaderEvents.viewRecorder(insights, {
        type,
        published: resolved.published,
        url: target.url.href,
        lacksConsent
      })
      if (recordView !== undefined) {
        const countView = countViewOf(recordView)
        countView(request, Option.getOrUndefined(request.remoteAddress))
        viewCounters.set(finalResponse, countView)
      }
    }
    return finalResponse
  })

  const respond = Effect.fn("SiteApp.respond")(function* (
    siteRequest: SiteRequest,
    request: HttpServerRequest.HttpServerRequest
  ) {
    const file =
      files.responseFor(siteRequest.url, request) ??
      (siteRequest.direct && files.responseFor(siteRequest.direct, request))
    if (file !== undefined) return yield* file
    if (!isWithinLength(siteRequest.url.href)) return notFound
    const mountedFile = yield* mountedFiles(siteRequest.url, request)
    return mountedFile ?? (yield* budget.runResponse(respondRequest(siteRequest, request)))
  })

  const renderError: SiteApp["renderError"] = ({ headers }, response) => {
    if (!acceptsHtml(headers["accept"])) return response
    const messages = LocalizedMessages.messagesFor(acceptedLanguage(headers["accept-language"]))
    const text = Layout.renderError(messages, errorAssets, response.headers["x-request-id"])
    return HttpServerResponse.setBody(
      HttpServerResponse.setHeaders(response, {
        ...headersOf(),
        "cache-control": "no-store",
        "x-robots-tag": "noindex"
      }),
      HttpBody.text(text, htmlType)
    )
  }

  return {
    notFound,
    renderError,
    viewCounter: (response) => viewCounters.get(response),
    reasonOf: (request) => reasons.get(request),
    has: ({ hostname }) => Effect.map(addresses.atHost(hostname), (resolved) => resolved.length > 0),
    respond
  } satisfies SiteApp
})

/**
 * Created outside the request handler: a cached function retains its enclosing scope, which would include the page that
 * was read.
 */
const countViewOf =
  (recordView: NonNullable<ReturnType<typeof ReaderEvents.viewRecorder>>): CountView =>
  ({ headers }, address) =>
    recordView(headers, address)

/** True if all readers get the same page. */
const isPublic = ({ published, site: { site } }: Pick<ResolvedPage, "published" | "site">): boolean =>
  published.contextId === undefined &&
  published.session === undefined &&
  published.shareKey === undefined &&
  (site.visibility === "public" || site.visibility === "unlisted")

const redirect = (location: string, status: 303 | 307 | 308, headers: Readonly<Record<string, string>>) =>
  HttpServerResponse.empty({
    status,
    // Browsers follow a cached redirect without a request when a reader goes back, even if the redirect has changed.
    // Visitors who sign in would then be redirected in a loop.
    headers: { ...headers, location, "cache-control": "private, no-store" }
  })

/** Returns true if the `Accept` header names HTML, as browsers do, or accepts any type and does not name JSON. */
const acceptsHtml = (accept = "*/*"): boolean =>
  /\btext\/html\b/.test(accept) || (accept.includes("*/*") && !/\bjson\b/.test(accept))
