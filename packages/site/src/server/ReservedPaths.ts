/**
 * Paths of a site that are not pages: search, PDFs of pages, feedback, API calls, blocks of integrations and consent to
 * cookies. Each response depends on the reader. Search engines do not index these paths.
 */
import { ComputedSpecs } from "@lectern/core/computed/ComputedSpecs"
import { ContentSpecs } from "@lectern/core/computed/ContentSpecs"
import { CurrentActor } from "@lectern/core/access/Actor"
import { Contents } from "@lectern/core/content/Contents"
import { SiteInsights } from "@lectern/core/insights/SiteInsights"
import { Pdfs } from "@lectern/core/pdf/Pdfs"
import { Previews } from "@lectern/core/publishing/Previews"
import type { PublishedSite } from "@lectern/core/publishing/PublishedSite"
import type { PublishedContent } from "@lectern/core/publishing/PublishedUrl"
import { SiteMount } from "@lectern/core/site/SiteAddress"
import { Searches } from "@lectern/core/search/Searches"
import { StorageError } from "@lectern/core/storage/Storage"
import { Tokens } from "@lectern/core/token/Tokens"
import { Users } from "@lectern/core/user/Users"
import { Clock, Effect } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { consentPath } from "../page/SiteScripts.ts"
import { blockPath } from "../contentkit/BlockForm.ts"
import { html } from "../html/Html.ts"
import { tryItPath } from "../api/TryIt.ts"
import * as PageActions from "../page/PageActions.ts"
import * as Feedback from "../page/Feedback.ts"
import type { Assets } from "../page/Head.ts"
import * as Layout from "../page/Layout.ts"
import * as SearchBox from "../page/SearchBox.ts"
import * as SearchPage from "../page/SearchPage.ts"
import type { SiteContext, Link } from "../page/SitePage.ts"
import * as LocalizedMessages from "../page/LocalizedMessages.ts"
import { SnippetCache } from "../rendering/SnippetCache.ts"
import * as SiteContexts from "../reading/SiteContexts.ts"
import * as FeedbackForm from "../reading/FeedbackForm.ts"
import * as SiteSearch from "../reading/SiteSearch.ts"
import type { ResolvedUrl } from "../reading/SitePages.ts"
import * as SitePages from "../reading/SitePages.ts"
import * as ReaderEvents from "../reading/ReaderEvents.ts"
import * as LinkTargets from "../reading/LinkTargets.ts"
import * as Tree from "../reading/Tree.ts"
import * as ApiCalls from "./ApiCalls.ts"
import * as BlockActions from "./BlockActions.ts"
import * as ConsentPath from "./ConsentPath.ts"
import * as SameOrigin from "./SameOrigin.ts"

/** Maximum bytes of a form. */
const maxForm = 8 * 1024

/** Paths that accept POST requests. */
const postPaths: ReadonlySet<string> = new Set([
  Feedback.feedbackPath,
  SearchBox.searchPath,
  tryItPath,
  blockPath,
  consentPath
])

const paths: ReadonlySet<string> = new Set([PageActions.pdfPath, ...postPaths])

type NoPage = Extract<ResolvedUrl, { readonly type: "no-page" }>

/** URLs of the style sheet and the script of an API call's form. */
export interface TryItAssets {
  readonly tryIt: { readonly css: string; readonly script: string }
}

/** Response that lacks the headers common to all pages. */
export interface ReservedResponse {
  /** Undefined if the response is not a page and already has all of its headers. */
  readonly context?: SiteContext
  /** HTML of the response, if it has content of a page. Determines the allowed sources. */
  readonly text?: string
  /** Returns false if the rendered page lacks an icon that was not loaded yet. */
  readonly isComplete: () => boolean
  readonly response: HttpServerResponse.HttpServerResponse
}

/** Finds another URL of the site for the same reader. */
type Find = (url: URL) => Effect.Effect<ResolvedUrl, StorageError>

/** Returns true if the path accepts POST requests. */
export const acceptsPost = ({ pathname }: URL): boolean => postPaths.has(pathname.slice(pathname.lastIndexOf("/") + 1))

/** Parses the form of a request. Undefined if the form is too long. */
const readForm = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
  const length = Number(request.headers["content-length"] ?? Number.NaN)
  if (!(length <= maxForm)) return undefined
  return new URLSearchParams(yield* Effect.orElseSucceed(request.text, () => ""))
})

export const make = Effect.gen(function* () {
  const contents = yield* Contents
  const users = yield* Users
  const tokens = yield* Tokens
  const searches = yield* Searches
  const insights = yield* SiteInsights
  const pdfs = yield* Pdfs
  const snippetCache = yield* SnippetCache
  const previews = yield* Previews
  const calls = yield* ApiCalls.make({ contents, specs: yield* ComputedSpecs, contentSpecs: yield* ContentSpecs })
  const respondToAction = yield* BlockActions.make({ contents })

  const readSpace = Effect.fnUntraced(function* ({ space, basePath }: PublishedContent) {
    const location = yield* contents.locate({ space })
    const isStatic = (yield* SiteMount)?.staticSite !== undefined
    return { location, tree: yield* Tree.read(contents, location), base: basePath, isStatic }
  })

  const readContext = Effect.fnUntraced(function* (published: PublishedContent, site: PublishedSite) {
    const own = yield* readSpace(published)
    const customization = SiteContexts.customizationOf(site, published)
    const { targetOf } = yield* LinkTargets.find({ contents, users }, site, own, SitePages.siteRefs(customization))
    const { isComplete, pending: _, ...snippets } = snippetCache.snippets(customization.styling.icons)
    const context = SiteContexts.siteContextOf(published, site, {
      customization,
      language: own.location.space.language,
      targetOf,
      snippets,
      api: () => undefined,
      integration: () => undefined,
      preview: yield* SiteContexts.previewOf(previews, published),
      staticSite: (yield* SiteMount)?.staticSite
    })
    return { around: context, isComplete }
  })

  const search = Effect.fnUntraced(function* (
    { published, site }: NoPage,
    url: URL,
    request: HttpServerRequest.HttpServerRequest,
    assets: Assets
  ) {
    const { around: context, isComplete } = yield* readContext(published, site)
    const resolved = yield* SiteSearch.search(searches, published, site, SiteSearch.queryOf(url.searchParams))
    const isFragment = url.searchParams.get("part") === "results"
    // Requests for suggestions are not counted: the dialog reports its final query when it closes (see `recordSearch`).
    if (!isFragment && resolved.query !== "" && request.method === "GET") {
      const action = { type: "search_type_query", query: resolved.query } as const
      yield* ReaderEvents.record(insights, request, [{ published, url: url.href, page: null, action }])
    }
    const text = isFragment
      ? SearchPage.renderResults(resolved, context.dependencies).text
      : Layout.renderSimplePage(
          context,
          { title: context.dependencies.messages.search, main: SearchPage.renderPage(resolved, context) },
          assets
        )
    return { context, isComplete, response: pageResponse(text) } satisfies ReservedResponse
  })

  /** Returns the PDF if it exists, otherwise a page that reloads itself until the PDF is ready. */
  const pdf = Effect.fnUntraced(function* ({ published, site }: NoPage, url: URL, assets: Assets) {
    const { around: context, isComplete } = yield* readContext(published, site)
    const page = url.searchParams.get("page")
    if (!context.customization.pdf.enabled || page === null) return undefined
    const { messages } = context.dependencies
    const { locale } = context.customization.internationalization
    const title = messages.actions.pdf
    const pendingPdf = (status: number, seconds: string): ReservedResponse => {
      const text = Layout.renderSimplePage(
        context,
        { title, main: html`<h1>${title}</h1><p>${messages.actions.making}</p>` },
        assets
      )
      const headers = { refresh: seconds, ...(status === 503 && { "retry-after": seconds }) }
      return { context, isComplete, response: HttpServerResponse.setHeaders(pageResponse(text, status), headers) }
    }
    const requestedPdf = yield* pdfs
      .url({ space: published.space }, { page, only: true, ...(locale !== "en" && { locale }) })
      .pipe(Effect.catchTag("TooManyPdfs", () => Effect.undefined))
    if (requestedPdf === undefined) return pendingPdf(503, "10")
    const signedUrl = signedPdf(requestedPdf.url)
    const download = signedUrl && (yield* pdfs.download(signedUrl))
    if (download === undefined) return undefined
    if (download.status === "done") {
      return {
        context,
        isComplete,
        response: HttpServerResponse.uint8Array(yield* download.bytes, {
          contentType: "application/pdf",
          headers: {
            "cache-control": "private, no-store",
            "content-disposition": `inline; filename*=UTF-8''${encodeURIComponent(download.name)}`,
            "x-robots-tag": "noindex"
          }
        })
      } satisfies ReservedResponse
    }
    return pendingPdf(200, "2")
  })

  const feedback = Effect.fnUntraced(function* (
    { published, site }: NoPage,
    url: URL,
    request: HttpServerRequest.HttpServerRequest
  ) {
    const { around: context, isComplete } = yield* readContext(published, site)
    if (!context.customization.feedback.enabled || !SameOrigin.isSameOrigin(request, url)) return undefined
    const form = yield* readForm(request)
    const { tree } = yield* readSpace(published)
    const feedbackInput = form && FeedbackForm.parseFeedback(published, tree, form)
    if (feedbackInput === undefined) return undefined
    const { page, path, action } = feedbackInput
    yield* ReaderEvents.record(insights, request, [{ published, url: new URL(path, url).href, page, action }])
    return { context, isComplete, response: redirect(feedbackInput.returnUrl) } satisfies ReservedResponse
  })

  const respondTryIt = Effect.fnUntraced(function* (
    { published, site }: NoPage,
    url: URL,
    request: HttpServerRequest.HttpServerRequest,
    { tryIt }: TryItAssets
  ) {
    const messages = LocalizedMessages.messagesFor(
      SiteContexts.customizationOf(site, published).internationalization.locale
    )
    const response =
      request.method === "POST"
        ? yield* calls.call(published, request)
        : yield* calls.form(published, url, { messages, assets: tryIt })
    return response && ({ isComplete: () => true, response } satisfies ReservedResponse)
  })

  /** Responds to the forms of consent and of block actions. */
  const respondForm = Effect.fnUntraced(function* (
    { published, site }: NoPage,
    url: URL,
    request: HttpServerRequest.HttpServerRequest,
    { assets, isConsent }: { readonly assets: Assets; readonly isConsent: boolean }
  ) {
    const { around: context, isComplete } = yield* readContext(published, site)
    const outcome = isConsent
      ? yield* ConsentPath.respond({ published, site, context, assets }, url, request)
      : yield* respondToAction(published, url, request, { context, assets })
    if (outcome === undefined) return undefined
    return outcome.text === undefined
      ? ({ isComplete, response: outcome.response } satisfies ReservedResponse)
      : ({ context, isComplete, text: outcome.text, response: pageResponse(outcome.text) } satisfies ReservedResponse)
  })

  /**
   * Counts the final query of a search dialog, and the result that the reader opened, if any. The response is empty.
   */
  const recordSearch = Effect.fnUntraced(function* (
    { published, site }: NoPage,
    url: URL,
    request: HttpServerRequest.HttpServerRequest,
    find: Find
  ) {
    if (!SameOrigin.isSameOrigin(request, url)) return undefined
    const form = yield* readForm(request)
    const { query } = SiteSearch.queryOf(form ?? new URLSearchParams())
    if (query === "") return undefined
    const { around: context, isComplete } = yield* readContext(published, site)
    const openedUrl = URL.parse(form?.get("opened") ?? "", url)
    const isSameSite = openedUrl?.origin === url.origin && openedUrl.href.length <= maxForm / 2
    const resolved = isSameSite ? yield* find(openedUrl) : undefined
    const queryEvent = { published, url: url.href, page: null, action: { type: "search_type_query", query } } as const
    const openedContent =
      resolved?.type === "page" && resolved.published.site === published.site ? resolved.published : undefined
    const action = { type: "search_open_result", query } as const
    const result = openedContent && {
      published: openedContent,
      url: openedUrl!.href,
      page: openedContent.page ?? null,
      action
    }
    yield* ReaderEvents.record(insights, request, result === undefined ? [queryEvent] : [queryEvent, result])
    return { context, isComplete, response: HttpServerResponse.empty({ status: 204 }) } satisfies ReservedResponse
  })

  /** Returns the site's page for a URL that does not exist. */
  const missing = Effect.fnUntraced(
    function* ({ published, site }: NoPage, suggestions: ReadonlyArray<Link>, assets: Assets) {
      const read = readContext(published, site)
      const reader = yield* tokens.authenticate(published.apiToken)
      const { around: context, isComplete } = yield* Effect.provideService(read, CurrentActor, reader)
      const text =
        published.pathname === "/"
          ? Layout.renderWithoutPages(context, assets)
          : Layout.renderMissingPage(context, assets, suggestions)
      return { context, isComplete, response: pageResponse(text, 404) } satisfies ReservedResponse
    },
    (response): Effect.Effect<ReservedResponse | undefined, StorageError> =>
      Effect.catch(response, (failure) => (failure instanceof StorageError ? Effect.fail(failure) : Effect.undefined))
  )

  /** Responds to the paths of this module. Undefined for other paths, or if the reader cannot see the content. */
  const respond = Effect.fnUntraced(
    function* (
      resolved: ResolvedUrl,
      url: URL,
      request: HttpServerRequest.HttpServerRequest,
      assets: Assets & TryItAssets,
      find: Find
    ) {
      if (resolved.type !== "no-page") return undefined
      const path = resolved.published.pathname.slice(1)
      if (!paths.has(path)) return undefined
      const reader = yield* tokens.authenticate(resolved.published.apiToken)
      const own = Effect.gen(function* () {
        if (path === SearchBox.searchPath) {
          return yield* request.method === "POST"
            ? recordSearch(resolved, url, request, find)
            : search(resolved, url, request, assets)
        }
        if (path === PageActions.pdfPath) return yield* pdf(resolved, url, assets)
        if (path === tryItPath) return yield* respondTryIt(resolved, url, request, assets)
        if (path === consentPath) return yield* respondForm(resolved, url, request, { assets, isConsent: true })
        if (request.method !== "POST") return undefined
        return path === blockPath
          ? yield* respondForm(resolved, url, request, { assets, isConsent: false })
          : yield* feedback(resolved, url, request)
      })
      const response = yield* Effect.provideService(own, CurrentActor, reader)
      // Reading the clock marks the response as time-dependent, since the missing icon may be loaded later.
      if (response?.isComplete() === false) yield* Clock.currentTimeMillis
      return response
    },
    (response): Effect.Effect<ReservedResponse | undefined, StorageError> =>
      Effect.catch(response, (failure) => (failure instanceof StorageError ? Effect.fail(failure) : Effect.undefined))
  )

  return { respond, missing }
})

/** Parses the signed URL of a PDF. The URL is at the interface's host, but readers get the PDF from the site. */
const signedPdf = (text: string) => {
  const { pathname = "", searchParams } = URL.parse(text) ?? {}
  const [, space, revision, pdf] = /\/spaces\/([^/]+)\/revisions\/([^/]+)\/pdf\/([^/]+)/.exec(pathname) ?? []
  const signature = searchParams?.get("signature")
  if (space === undefined || revision === undefined || pdf === undefined || signature == null) return undefined
  return { space, revision, pdf, expires: Number(searchParams?.get("expires")), signature }
}

const pageResponse = (text: string, status = 200) =>
  HttpServerResponse.text(text, {
    status,
    contentType: "text/html; charset=utf-8",
    headers: { "cache-control": "private, no-store", "x-robots-tag": "noindex" }
  })

/** 303: the client requests the new location with GET, regardless of the method of the request. */
const redirect = (location: string) =>
  HttpServerResponse.empty({ status: 303, headers: { location, "cache-control": "private, no-store" } })
