/**
 * Serves the reference of one API (see `ReferencePages`): its pages, their files, the search, and the forms to call
 * operations. It loads nothing from other websites. Readers enter tokens, so no other page can frame it.
 *
 * Limits: caches up to 16 MiB of rendered pages; queries of up to 512 characters.
 */
import { Hasher } from "@lectern/core/storage/Hasher"
import * as SpecParser from "@lectern/core/computed/SpecParser"
import { MemoryBudget } from "@lectern/core/thread/MemoryBudget"
import { Effect } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import * as TryIt from "../api/TryIt.ts"
import * as TryItForm from "../api/TryItForm.ts"
import * as ReferencePages from "../api/ReferencePages.ts"
import type { HtmlChunks } from "../html/HtmlChunks.ts"
import * as Head from "../page/Head.ts"
import * as Layout from "../page/Layout.ts"
import * as SearchBox from "../page/SearchBox.ts"
import * as SearchPage from "../page/SearchPage.ts"
import { SnippetCache } from "../rendering/SnippetCache.ts"
import * as RenderCache from "./RenderCache.ts"
import * as RenderedPages from "./RenderedPages.ts"
import * as SecurityHeaders from "./SecurityHeaders.ts"
import * as SiteFiles from "./SiteFiles.ts"

export interface ReferenceAppOptions extends Pick<SiteFiles.SiteFilesOptions, "fonts" | "theme"> {
  /** Absolute URL of the front page, without a trailing slash. */
  readonly url: string
  /** Absolute URL of the specification. */
  readonly specUrl: string
  /** Returns the specification as JSON. Called once. */
  readonly spec: Effect.Effect<string>
  /** Markdown of the front page. Default: only the description of the specification. */
  readonly introduction?: string
}

export interface ReferenceApp {
  /** Responds to a request below the URL of the front page. */
  readonly respond: (
    request: HttpServerRequest.HttpServerRequest
  ) => Effect.Effect<HttpServerResponse.HttpServerResponse>
}

const htmlType = "text/html; charset=utf-8"
const maxQuery = 512
const maxCacheBytes = 16 * 1024 * 1024

export const make = Effect.fnUntraced(function* ({
  url,
  specUrl,
  spec,
  introduction = "",
  ...fileOptions
}: ReferenceAppOptions) {
  const hasher = yield* Hasher
  const cache = yield* SnippetCache
  const base = `${new URL(url).pathname.replace(/\/$/, "")}/`
  const files = SiteFiles.make(hasher, fileOptions)
  const assets = files.assetsFor(base)
  const headersOf = SecurityHeaders.make(hasher)
  const budget = yield* MemoryBudget
  const renderedPages = RenderCache.make<RenderCache.RenderedPage, never>(maxCacheBytes)
  const pages = yield* Effect.cached(
    Effect.map(spec, (text) => {
      const document = JSON.parse(text) as SpecParser.Fields
      return ReferencePages.make(SpecParser.read(document), {
        base,
        canonicalUrl: url,
        specUrl,
        introduction,
        snippets: () => cache.snippets("regular")
      })
    }).pipe(Effect.uninterruptible)
  )

  const securityHeaders = (style: string, callOrigins: ReadonlyArray<string> = []) => ({
    ...headersOf(style, "", { callOrigins, canBeFramed: false }),
    "referrer-policy": "no-referrer"
  })

  const pageResponse = (text: string, style: string, status = 200) =>
    HttpServerResponse.text(text, { status, contentType: htmlType, headers: securityHeaders(style) })

  const renderPage = Effect.fnUntraced(function* (
    reference: ReferencePages.ReferencePages,
    path: string,
    request: HttpServerRequest.HttpServerRequest
  ): Effect.fn.Return<HttpServerResponse.HttpServerResponse> {
    const sitePage = reference.page(path)
    if (sitePage === undefined) {
      const context = reference.context()
      const text = Layout.renderMissingPage(context, assets, [])
      return pageResponse(text, Head.inlineStyle(context, assets), 404)
    }
    const complete = (chunks: HtmlChunks) => ({
      chunks,
      headers: securityHeaders(Head.inlineStyle(sitePage, assets), sitePage.callableOrigins?.())
    })
    const render = RenderedPages.render({ hasher, budget }, { sitePage, assets, complete })
    const renderedPage = yield* renderedPages.get(path, [], render)
    return yield* RenderedPages.respond(renderedPage, request, { "cache-control": "public, no-cache" })
  })

  const renderSearch = (reference: ReferencePages.ReferencePages, { searchParams }: URL) => {
    const context = reference.context()
    const results = reference.search((searchParams.get("q") ?? "").slice(0, maxQuery).trim())
    if (searchParams.get("part") === "results")
      return pageResponse(SearchPage.renderResults(results, context.dependencies).text, "")
    const { search } = context.dependencies.messages
    const text = Layout.renderSimplePage(
      context,
      { title: search, main: SearchPage.renderPage(results, context) },
      assets
    )
    return pageResponse(text, Head.inlineStyle(context, assets))
  }

  const renderForm = (reference: ReferencePages.ReferencePages, { searchParams }: URL) => {
    const specOperation = reference.operation(searchParams.get("method") ?? "", searchParams.get("path") ?? "")
    const callOptions = specOperation && TryIt.callOptionsOf(reference.spec, specOperation, { hasProxy: false })
    if (specOperation === undefined || callOptions === undefined) return HttpServerResponse.empty({ status: 404 })
    const { messages } = reference.context().dependencies
    const form = TryItForm.renderForm({
      spec: reference.spec,
      specOperation,
      callOptions,
      messages: messages.api,
      close: messages.close,
      assets: assets.tryIt
    })
    return pageResponse(form.text, "")
  }

  return {
    respond: Effect.fnUntraced(function* (request) {
      const requestUrl = URL.parse(request.url, url)
      if (requestUrl === null) return HttpServerResponse.empty({ status: 400 })
      const file = files.responseFor(requestUrl, request)
      if (file !== undefined) return yield* file
      const path = requestUrl.pathname.slice(base.length)
      // The search dialog reports queries, which are not counted here.
      if (request.method === "POST" && path === SearchBox.searchPath) return HttpServerResponse.empty({ status: 204 })
      if (request.method !== "GET" && request.method !== "HEAD")
        return HttpServerResponse.empty({ status: 405, headers: { allow: "GET, HEAD" } })
      const reference = yield* pages
      if (path === SearchBox.searchPath) return renderSearch(reference, requestUrl)
      if (path === TryIt.tryItPath) return renderForm(reference, requestUrl)
      return yield* renderPage(reference, path, request)
    })
  } satisfies ReferenceApp
})
