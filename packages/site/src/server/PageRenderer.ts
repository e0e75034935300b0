/**
 * Renders pages for their readers, with headers. Caches each rendered page until one of its inputs changes.
 */
import type { Hasher } from "@lectern/core/storage/Hasher"
import { MemoryBudget } from "@lectern/core/thread/MemoryBudget"
import { Effect } from "effect"
import { HttpBody } from "effect/http"
import * as HtmlChunks from "../html/HtmlChunks.ts"
import * as Head from "../page/Head.ts"
import * as Layout from "../page/Layout.ts"
import * as ScriptLoader from "../page/ScriptLoader.ts"
import * as SiteScripts from "../page/SiteScripts.ts"
import type { Theme } from "../page/Theme.ts"
import type { ResolvedPage } from "../reading/SitePages.ts"
import * as EntityTag from "./EntityTag.ts"
import * as RenderCache from "./RenderCache.ts"
import * as SecurityHeaders from "./SecurityHeaders.ts"
import type * as SiteFiles from "./SiteFiles.ts"
import type * as SocialImages from "./SocialImages.ts"

export interface PageRendererOptions {
  readonly hasher: Pick<Hasher["Service"], "sha256">
  readonly files: ReturnType<typeof SiteFiles.make>
  readonly socialImages: ReturnType<typeof SocialImages.make>
  readonly headersOf: SecurityHeaders.PageHeaders
  /** Origin of integration frames. */
  readonly integrations: string
  /** Rendering of blocks. Default: Lectern's own. */
  readonly blocks?: Theme["blocks"]
  /** Size of the cache (bytes). */
  readonly cacheBytes: number
}

/**
 * Maximum time that a page waits for code, formulas and icons that are rendered for the first time. Example: a chapter
 * with 370 formulas takes 2 seconds, or 3 if the thread has to start. Later results appear the next time the page is
 * rendered.
 */
export const snippetTimeout = "4 seconds"

export const make = Effect.fnUntraced(function* ({
  blocks,
  files,
  hasher,
  headersOf,
  integrations,
  cacheBytes: bytes,
  socialImages
}: PageRendererOptions) {
  const cache = RenderCache.make<RenderCache.RenderedPage>(bytes)
  const budget = yield* MemoryBudget

  /**
   * Returns the rendered page for this reader. `origin`: origin of links to the site; empty if it is the reader's
   * origin.
   */
  return (found: ResolvedPage, origin: string, consent: SiteScripts.Consent) => {
    const { published, inputs } = found
    // Analytics scripts do not count views of previews.
    const scripts = SiteScripts.scriptsFor(published.preview === true ? [] : found.site.scripts, consent)
    const { page, siteBasePath } = published
    const key = [RenderCache.readerKey(published), page, scripts.needsConsent ? consent : ""].join(" ")
    const render = Effect.gen(function* () {
      const socialImage = socialImages.urlOf(found)
      const sitePage = {
        ...found.sitePage,
        scripts,
        ...(socialImage !== undefined && { socialImage }),
        ...(blocks !== undefined && { dependencies: { ...found.sitePage.dependencies, theme: blocks } })
      }
      const assets = files.assetsFor(siteBasePath)
      const firstChunks = yield* Layout.renderPageChunks(sitePage, assets)
      const pending = sitePage.pending?.()
      if (pending !== undefined) yield* budget.pause(Effect.timeoutOption(pending, snippetTimeout))
      const chunks = pending === undefined ? firstChunks : yield* Layout.renderPageChunks(sitePage, assets)
      const { page: parts, program } = ScriptLoader.withLoader(chunks, scripts.loaded, origin)
      const body = HttpBody.uint8Array(yield* HtmlChunks.encode(parts), "text/html; charset=utf-8")
      const etag = EntityTag.entityTagOf(yield* HtmlChunks.hashChunks(hasher, parts))
      return {
        body,
        length: body.contentLength,
        etag,
        headers: {
          ...headersOf(Head.inlineStyle(sitePage, assets), origin, {
            ...SecurityHeaders.sourcesIn(parts, sitePage, integrations),
            ...(program !== undefined && { loader: program }),
            callOrigins: sitePage.callableOrigins?.() ?? []
          }),
          ...(!(sitePage.site.isListed && sitePage.page.isListed) && { "x-robots-tag": "noindex" })
        },
        isComplete: sitePage.isComplete?.() ?? true
      } satisfies RenderCache.RenderedPage
    })
    return cache.get(
      key,
      inputs,
      Effect.suspend(() => budget.runReserved(found.renderedBytes, render))
    )
  }
})
