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
import { SiteSearches } from "@lectern/core/publishing/SiteSearches"
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
import type { Found } from "../reading/SitePages.ts"
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
const taking: ReadonlySet<string> = new Set([
  Feedback.feedbackPath,
  SearchBox.searchPath,
  tryItPath,
  blockPath,
  consentPath
])

const paths: ReadonlySet<string> = new Set([PageActions.pdfPath, ...taking])

type NoPage = Extract<Found, { readonly type: "no-page" }>

/** URLs of the style sheet and the script of an API call's form. */
export interface TriedAssets {
  readonly tried: { readonly css: string; readonly script: string }
}

/** Response that lacks the headers common to all pages. */
export interface Own {
  /** Undefined if the response is not a page and already has all of its headers. */
  readonly around?: SiteContext
  /** HTML of the response, if it has content of a page. Determines the allowed sources. */
  readonly text?: string
  /** Returns false if the rendered page lacks an icon that was not loaded yet. */
  readonly isWhole: () => boolean
  readonly answer: HttpServerResponse.HttpServerResponse
}

/** Finds another URL of the site for the same reader. */
type Find = (url: URL) => Effect.Effect<Found, StorageError>

/** Returns true if the path accepts POST requests. */
export const takes = ({ pathname }: URL): boolean => taking.has(pathname.slice(pathname.lastIndexOf("/") + 1))

/** Parses the form of a request. Undefined if the form is too long. */
const formOf = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
  const length = Number(request.headers["content-length"] ?? Number.NaN)
  if (!(length <= maxForm)) return undefined
  return new URLSearchParams(yield* Effect.orElseSucceed(request.text, () => ""))
})

export const make = Effect.gen(function* () {
  const contents = yield* Contents
  const users = yield* Users
  const tokens = yield* Tokens
  const searches = yield* SiteSearches
  const insights = yield* SiteInsights
  const pdfs = yield* Pdfs
  const paintings = yield* SnippetCache
  const previews = yield* Previews
  const calls = yield* ApiCalls.make({ contents, specs: yield* ComputedSpecs, contentSpecs: yield* ContentSpecs })
  const act = yield* BlockActions.make({ contents })

  const spaceOf = Effect.fnUntraced(function* ({ space, basePath }: PublishedContent) {
    const at = yield* contents.locate({ space })
    return { at, tree: yield* Tree.read(contents, at), base: basePath }
  })

  const aroundOf = Effect.fnUntraced(function* (published: PublishedContent, site: PublishedSite) {
    const own = yield* spaceOf(published)
    const customization = SiteContexts.customizationOf(site, published)
    const { targetOf } = yield* LinkTargets.find({ contents, users }, site, own, SitePages.refsAround(customization))
    const { isComplete: isWhole, pending: _, ...painted } = paintings.snippets(customization.styling.icons)
    const around = SiteContexts.aroundOf(published, site, {
      customization,
      language: own.at.space.language,
      targetOf,
      painted,
      api: () => undefined,
      integration: () => undefined,
      preview: yield* SiteContexts.previewOf(previews, published)
    })
    return { around, isWhole }
  })

  const search = Effect.fnUntraced(function* (
    { published, site }: NoPage,
    url: URL,
    request: HttpServerRequest.HttpServerRequest,
    assets: Assets
  ) {
    const { around, isWhole } = yield* aroundOf(published, site)
    const found = yield* SiteSearch.find(searches, published, site, SiteSearch.askedBy(url.searchParams))
    const isPart = url.searchParams.get("part") === "results"
    // Requests for suggestions are not counted: the dialog reports its final query when it closes (see `searched`).
    if (!isPart && found.query !== "" && request.method === "GET") {
      const what = { type: "search_type_query", query: found.query } as const
      yield* ReaderEvents.tell(insights, request, [{ on: published, url: url.href, page: null, what }])
    }
    const text = isPart
      ? SearchPage.renderResults(found, around.dependencies).text
      : Layout.renderSimplePage(
          around,
          { title: around.dependencies.messages.search, main: SearchPage.renderPage(found, around) },
          assets
        )
    return { around, isWhole, answer: pageOf(text) } satisfies Own
  })

  /** Returns the PDF if it exists, otherwise a page that reloads itself until the PDF is ready. */
  const pdf = Effect.fnUntraced(function* ({ published, site }: NoPage, url: URL, assets: Assets) {
    const { around, isWhole } = yield* aroundOf(published, site)
    const page = url.searchParams.get("page")
    if (!around.customization.pdf.enabled || page === null) return undefined
    const { messages } = around.dependencies
    const { locale } = around.customization.internationalization
    const title = messages.actions.pdf
    const waiting = (status: number, seconds: string): Own => {
      const text = Layout.renderSimplePage(
        around,
        { title, main: html`<h1>${title}</h1><p>${messages.actions.making}</p>` },
        assets
      )
      const headers = { refresh: seconds, ...(status === 503 && { "retry-after": seconds }) }
      return { around, isWhole, answer: HttpServerResponse.setHeaders(pageOf(text, status), headers) }
    }
    const asked = yield* pdfs
      .url({ space: published.space }, { page, only: true, ...(locale !== "en" && { locale }) })
      .pipe(Effect.catchTag("TooManyPdfs", () => Effect.undefined))
    if (asked === undefined) return waiting(503, "10")
    const signed = signedPdf(asked.url)
    const made = signed && (yield* pdfs.download(signed))
    if (made === undefined) return undefined
    if (made.status === "done") {
      return {
        around,
        isWhole,
        answer: HttpServerResponse.uint8Array(yield* made.bytes, {
          contentType: "application/pdf",
          headers: {
            "cache-control": "private, no-store",
            "content-disposition": `inline; filename*=UTF-8''${encodeURIComponent(made.name)}`,
            "x-robots-tag": "noindex"
          }
        })
      } satisfies Own
    }
    return waiting(200, "2")
  })

  const feedback = Effect.fnUntraced(function* (
    { published, site }: NoPage,
    url: URL,
    request: HttpServerRequest.HttpServerRequest
  ) {
    const { around, isWhole } = yield* aroundOf(published, site)
    if (!around.customization.feedback.enabled || !SameOrigin.isSent(request, url)) return undefined
    const form = yield* formOf(request)
    const { tree } = yield* spaceOf(published)
    const given = form && FeedbackForm.read(published, tree, form)
    if (given === undefined) return undefined
    const { page, path, what } = given
    yield* ReaderEvents.tell(insights, request, [{ on: published, url: new URL(path, url).href, page, what }])
    return { around, isWhole, answer: leadTo(given.back) } satisfies Own
  })

  const tried = Effect.fnUntraced(function* (
    { published, site }: NoPage,
    url: URL,
    request: HttpServerRequest.HttpServerRequest,
    { tried }: TriedAssets
  ) {
    const messages = LocalizedMessages.messagesFor(
      SiteContexts.customizationOf(site, published).internationalization.locale
    )
    const answer =
      request.method === "POST"
        ? yield* calls.call(published, request)
        : yield* calls.form(published, url, { messages, assets: tried })
    return answer && ({ isWhole: () => true, answer } satisfies Own)
  })

  /** Responds to the forms of consent and of block actions. */
  const sent = Effect.fnUntraced(function* (
    { published, site }: NoPage,
    url: URL,
    request: HttpServerRequest.HttpServerRequest,
    { assets, isConsent }: { readonly assets: Assets; readonly isConsent: boolean }
  ) {
    const { around, isWhole } = yield* aroundOf(published, site)
    const done = isConsent
      ? yield* ConsentPath.answer({ published, site, around, assets }, url, request)
      : yield* act(published, url, request, { around, assets })
    if (done === undefined) return undefined
    return done.text === undefined
      ? ({ isWhole, answer: done.answer } satisfies Own)
      : ({ around, isWhole, text: done.text, answer: pageOf(done.text) } satisfies Own)
  })

  /**
   * Counts the final query of a search dialog, and the result that the reader opened, if any. The response is empty.
   */
  const searched = Effect.fnUntraced(function* (
    { published, site }: NoPage,
    url: URL,
    request: HttpServerRequest.HttpServerRequest,
    find: Find
  ) {
    if (!SameOrigin.isSent(request, url)) return undefined
    const form = yield* formOf(request)
    const { query } = SiteSearch.askedBy(form ?? new URLSearchParams())
    if (query === "") return undefined
    const { around, isWhole } = yield* aroundOf(published, site)
    const opened = URL.parse(form?.get("opened") ?? "", url)
    const isHere = opened?.origin === url.origin && opened.href.length <= maxForm / 2
    const found = isHere ? yield* find(opened) : undefined
    const asked = { on: published, url: url.href, page: null, what: { type: "search_type_query", query } } as const
    const on = found?.type === "page" && found.published.site === published.site ? found.published : undefined
    const what = { type: "search_open_result", query } as const
    const result = on && { on, url: opened!.href, page: on.page ?? null, what }
    yield* ReaderEvents.tell(insights, request, result === undefined ? [asked] : [asked, result])
    return { around, isWhole, answer: HttpServerResponse.empty({ status: 204 }) } satisfies Own
  })

  /** Returns the site's page for a URL that does not exist. */
  const missing = Effect.fnUntraced(
    function* ({ published, site }: NoPage, suggestions: ReadonlyArray<Link>, assets: Assets) {
      const read = aroundOf(published, site)
      const reader = yield* tokens.authenticate(published.apiToken)
      const { around, isWhole } = yield* Effect.provideService(read, CurrentActor, reader)
      const text =
        published.pathname === "/"
          ? Layout.renderWithoutPages(around, assets)
          : Layout.renderMissingPage(around, assets, suggestions)
      return { around, isWhole, answer: pageOf(text, 404) } satisfies Own
    },
    (answered): Effect.Effect<Own | undefined, StorageError> =>
      Effect.catch(answered, (failure) => (failure instanceof StorageError ? Effect.fail(failure) : Effect.undefined))
  )

  /** Responds to the paths of this module. Undefined for other paths, or if the reader cannot see the content. */
  const answer = Effect.fnUntraced(
    function* (
      found: Found,
      url: URL,
      request: HttpServerRequest.HttpServerRequest,
      assets: Assets & TriedAssets,
      find: Find
    ) {
      if (found.type !== "no-page") return undefined
      const asked = found.published.pathname.slice(1)
      if (!paths.has(asked)) return undefined
      const reader = yield* tokens.authenticate(found.published.apiToken)
      const own = Effect.gen(function* () {
        if (asked === SearchBox.searchPath) {
          return yield* request.method === "POST"
            ? searched(found, url, request, find)
            : search(found, url, request, assets)
        }
        if (asked === PageActions.pdfPath) return yield* pdf(found, url, assets)
        if (asked === tryItPath) return yield* tried(found, url, request, assets)
        if (asked === consentPath) return yield* sent(found, url, request, { assets, isConsent: true })
        if (request.method !== "POST") return undefined
        return asked === blockPath
          ? yield* sent(found, url, request, { assets, isConsent: false })
          : yield* feedback(found, url, request)
      })
      const answered = yield* Effect.provideService(own, CurrentActor, reader)
      // Reading the clock marks the response as time-dependent, since the missing icon may be loaded later.
      if (answered?.isWhole() === false) yield* Clock.currentTimeMillis
      return answered
    },
    (answered): Effect.Effect<Own | undefined, StorageError> =>
      Effect.catch(answered, (failure) => (failure instanceof StorageError ? Effect.fail(failure) : Effect.undefined))
  )

  return { answer, missing }
})

/** Parses the signed URL of a PDF. The URL is at the interface's host, but readers get the PDF from the site. */
const signedPdf = (text: string) => {
  const { pathname = "", searchParams } = URL.parse(text) ?? {}
  const [, space, revision, pdf] = /\/spaces\/([^/]+)\/revisions\/([^/]+)\/pdf\/([^/]+)/.exec(pathname) ?? []
  const signature = searchParams?.get("signature")
  if (space === undefined || revision === undefined || pdf === undefined || signature == null) return undefined
  return { space, revision, pdf, expires: Number(searchParams?.get("expires")), signature }
}

const pageOf = (text: string, status = 200) =>
  HttpServerResponse.text(text, {
    status,
    contentType: "text/html; charset=utf-8",
    headers: { "cache-control": "private, no-store", "x-robots-tag": "noindex" }
  })

/** 303: the client requests the new location with GET, regardless of the method of the request. */
const leadTo = (location: string) =>
  HttpServerResponse.empty({ status: 303, headers: { location, "cache-control": "private, no-store" } })
