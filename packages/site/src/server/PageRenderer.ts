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
import type { FoundPage } from "../reading/SitePages.ts"
import * as EntityTag from "./EntityTag.ts"
import * as RenderCache from "./RenderCache.ts"
import * as SecurityHeaders from "./SecurityHeaders.ts"
import type * as SiteFiles from "./SiteFiles.ts"
import type * as SocialImages from "./SocialImages.ts"

export interface DrawingsOptions {
  readonly hasher: Pick<Hasher["Service"], "sha256">
  readonly files: ReturnType<typeof SiteFiles.make>
  readonly pictures: ReturnType<typeof SocialImages.make>
  readonly headersOf: SecurityHeaders.PageHeaders
  /** Origin of integration frames. */
  readonly integrations: string
  /** Rendering of blocks. Default: Lectern's own. */
  readonly blocks?: Theme["blocks"]
  /** Size of the cache (bytes). */
  readonly kept: number
}

/**
 * Maximum time that a page waits for code, formulas and icons that are rendered for the first time. Example: a chapter
 * with 370 formulas takes 2 seconds, or 3 if the thread has to start. Later results appear the next time the page is
 * rendered.
 */
const patience = "4 seconds"

export const make = Effect.fnUntraced(function* ({
  blocks,
  files,
  hasher,
  headersOf,
  integrations,
  kept: bytes,
  pictures
}: DrawingsOptions) {
  const kept = RenderCache.make<RenderCache.Drawing>(bytes)
  const budget = yield* MemoryBudget

  /**
   * Returns the rendered page for this reader. `origin`: origin of links to the site; empty if it is the reader's
   * origin.
   */
  return (found: FoundPage, origin: string, consent: SiteScripts.Consent) => {
    const { published, inputs } = found
    // Analytics scripts do not count views of previews.
    const scripts = SiteScripts.scriptsFor(published.preview === true ? [] : found.site.scripts, consent)
    const { page, siteBasePath } = published
    const name = [RenderCache.readerOf(published), page, scripts.needsConsent ? consent : ""].join(" ")
    const draw = Effect.gen(function* () {
      const picture = pictures.urlOf(found)
      const shown = {
        ...found.shown,
        scripts,
        ...(picture !== undefined && { socialImage: picture }),
        ...(blocks !== undefined && { dependencies: { ...found.shown.dependencies, theme: blocks } })
      }
      const assets = files.of(siteBasePath)
      const first = yield* Layout.renderPageChunks(shown, assets)
      const arriving = shown.pending?.()
      if (arriving !== undefined) yield* budget.pause(Effect.timeoutOption(arriving, patience))
      const whole = arriving === undefined ? first : yield* Layout.renderPageChunks(shown, assets)
      const { page: parts, program } = ScriptLoader.withLoader(whole, scripts.loaded, origin)
      const body = HttpBody.uint8Array(yield* HtmlChunks.encode(parts), "text/html; charset=utf-8")
      const etag = EntityTag.of(yield* HtmlChunks.hashChunks(hasher, parts))
      return {
        body,
        length: body.contentLength,
        etag,
        headers: {
          ...headersOf(Head.inlineStyle(shown, assets), origin, {
            ...SecurityHeaders.allowedIn(parts, shown, integrations),
            ...(program !== undefined && { loader: program }),
            calls: shown.callableOrigins?.() ?? []
          }),
          ...(!(shown.site.isListed && shown.page.isListed) && { "x-robots-tag": "noindex" })
        },
        isWhole: shown.isComplete?.() ?? true
      } satisfies RenderCache.Drawing
    })
    return kept.of(
      name,
      inputs,
      Effect.suspend(() => budget.take(found.drawnBytes, draw))
    )
  }
})
