/**
 * Serves the reference of one API (see `ReferencePages`): its pages, their files, the search, and the forms to call
 * operations. It loads nothing from other websites. Readers enter tokens, so no other page can frame it.
 */
import { Hasher } from "@lectern/core/storage/Hasher"
import * as SpecParser from "@lectern/core/computed/SpecParser"
import { Effect } from "effect"
import { HttpBody, type HttpServerRequest, HttpServerResponse } from "effect/http"
import * as TryIt from "../api/TryIt.ts"
import * as TryItForm from "../api/TryItForm.ts"
import * as ReferencePages from "../api/ReferencePages.ts"
import * as HtmlChunks from "../html/HtmlChunks.ts"
import * as Head from "../page/Head.ts"
import * as Layout from "../page/Layout.ts"
import * as SearchBox from "../page/SearchBox.ts"
import * as SearchPage from "../page/SearchPage.ts"
import { SnippetCache } from "../rendering/SnippetCache.ts"
import { snippetTimeout } from "./PageRenderer.ts"
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

  const securityHeaders = (style: string, callOrigins: ReadonlyArray<string> = []) => {
    const headers = headersOf(style, "", { callOrigins })
    const policy = headers["content-security-policy"]!.replace("frame-ancestors 'self'", "frame-ancestors 'none'")
    return { ...headers, "content-security-policy": policy, "referrer-policy": "no-referrer" }
  }

  const pageResponse = (text: string, style: string, status = 200) =>
    HttpServerResponse.text(text, { status, contentType: htmlType, headers: securityHeaders(style) })

  const renderPage = Effect.fnUntraced(function* (
    reference: ReferencePages.ReferencePages,
    path: string
  ): Effect.fn.Return<HttpServerResponse.HttpServerResponse> {
    const sitePage = reference.page(path)
    if (sitePage === undefined) {
      const context = reference.context()
      const text = Layout.renderMissingPage(context, assets, [])
      return pageResponse(text, Head.inlineStyle(context, assets), 404)
    }
    const firstChunks = yield* Layout.renderPageChunks(sitePage, assets)
    const pending = sitePage.pending?.()
    if (pending !== undefined) yield* Effect.timeoutOption(pending, snippetTimeout)
    const chunks = pending === undefined ? firstChunks : yield* Layout.renderPageChunks(sitePage, assets)
    const headers = securityHeaders(Head.inlineStyle(sitePage, assets), sitePage.callableOrigins?.())
    return HttpServerResponse.setBody(
      HttpServerResponse.empty({ status: 200, headers: { ...headers, "cache-control": "public, no-cache" } }),
      HttpBody.uint8Array(yield* HtmlChunks.encode(chunks), htmlType)
    )
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
      if (request.method === "POST") return HttpServerResponse.empty({ status: 204 })
      const reference = yield* pages
      if (path === SearchBox.searchPath) return renderSearch(reference, requestUrl)
      if (path === TryIt.tryItPath) return renderForm(reference, requestUrl)
      return yield* renderPage(reference, path)
    })
  } satisfies ReferenceApp
})
