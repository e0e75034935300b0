/**
 * Routes beside the interface: whether the server lives (`/healthz`) and can work (`/readyz`), the interface's
 * own description (`/openapi.json`) and a page to read it on (`/docs`, from files of our own). The last two
 * are made when they are first asked for, since few ever ask.
 */
import { PublicUrl } from "@lectern/core/identity/PublicUrl"
import { Storage } from "@lectern/core/storage/Storage"
import { Effect, Layer } from "effect"
import * as Base64 from "effect/encoding/Base64"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { errorResponse, jsonResponse } from "./Answers.ts"
import { script, style } from "../description/ReferencePage.ts"
import { ApiDescriptions } from "./ApiDescription.ts"
import { unwell } from "./Unwell.ts"

export const systemPaths = ["/healthz", "/readyz", "/openapi.json", "/docs"] as const

const healthz = Effect.succeed(jsonResponse({ status: "ok" }))

/** However often it is asked, the store is tried once in this time. */
const probePause = "1 second"

const readyz = Effect.gen(function* () {
  const storage = yield* Storage
  /** The last that the log was told. */
  let told: string | undefined
  const tell = (message: string | undefined) => {
    if (message === told) return Effect.void
    told = message
    return message === undefined
      ? Effect.logInfo("The data can be used again")
      : Effect.logError(`The data can't be used: ${message}`)
  }
  return yield* storage.probe.pipe(
    Effect.tap(() => tell(undefined)),
    Effect.tapError(({ message }) => tell(message)),
    Effect.as(jsonResponse({ status: "ready" })),
    Effect.catch((failure) => Effect.succeed(errorResponse(503, unwell(failure) ?? "The data can't be used"))),
    // Whoever asked first may hang up: the others wait for the same answer.
    Effect.uninterruptible,
    Effect.cachedWithTTL(probePause)
  )
})

/** A source of a content security policy: just this text. */
const hashOf = (text: string): Effect.Effect<string> =>
  Effect.map(
    Effect.promise(() => crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))),
    (hash) => `sha256-${Base64.encode(new Uint8Array(hash))}`
  )

/** Whoever tries the interface there enters a token, so the page stands in no other, and runs its own script alone. */
const alone = Effect.map(Effect.all([hashOf(script), hashOf(style)]), ([script, style]) => ({
  "content-security-policy":
    `default-src 'none'; script-src '${script}'; style-src '${style}'; connect-src 'self'; ` +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff"
}))

export const SystemHttp = Layer.unwrap(
  Effect.gen(function* () {
    const ready = yield* readyz
    const describe = yield* ApiDescriptions
    // Whoever asked first may hang up: the others wait for the same answer.
    const description = yield* Effect.cached(Effect.uninterruptible(describe.json(yield* PublicUrl)))
    const reference = yield* Effect.cached(
      Effect.uninterruptible(
        Effect.zipWith(Effect.flatMap(description, describe.page), alone, (html, headers) =>
          HttpServerResponse.uint8Array(html, { contentType: "text/html", headers })
        )
      )
    )
    return Layer.mergeAll(
      HttpRouter.add("GET", "/healthz", healthz),
      HttpRouter.add("GET", "/readyz", ready),
      HttpRouter.add(
        "GET",
        "/openapi.json",
        Effect.map(description, (bytes) => HttpServerResponse.uint8Array(bytes, { contentType: "application/json" }))
      ),
      HttpRouter.add("GET", "/docs", reference)
    )
  })
)
