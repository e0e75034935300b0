/**
 * Actions of readers on blocks of integrations. The response is the block after the action: as a fragment for scripts,
 * otherwise in a page.
 *
 * Limits: 60 actions per minute and address, 600 per minute and site. Each process counts on its own.
 */
import type { Contents } from "@lectern/core/content/Contents"
import { IntegrationsUrl } from "@lectern/core/integration/IntegrationEndpoints"
import { IntegrationRenders } from "@lectern/core/integration/placement/IntegrationRenders"
import type { PublishedContent } from "@lectern/core/publishing/PublishedUrl"
import { Threads } from "@lectern/core/thread/Threads"
import { Clock, Effect, Option } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import * as BlockForm from "../contentkit/BlockForm.ts"
import * as IntegrationBlock from "../contentkit/IntegrationBlock.ts"
import * as Blocks from "../document/Blocks.ts"
import { html } from "../html/Html.ts"
import type { Assets } from "../page/Head.ts"
import * as Layout from "../page/Layout.ts"
import type { SiteContext } from "../page/SitePage.ts"
import * as IntegrationBlocks from "../reading/IntegrationBlocks.ts"
import * as PageDocument from "../reading/PageDocument.ts"
import * as Tree from "../reading/Tree.ts"
import { RateLimiter } from "./RateLimiter.ts"
import * as SameOrigin from "./SameOrigin.ts"

export const make = Effect.fnUntraced(function* ({ contents }: { readonly contents: Contents["Service"] }) {
  const threads = yield* Threads
  const renders = yield* IntegrationRenders
  const frameOrigin = new URL(yield* IntegrationsUrl).origin
  const limiter = new RateLimiter({ perAddress: 60, perSite: 600 })

  /**
   * Responds to the form of an action. Undefined if the form is invalid or from another site, or if the reader cannot
   * see the block.
   */
  return Effect.fnUntraced(function* (
    published: PublishedContent,
    url: URL,
    request: HttpServerRequest.HttpServerRequest,
    { context, assets }: { readonly context: SiteContext; readonly assets: Assets }
  ) {
    const length = Number(request.headers["content-length"] ?? Number.NaN)
    if (!(length <= BlockForm.maxForm) || !SameOrigin.isSameOrigin(request, url)) return undefined
    const address = Option.getOrElse(request.remoteAddress, () => "")
    const seconds = limiter.retryAfter([address, published.site], yield* Clock.currentTimeMillis)
    if (seconds > 0) {
      const headers = { "retry-after": String(seconds), "cache-control": "no-store" }
      const message = `${context.dependencies.messages.pressedOften}\n`
      return {
        response: HttpServerResponse.text(message, { status: 429, headers, contentType: "text/plain; charset=utf-8" })
      }
    }
    const form = new URLSearchParams(yield* Effect.orElseSucceed(request.text, () => ""))
    const submission = BlockForm.parseSubmission(form)
    if (submission === undefined) return undefined
    const location = yield* contents.locate({ space: published.space })
    const page = yield* contents.page(location, submission.page, PageDocument.options)
    const theme = context.customization.themes.default === "dark" ? "dark" : "light"
    const { document } = yield* PageDocument.read(threads, page)
    const outcome = yield* IntegrationBlocks.handleAction(renders, published.space, document, submission, theme)
    if (outcome === undefined) return undefined
    const { basePath, siteBasePath } = published
    const blockLocation = { base: basePath, site: siteBasePath, page: page.id, frameOrigin }
    const rendering = Blocks.createBlockRenderer(context.dependencies)
    const content = html`${IntegrationBlock.renderBlock(outcome.block, outcome.result, blockLocation, rendering, outcome.dialog)}`
    if (form.get("part") === "block") {
      // If rendering fails, the client keeps the block and adds this message below the block.
      return { text: outcome.result === "failed" ? IntegrationBlock.renderFailure(rendering).text : content.text }
    }
    const tree = yield* Tree.read(contents, location)
    const entry = Tree.find(tree, page.id)
    const pageUrl = entry?.type === "document" ? Tree.urlOf(entry, { base: basePath, tree }) : basePath
    const main = html`<h1>${page.title}</h1><div class="content">${content}<p><a href="${pageUrl}">${context.dependencies.messages.backToPage}</a></p></div>`
    return { text: Layout.renderSimplePage(context, { title: page.title, main }, assets) }
  })
})
