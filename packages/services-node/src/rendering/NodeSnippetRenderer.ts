/**
 * Implements `SnippetRenderer` in a thread: Shiki highlights code, MathJax renders formulas, Font Awesome Free has the icons,
 * and Takumi renders pictures of pages. The thread starts with the first request and ends after a minute without
 * requests. A kind that fails because of the machine is logged once.
 *
 * The thread has no network access. Logos in pictures are fetched outside of it, and the last 4 MiB of logos are
 * cached.
 *
 * Limits: 512 KiB and 5 seconds for a logo; 10 seconds for each request to the thread, 512 MiB of memory. A request
 * that exceeds a limit has no result and does not affect others.
 */
import { type RenderedSnippet, SnippetRenderer, type SnippetRequest } from "@lectern/site/rendering/SnippetRenderer"
import type { SocialImage } from "@lectern/site/rendering/SocialImage"
import { GuardedFetch } from "@lectern/core/fetch/GuardedFetch"
import { LruCache } from "@lectern/core/storage/LruCache"
import { Effect, Layer } from "effect"
import * as ThreadOnDemand from "../thread/ThreadOnDemand.ts"

/** A request for a picture of a page. The other kinds of requests are for parts of pages. */
export interface PictureRequest {
  readonly kind: "picture"
  readonly picture: SocialImage
  readonly logo?: Uint8Array
}

/** The reason why this machine cannot render a kind of content. */
export interface RenderFailure {
  readonly failed: string
}

export type RenderResult = RenderedSnippet | Uint8Array | RenderFailure | undefined

const timeout = "10 seconds"
const logoBytes = 512 * 1024
const logoCacheBytes = 4 * 1024 * 1024
const idle = "1 minute"

const make = Effect.gen(function* () {
  const fetcher = yield* GuardedFetch
  const logos = new LruCache<string, Uint8Array | "broken">(logoCacheBytes)
  const send = yield* ThreadOnDemand.make<ReadonlyArray<SnippetRequest | PictureRequest>, ReadonlyArray<RenderResult>>(
    import.meta.url,
    "SnippetWorker",
    { idle }
  )

  const logged = new Set<string>()
  const logOnce = (kind: (SnippetRequest | PictureRequest)["kind"], { failed }: RenderFailure) =>
    Effect.suspend(() => {
      if (logged.has(kind)) return Effect.void
      logged.add(kind)
      return Effect.logWarning(`Nothing of the kind "${kind}" can be drawn for pages here: ${failed}`)
    })

  const render = (requests: ReadonlyArray<SnippetRequest | PictureRequest>) =>
    Effect.flatMap(send(requests, timeout), (results) =>
      Effect.forEach(results, (result, index) =>
        result !== undefined && "failed" in result
          ? Effect.as(logOnce(requests[index]!.kind, result), undefined)
          : Effect.succeed(result)
      )
    )

  /** Fetches a logo. Undefined if it cannot be fetched, is not an image, or was not rendered earlier. */
  const logoAt = Effect.fnUntraced(
    function* (url: string) {
      const cachedLogo = logos.get(url)
      if (cachedLogo !== undefined) return cachedLogo === "broken" ? undefined : cachedLogo
      const fetched = yield* fetcher.fetch(url, { maxBytes: logoBytes, timeout: "5 seconds", accept: "image/*" })
      if (!/^image\/(?:png|jpeg|webp|gif|svg\+xml)\b/i.test(fetched.contentType ?? "")) return undefined
      logos.set(url, fetched.bytes, fetched.bytes.length + 200)
      return fetched.bytes
    },
    Effect.orElseSucceed(() => undefined)
  )

  /** Renders one request. Undefined if it ends the thread. */
  const renderOne = (request: SnippetRequest | PictureRequest) =>
    render([request]).pipe(
      Effect.map(([painted]) => painted),
      Effect.catchTag("ThreadLost", () => Effect.undefined)
    )

  return {
    // If a batch ends the thread, each request of the batch is repeated separately.
    render: (requests: ReadonlyArray<SnippetRequest>) =>
      render(requests).pipe(
        Effect.catchTag("ThreadLost", () => Effect.forEach(requests, renderOne)),
        Effect.map((results) => results.map((result) => (result instanceof Uint8Array ? undefined : result)))
      ),

    socialImage: Effect.fnUntraced(function* (picture: SocialImage) {
      const logo = picture.logo === undefined ? undefined : yield* logoAt(picture.logo)
      const withLogo = logo && (yield* renderOne({ kind: "picture", picture, logo }))
      if (logo !== undefined && withLogo === undefined) logos.set(picture.logo!, "broken", 200)
      // A logo that cannot be rendered is left out of the picture.
      const png = withLogo ?? (yield* renderOne({ kind: "picture", picture }))
      return png instanceof Uint8Array ? png : undefined
    })
  }
})

export interface NodeSnippetRendererOptions {
  /** Fetches logos for pictures of pages. Default: no logos. */
  readonly fetch?: Layer.Layer<GuardedFetch>
}

const layer = ({ fetch = GuardedFetch.layer }: NodeSnippetRendererOptions = {}) =>
  Layer.provide(Layer.effect(SnippetRenderer, make), fetch)

export const NodeSnippetRenderer = { layer }
