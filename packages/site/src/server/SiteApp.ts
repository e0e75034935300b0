/**
 * Published sites as an HTTP application that runs next to another application: `has` returns whether a host belongs to
 * a site.
 *
 * A site with a proxy also responds below its basename, to the proxy. Its links then lead to the proxy: as paths if the
 * reader's host is known to be the proxy's, otherwise as absolute URLs.
 */
import { SiteInsights } from "@lectern/core/insights/SiteInsights"
import { IntegrationsUrl } from "@lectern/core/integration/IntegrationEndpoints"
import { SiteUrls } from "@lectern/core/publishing/urls/SiteUrls"
import { isShortEnough, type PublishedUrlQuery } from "@lectern/core/publishing/PublishedUrl"
import { SiteAddresses } from "@lectern/core/site/SiteAddresses"
import { Hasher } from "@lectern/core/storage/Hasher"
import type { StorageError } from "@lectern/core/storage/Storage"
import { MemoryBudget } from "@lectern/core/thread/MemoryBudget"
import { previewPathIn } from "@lectern/core/visitor/Preview"
import { Clock, Effect, Option } from "effect"
import { HttpBody, HttpServerRequest, HttpServerResponse } from "effect/http"
import * as AlternateUrls from "../machine-readable/AlternateUrls.ts"
import * as MachineReadable from "../machine-readable/MachineReadable.ts"
import * as Head from "../page/Head.ts"
import * as Layout from "../page/Layout.ts"
import * as SiteScripts from "../page/SiteScripts.ts"
import { signOffPath } from "../page/Footer.ts"
import * as LocalizedMessages from "../page/LocalizedMessages.ts"
import { SnippetRenderer } from "../rendering/SnippetRenderer.ts"
import { type Found, type FoundPage, SitePages } from "../reading/SitePages.ts"
import * as ReaderEvents from "../reading/ReaderEvents.ts"
import * as PageRenderer from "./PageRenderer.ts"
import * as EntityTag from "./EntityTag.ts"
import * as ReservedPaths from "./ReservedPaths.ts"
import * as SecurityHeaders from "./SecurityHeaders.ts"
import * as SiteCookies from "./SiteCookies.ts"
import * as SiteFiles from "./SiteFiles.ts"
import { exactPath, within, withoutPage, withoutToken } from "./SitePaths.ts"
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
  readonly nothing: HttpServerResponse.HttpServerResponse
  /** Returns an error page for browsers in place of an error response. Responses to programs are returned unchanged. */
  readonly failed: (
    request: Pick<HttpServerRequest.HttpServerRequest, "headers">,
    response: HttpServerResponse.HttpServerResponse
  ) => HttpServerResponse.HttpServerResponse
  /** Returns true if a site has the host of this URL. */
  readonly has: (url: URL) => Effect.Effect<boolean, StorageError>
  readonly answer: (
    asked: SiteRequest,
    request: HttpServerRequest.HttpServerRequest
  ) => Effect.Effect<HttpServerResponse.HttpServerResponse, StorageError>
  /**
   * Returns a function that counts repeated deliveries of a cached response of `answer`. Undefined if the response is
   * not counted.
   */
  readonly again: (response: HttpServerResponse.HttpServerResponse) => Again | undefined
}

/** Called with each request that gets the same response, and with the address that the request comes from. */
export type Again = (
  asked: { readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>> },
  address: string | undefined
) => void

export interface SiteAppOptions extends SiteFiles.SiteFilesOptions {
  /** Size of the cache of rendered pages (bytes). Default: 64 MiB. */
  readonly keptBytes?: number
  /**
   * True if a page responds with and without a trailing slash. If false, requests are redirected to the canonical path:
   * with a slash for front pages, without a slash for all other pages. Frameworks redirect to one form by themselves,
   * which would cause redirect loops. Default: true for `siteHandler`, false otherwise.
   */
  readonly endsAnyHow?: boolean
}

/** Finds a URL of a site for the same reader. */
type FindUrl = (url: URL, more?: Pick<PublishedUrlQuery, "redirectOnError">) => Effect.Effect<Found, StorageError>

const defaultKept = 64 * 1024 * 1024

const html = "text/html; charset=utf-8"

export const make = Effect.fnUntraced(function* ({
  keptBytes = defaultKept,
  endsAnyHow = false,
  ...look
}: SiteAppOptions = {}) {
  const pages = yield* SitePages
  const budget = yield* MemoryBudget
  const urls = yield* SiteUrls
  const addresses = yield* SiteAddresses
  const hasher = yield* Hasher
  const machine = yield* MachineReadable.make
  const ownPaths = yield* ReservedPaths.make
  const insights = yield* SiteInsights
  const noted = new WeakMap<HttpServerResponse.HttpServerResponse, Again>()
  const headersOf = SecurityHeaders.make(hasher)
  const integrations = new URL(yield* IntegrationsUrl).origin
  const pictures = SocialImages.make(hasher, yield* SnippetRenderer)
  const files = SiteFiles.make(hasher, look)
  const drawn = yield* PageRenderer.make({
    ...look.theme,
    hasher,
    files,
    pictures,
    headersOf,
    integrations,
    kept: keptBytes
  })
  const nothing = HttpServerResponse.text(Layout.renderNotFound(LocalizedMessages.messagesFor("en"), files.of("/")), {
    status: 404,
    contentType: html,
    headers: { ...headersOf(), "cache-control": "no-store", "x-robots-tag": "noindex" }
  })

  /**
   * Returns the URL that the reader requested, and the origin of links to the site. The origin is empty if it is the
   * reader's.
   */
  const place = Effect.fnUntraced(function* ({ url, direct }: SiteRequest) {
    for (const candidate of direct === undefined ? [url] : [url, direct]) {
      const found = yield* urls.find(candidate)
      if (found === undefined) continue
      const { proxy } = found.cachedSite.site
      // Previews are not served through the proxy.
      if (found.addressKind !== "basename" || proxy === undefined || previewPathIn(found.segments))
        return { url: candidate, origin: "" }
      const slash = found.segments.length > 0 && candidate.pathname.endsWith("/") ? "/" : ""
      const path = found.segments.map(encodeURIComponent).join("/") + slash
      const behind = new URL(`https://${proxy}/${path}${url.search}`)
      return { url: behind, origin: behind.host === url.host ? "" : behind.origin }
    }
    return { url, origin: "" }
  })

  const answerPage = Effect.fnUntraced(function* (
    found: FoundPage,
    origin: string,
    { headers, cookies }: HttpServerRequest.HttpServerRequest
  ) {
    const drawing = yield* drawn(found, origin, SiteCookies.consentOf(cookies))
    // Reading the clock marks the response as time-dependent, since missing parts may be ready later.
    if (!drawing.isWhole) yield* Clock.currentTimeMillis
    const held = EntityTag.matching(headers["if-none-match"], drawing.etag)
    const shared = {
      ...drawing.headers,
      "cache-control": isForAll(found) ? "public, no-cache" : "private, no-cache",
      vary: "Accept, Cookie"
    }
    return held === undefined
      ? HttpServerResponse.setBody(
          HttpServerResponse.empty({ status: 200, headers: { ...shared, etag: drawing.etag } }),
          drawing.body
        )
      : HttpServerResponse.empty({ status: 304, headers: { ...shared, etag: held } })
  })

  const ofOwn = ({ answer, around, text }: ReservedPaths.Own, origin: string) =>
    around === undefined
      ? answer
      : HttpServerResponse.setHeaders(
          answer,
          headersOf(
            Head.inlineStyle(around, files.of(around.site.home)),
            origin,
            SecurityHeaders.allowedIn([text ?? ""], around, integrations)
          )
        )

  /** Adds an `ETag` to a response for machines, or returns 304 if the client has the same content. */
  const tagged = (
    answer: HttpServerResponse.HttpServerResponse,
    found: Found,
    { headers }: HttpServerRequest.HttpServerRequest
  ) => {
    const { body } = answer
    const isTagged = found.type === "page" || found.type === "no-page"
    // Immutable pictures need no entity tag, since their URLs contain the hash of their content.
    const isForGood = answer.headers["cache-control"]?.includes("immutable") === true
    if (!isTagged || isForGood || answer.status !== 200 || body._tag !== "Uint8Array") return answer
    const etag = answer.headers["etag"] ?? EntityTag.of(hasher.sha256(body.body))
    const held = EntityTag.matching(headers["if-none-match"], etag)
    const shared = {
      "cache-control": isForAll(found) ? "public, no-cache" : "private, no-cache",
      vary: "Accept, Cookie",
      etag: held ?? etag
    }
    if (held === undefined) return HttpServerResponse.setHeaders(answer, shared)
    const { "content-type": _, "content-length": __, ...kept } = answer.headers
    return HttpServerResponse.empty({ status: 304, headers: { ...kept, ...shared } })
  }

  /**
   * Returns an error page for a reader who comes back from the sign-in provider with an invalid token. A redirect to
   * the provider would loop. Undefined for all other requests.
   */
  const signOnFailed = Effect.fnUntraced(function* (
    found: Found,
    { url, find }: { readonly url: URL; readonly find: FindUrl },
    { headers }: HttpServerRequest.HttpServerRequest
  ) {
    if (found.type !== "redirect" || !found.leavesSite || !url.searchParams.has("jwt_token")) return undefined
    // The visitor was admitted, so the redirect is the site's own and does not lead to the sign-in provider.
    if ((yield* find(url, { redirectOnError: false })).type !== "nothing") return undefined
    const messages = LocalizedMessages.messagesFor(LocalizedMessages.acceptedLanguage(headers["accept-language"]))
    return HttpServerResponse.text(Layout.renderSignOnFailed(messages, files.of("/"), found.to), {
      status: 403,
      contentType: html,
      headers: { ...headersOf(), "cache-control": "private, no-store", "x-robots-tag": "noindex" }
    })
  })

  const answerFound = Effect.fnUntraced(function* (
    found: Found,
    { url, origin }: { readonly url: URL; readonly origin: string },
    request: HttpServerRequest.HttpServerRequest
  ) {
    switch (found.type) {
      case "nothing":
        return nothing
      case "redirect":
        return leadTo(
          found.leavesSite ? found.to : within(found.to, url, origin),
          found.isPermanent ? 308 : 307,
          headersOf()
        )
      case "no-page": {
        const { siteBasePath } = found.published
        const suggestions = yield* machine.suggestions(found.published)
        const own = yield* ownPaths.missing(found, suggestions, files.of(siteBasePath))
        return own === undefined ? nothing : ofOwn(own, origin)
      }
      case "page": {
        const exact = exactPath(found, url, { endsAnyHow })
        return exact === undefined
          ? yield* answerPage(found, origin, request)
          : leadTo(origin + exact + url.search, 308, headersOf())
      }
    }
  })

  const answerOf = Effect.fnUntraced(function* (asked: SiteRequest, request: HttpServerRequest.HttpServerRequest) {
    const at = yield* place(asked)
    const visitor = SiteCookies.visitorOf(request.cookies)
    const find: FindUrl = ({ href }, more) =>
      pages.find({ url: href, ...(visitor !== undefined && { visitor }), ...more }, at.origin)
    const found = yield* find(at.url)
    if (found.type === "nothing") return nothing
    const isRead = request.method === "GET" || request.method === "HEAD"
    if (!isRead && !asked.url.pathname.endsWith(AlternateUrls.mcp) && !ReservedPaths.takes(asked.url)) {
      return HttpServerResponse.text("Sites are read: GET and HEAD are all that they take\n", {
        status: 405,
        headers: { allow: "GET, HEAD" }
      })
    }
    const failure = yield* signOnFailed(found, { url: at.url, find }, request)
    if (failure !== undefined) return failure
    const isThere = found.type === "page" || found.type === "no-page"
    const signsOff = isThere && found.published.pathname === `/${signOffPath}`
    const cookies = !isThere
      ? undefined
      : signsOff
        ? SiteCookies.toClear(at.url, found.published)
        : SiteCookies.toSet(at.url, found.published, request.cookies)
    const accept = request.headers["accept"]
    const atFile = withoutPage(found, at.url)
    const own = isThere
      ? yield* ownPaths.answer(atFile ?? found, at.url, request, files.of(found.published.siteBasePath), find)
      : undefined
    if (own === undefined && !isRead && ReservedPaths.takes(asked.url)) return nothing
    const isPreview = isThere && found.published.preview === true
    const machineOrPage = Effect.suspend(() =>
      machine
        .answer(atFile ?? found, {
          url: at.url,
          accept,
          find,
          pictureOf: pictures.answer,
          isPage: atFile !== undefined
        })
        .pipe(
          Effect.provideService(HttpServerRequest.HttpServerRequest, request),
          Effect.flatMap((answer) =>
            answer === undefined
              ? answerFound(found, at, request)
              : Effect.succeed(isRead ? tagged(answer, found, request) : answer)
          )
        )
    )
    const answered =
      isThere && (at.url.searchParams.has("jwt_token") || (isPreview && at.url.searchParams.has("token")))
        ? leadTo(at.origin + withoutToken(at.url, isPreview), 307, headersOf())
        : signsOff
          ? leadTo(found.site.site.urls.logout ?? at.origin + found.published.siteBasePath, 303, headersOf())
          : own !== undefined
            ? ofOwn(own, at.origin)
            : yield* machineOrPage
    const withCookies = cookies === undefined ? answered : HttpServerResponse.mergeCookies(answered, cookies)
    const sent =
      cookies === undefined && !isPreview
        ? withCookies
        : HttpServerResponse.setHeaders(withCookies, {
            "cache-control": "private, no-store",
            ...(isPreview && { "x-robots-tag": "noindex" })
          })
    const type = isRead ? ReaderEvents.typeOf(atFile ?? found, at.url, sent) : undefined
    if (isThere && type !== undefined && request.method === "GET") {
      const waits = SiteScripts.scriptsFor(found.site.scripts, undefined).needsConsent
      const isUnasked = waits && SiteCookies.consentOf(request.cookies) !== "yes"
      const note = ReaderEvents.reads(insights, { type, on: found.published, url: at.url.href, isUnasked })
      if (note !== undefined) {
        const again = againOf(note)
        again(request, Option.getOrUndefined(request.remoteAddress))
        noted.set(sent, again)
      }
    }
    return sent
  })

  const answer = Effect.fn("SiteApp.answer")(function* (
    asked: SiteRequest,
    request: HttpServerRequest.HttpServerRequest
  ) {
    const file = files.at(asked.url, request) ?? (asked.direct && files.at(asked.direct, request))
    if (file !== undefined) return yield* file
    if (!isShortEnough(asked.url.href)) return nothing
    return yield* budget.answer(answerOf(asked, request))
  })

  const failed: SiteApp["failed"] = ({ headers }, response) => {
    if (!takesHtml(headers["accept"])) return response
    const messages = LocalizedMessages.messagesFor(LocalizedMessages.acceptedLanguage(headers["accept-language"]))
    const text = Layout.renderError(messages, files.of("/"), response.headers["x-request-id"])
    return HttpServerResponse.setBody(
      HttpServerResponse.setHeaders(response, {
        ...headersOf(),
        "cache-control": "no-store",
        "x-robots-tag": "noindex"
      }),
      HttpBody.text(text, html)
    )
  }

  return {
    nothing,
    failed,
    again: (response) => noted.get(response),
    has: ({ hostname }) => Effect.map(addresses.atHost(hostname), (found) => found.length > 0),
    answer
  } satisfies SiteApp
})

/**
 * Created outside the request handler: a cached function retains its enclosing scope, which would include the page that
 * was read.
 */
const againOf =
  (note: NonNullable<ReturnType<typeof ReaderEvents.reads>>): Again =>
  ({ headers }, address) =>
    note(headers, address)

/** True if all readers get the same page. */
const isForAll = ({ published, site: { site } }: Pick<FoundPage, "published" | "site">): boolean =>
  published.contextId === undefined &&
  published.session === undefined &&
  published.shareKey === undefined &&
  (site.visibility === "public" || site.visibility === "unlisted")

const leadTo = (location: string, status: 303 | 307 | 308, headers: Readonly<Record<string, string>>) =>
  HttpServerResponse.empty({
    status,
    // Browsers follow a cached redirect without a request when a reader goes back, even if the redirect has changed.
    // Visitors who sign in would then be redirected in a loop.
    headers: { ...headers, location, "cache-control": "private, no-store" }
  })

/** Returns true if the `Accept` header names HTML, as browsers do, or accepts any type and does not name JSON. */
const takesHtml = (accept = "*/*"): boolean =>
  /\btext\/html\b/.test(accept) || (accept.includes("*/*") && !/\bjson\b/.test(accept))
