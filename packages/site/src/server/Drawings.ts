/**
 * Pages as they are drawn for their readers, with their headers, and kept for as long as they are made of the same.
 */
import type { Hasher } from "@lectern/core/storage/Hasher"
import { MemoryBudget } from "@lectern/core/thread/MemoryBudget"
import { Effect } from "effect"
import { HttpBody } from "effect/http"
import * as InSlices from "../html/InSlices.ts"
import * as Head from "../page/Head.ts"
import * as Layout from "../page/Layout.ts"
import * as ScriptLoader from "../page/ScriptLoader.ts"
import * as SiteScripts from "../page/SiteScripts.ts"
import type { Theme } from "../page/Theme.ts"
import type { FoundPage } from "../reading/SitePages.ts"
import * as KeptPages from "./KeptPages.ts"
import * as Policy from "./Policy.ts"
import type * as SiteFiles from "./SiteFiles.ts"
import type * as SocialPictures from "./SocialPictures.ts"

export interface DrawingsOptions {
  readonly hasher: Pick<Hasher["Service"], "sha256">
  readonly files: ReturnType<typeof SiteFiles.make>
  readonly pictures: ReturnType<typeof SocialPictures.make>
  readonly headersOf: Policy.PageHeaders
  /** The origin of frames of integrations. */
  readonly integrations: string
  /** How blocks look. Default: as those of Lectern do. */
  readonly blocks?: Theme["blocks"]
  /** Bytes. */
  readonly kept: number
}

/**
 * How long a page waits for code, formulas and icons that nobody drew before: a chapter of mathematics with 370
 * formulas takes two seconds, three where the thread begins with it. What comes later is in the next drawing.
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
  const kept = KeptPages.make<KeptPages.Drawing>(bytes)
  const budget = yield* MemoryBudget

  /** The page for this reader. `origin`: of links to the site, where that is another than the reader's. */
  return (found: FoundPage, origin: string, consent: SiteScripts.Consent) => {
    const { published, inputs } = found
    // Whoever looks at a preview is no reader to be counted.
    const scripts = SiteScripts.of(published.preview === true ? [] : found.site.scripts, consent)
    const { page, siteBasePath } = published
    const name = [KeptPages.readerOf(published), page, scripts.isAsked ? consent : ""].join(" ")
    const draw = Effect.gen(function* () {
      const picture = pictures.urlOf(found)
      const shown = {
        ...found.shown,
        scripts,
        ...(picture !== undefined && { picture }),
        ...(blocks !== undefined && { parts: { ...found.shown.parts, theme: blocks } })
      }
      const assets = files.of(siteBasePath)
      const first = yield* Layout.pageInSlices(shown, assets)
      const arriving = shown.arriving?.()
      if (arriving !== undefined) yield* budget.pause(Effect.timeoutOption(arriving, patience))
      const whole = arriving === undefined ? first : yield* Layout.pageInSlices(shown, assets)
      const { page: parts, program } = ScriptLoader.of(whole, scripts.loaded, origin)
      const body = HttpBody.uint8Array(yield* InSlices.bytes(parts), "text/html; charset=utf-8")
      const etag = `"${(yield* InSlices.hash(hasher, parts)).slice(0, 22)}"`
      return {
        body,
        length: body.contentLength,
        etag,
        headers: {
          ...headersOf(Head.inlineStyle(shown, assets), origin, {
            ...Policy.allowedIn(parts, shown, integrations),
            ...(program !== undefined && { loader: program }),
            calls: shown.calls?.() ?? []
          }),
          ...(!(shown.site.isListed && shown.page.isListed) && { "x-robots-tag": "noindex" })
        },
        isWhole: shown.isWhole?.() ?? true
      } satisfies KeptPages.Drawing
    })
    return kept.of(
      name,
      inputs,
      Effect.suspend(() => budget.take(found.drawnBytes, draw))
    )
  }
})
