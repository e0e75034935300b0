/**
 * Renders pages for their readers, with headers. Caches each rendered page until one of its inputs changes.
 */
import type { Hasher } from "@lectern/core/storage/Hasher"
import { MemoryBudget } from "@lectern/core/thread/MemoryBudget"
import { Effect } from "effect"
import type { HtmlChunks } from "../html/HtmlChunks.ts"
import * as Head from "../page/Head.ts"
import * as ScriptLoader from "../page/ScriptLoader.ts"
import * as SiteScripts from "../page/SiteScripts.ts"
import type { Theme } from "../page/Theme.ts"
import type { ResolvedPage } from "../reading/SitePages.ts"
import * as RenderCache from "./RenderCache.ts"
import * as RenderedPages from "./RenderedPages.ts"
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
  /** True if a page waits until all of its parts are rendered (see `RenderedPages`). */
  readonly awaitsSnippets: boolean
}

export const make = Effect.fnUntraced(function* ({
  blocks,
  files,
  hasher,
  headersOf,
  integrations,
  cacheBytes: bytes,
  awaitsSnippets,
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
      const complete = (parts: HtmlChunks) => {
        const { page: chunks, program } = ScriptLoader.withLoader(parts, scripts.loaded, origin)
        const sources = {
          ...SecurityHeaders.sourcesIn(chunks, sitePage, integrations),
          ...(program !== undefined && { loader: program }),
          callOrigins: sitePage.callableOrigins?.() ?? []
        }
        const isListed = sitePage.site.isListed && sitePage.page.isListed
        return {
          chunks,
          headers: {
            ...headersOf(Head.inlineStyle(sitePage, assets), origin, sources),
            ...(!isListed && { "x-robots-tag": "noindex" })
          }
        }
      }
      return yield* RenderedPages.render({ hasher, budget }, { sitePage, assets, complete, awaitsSnippets })
    })
    return cache.get(
      key,
      inputs,
      Effect.suspend(() => budget.runReserved(found.renderedBytes, render))
    )
  }
})
