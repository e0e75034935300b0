/**
 * `Painter` in a thread: Shiki marks words of code, MathJax sets formulas, icons are those of Font Awesome Free, pictures
 * of pages are drawn by Takumi. The thread begins with the first that is wanted, and ends when there was nothing to do
 * for a while. What the machine doesn't let it draw is logged, once for each kind.
 *
 * Logos in pictures are fetched apart from the thread, and the last 4 MiB of them kept.
 *
 * Limits: 512 KiB and 5 seconds for a logo; 10 seconds for each of what is wanted, 512 MiB of memory. What takes more is
 * not drawn, and harms nothing else.
 */
import { type Painted, Painter, type Wanted } from "@lectern/site/painting/Painter"
import type { SocialPicture } from "@lectern/site/painting/SocialPicture"
import { GuardedFetch } from "@lectern/core/fetch/GuardedFetch"
import { LruCache } from "@lectern/core/storage/LruCache"
import { Effect, Layer } from "effect"
import * as ThreadOnDemand from "../thread/ThreadOnDemand.ts"

/** Asks for a picture, beside what stands in pages. */
export interface Picture {
  readonly kind: "picture"
  readonly picture: SocialPicture
  readonly logo?: Uint8Array
}

/** Says why nothing of a kind can be drawn on this machine. */
export interface Failed {
  readonly failed: string
}

export type Drawn = Painted | Uint8Array | Failed | undefined

const patience = "10 seconds"
const logoBytes = 512 * 1024
const keptLogos = 4 * 1024 * 1024
const idle = "1 minute"

const make = Effect.gen(function* () {
  const fetcher = yield* GuardedFetch
  const logos = new LruCache<string, Uint8Array | "broken">(keptLogos)
  const askThread = yield* ThreadOnDemand.make<ReadonlyArray<Wanted | Picture>, ReadonlyArray<Drawn>>(
    import.meta.url,
    "PaintWorker",
    { idle }
  )

  const complained = new Set<string>()
  const complain = (kind: (Wanted | Picture)["kind"], { failed }: Failed) =>
    Effect.suspend(() => {
      if (complained.has(kind)) return Effect.void
      complained.add(kind)
      return Effect.logWarning(`Nothing of the kind "${kind}" can be drawn for pages here: ${failed}`)
    })

  const ask = (wanted: ReadonlyArray<Wanted | Picture>) =>
    Effect.flatMap(askThread(wanted, patience), (drawn) =>
      Effect.forEach(drawn, (one, at) =>
        one !== undefined && "failed" in one
          ? Effect.as(complain(wanted[at]!.kind, one), undefined)
          : Effect.succeed(one)
      )
    )

  /** Undefined where there is none, or nobody fetches. */
  const logoAt = Effect.fnUntraced(
    function* (url: string) {
      const known = logos.get(url)
      if (known !== undefined) return known === "broken" ? undefined : known
      const fetched = yield* fetcher.fetch(url, { maxBytes: logoBytes, timeout: "5 seconds", accept: "image/*" })
      if (!/^image\/(?:png|jpeg|webp|gif|svg\+xml)\b/i.test(fetched.contentType ?? "")) return undefined
      logos.set(url, fetched.bytes, fetched.bytes.length + 200)
      return fetched.bytes
    },
    Effect.orElseSucceed(() => undefined)
  )

  /** One that ends the thread is not drawn. */
  const askOne = (wanted: Wanted | Picture) =>
    ask([wanted]).pipe(
      Effect.map(([painted]) => painted),
      Effect.catchTag("ThreadLost", () => Effect.undefined)
    )

  return {
    // Of several that ended it together each is asked for again by itself.
    paint: (wanted: ReadonlyArray<Wanted>) =>
      ask(wanted).pipe(
        Effect.catchTag("ThreadLost", () => Effect.forEach(wanted, askOne)),
        Effect.map((all) => all.map((one) => (one instanceof Uint8Array ? undefined : one)))
      ),

    picture: Effect.fnUntraced(function* (picture: SocialPicture) {
      const logo = picture.logo === undefined ? undefined : yield* logoAt(picture.logo)
      const withLogo = logo && (yield* askOne({ kind: "picture", picture, logo }))
      if (logo !== undefined && withLogo === undefined) logos.set(picture.logo!, "broken", 200)
      // A logo that can't be drawn costs the logo, and not the picture.
      const png = withLogo ?? (yield* askOne({ kind: "picture", picture }))
      return png instanceof Uint8Array ? png : undefined
    })
  }
})

export interface NodePainterOptions {
  /** Fetches logos for pictures of pages. Default: there are none in them. */
  readonly fetch?: Layer.Layer<GuardedFetch>
}

const layer = ({ fetch = GuardedFetch.layer }: NodePainterOptions = {}) =>
  Layer.provide(Layer.effect(Painter, make), fetch)

export const NodePainter = { layer }
