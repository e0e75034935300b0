/**
 * Renders pages to the bodies of responses, and responds with them.
 *
 * A page waits up to 4 seconds for code, formulas and icons that are rendered for the first time. Example: a chapter
 * with 370 formulas takes 2 seconds, or 3 if the thread has to start. Later results appear the next time the page is
 * rendered.
 */
import type { Hasher } from "@lectern/core/storage/Hasher"
import type { Budget } from "@lectern/core/thread/MemoryBudget"
import { Clock, Effect } from "effect"
import { HttpBody, type HttpServerRequest, HttpServerResponse } from "effect/http"
import * as HtmlChunks from "../html/HtmlChunks.ts"
import type { Assets } from "../page/Head.ts"
import * as Layout from "../page/Layout.ts"
import type { SitePage } from "../page/SitePage.ts"
import * as EntityTag from "./EntityTag.ts"
import type { RenderedPage } from "./RenderCache.ts"

const snippetTimeout = "4 seconds"

export interface PageToRender {
  readonly sitePage: SitePage
  readonly assets: Assets
  /** True to wait until all parts are rendered, without a time limit. Default: false. */
  readonly awaitsSnippets?: boolean
  /** Returns the HTML and the headers of the response. Called once, after all parts were rendered. */
  readonly complete: (chunks: HtmlChunks.HtmlChunks) => {
    readonly chunks: HtmlChunks.HtmlChunks
    readonly headers: Readonly<Record<string, string>>
  }
}

export const render = Effect.fnUntraced(function* (
  { hasher, budget }: { readonly hasher: Pick<Hasher["Service"], "sha256">; readonly budget: Budget },
  { sitePage, assets, complete, awaitsSnippets = false }: PageToRender
) {
  const awaitAll = Effect.gen(function* () {
    for (;;) {
      // The content names nearly all parts, and takes a fraction of the time of the page.
      const content = yield* Layout.renderContent(sitePage, assets)
      let pending = sitePage.pending?.()
      if (pending === undefined) {
        const chunks = yield* Layout.renderAroundContent(sitePage, assets, content)
        pending = sitePage.pending?.()
        if (pending === undefined) return chunks
      }
      yield* budget.pause(pending)
    }
  })
  const awaitSome = Effect.gen(function* () {
    const firstChunks = yield* Layout.renderPageChunks(sitePage, assets)
    const pending = sitePage.pending?.()
    if (pending === undefined) return firstChunks
    yield* budget.pause(Effect.timeoutOption(pending, snippetTimeout))
    return yield* Layout.renderPageChunks(sitePage, assets)
  })
  const { chunks, headers } = complete(yield* awaitsSnippets ? awaitAll : awaitSome)
  const body = HttpBody.uint8Array(yield* HtmlChunks.encode(chunks), "text/html; charset=utf-8")
  return {
    body,
    length: body.contentLength,
    etag: EntityTag.entityTagOf(yield* HtmlChunks.hashChunks(hasher, chunks)),
    headers,
    isComplete: sitePage.isComplete?.() ?? true
  } satisfies RenderedPage
})

/** Returns the response: the page, or 304 if the client has it. `headers`: headers in addition to those of the page. */
export const respond = Effect.fnUntraced(function* (
  renderedPage: RenderedPage,
  request: HttpServerRequest.HttpServerRequest,
  headers: Readonly<Record<string, string>>
) {
  // Reading the clock marks the response as time-dependent, since missing parts may be ready later.
  if (!renderedPage.isComplete) yield* Clock.currentTimeMillis
  const matchedTag = EntityTag.matchingTag(request.headers["if-none-match"], renderedPage.etag)
  const allHeaders = { ...renderedPage.headers, ...headers, etag: matchedTag ?? renderedPage.etag }
  return matchedTag === undefined
    ? HttpServerResponse.setBody(HttpServerResponse.empty({ status: 200, headers: allHeaders }), renderedPage.body)
    : HttpServerResponse.empty({ status: 304, headers: allHeaders })
})
