/**
 * Routes outside the API: liveness (`/healthz`), readiness (`/readyz`), the OpenAPI description (`/openapi.json`) and a
 * page for it (`/docs`, without external resources). The last two are created at the first request, since they are
 * rarely requested.
 */
import { PublicUrl } from "@lectern/core/identity/PublicUrl"
import { Storage } from "@lectern/core/storage/Storage"
import { Effect } from "effect"
import * as Base64 from "effect/encoding/Base64"
import { HttpServerResponse } from "effect/http"
import { errorResponse, jsonResponse } from "./Responses.ts"
import { script, style } from "../description/ReferencePage.ts"
import { ApiDescriptions } from "./ApiDescription.ts"
import type { PlainHandler, systemPaths } from "./Routes.ts"
import { storageFailureMessage } from "./StorageFailure.ts"

const healthz = Effect.succeed(jsonResponse({ status: "ok" }))

/** Minimum time between two health checks of the store. */
const probeInterval = "1 second"

const readyz = Effect.gen(function* () {
  const storage = yield* Storage
  /** Message that was logged last. */
  let lastLogged: string | undefined
  const logChange = (message: string | undefined) => {
    if (message === lastLogged) return Effect.void
    lastLogged = message
    return message === undefined
      ? Effect.logInfo("The storage is available again")
      : Effect.logError(`The storage is unavailable: ${message}`)
  }
  return yield* storage.probe.pipe(
    Effect.tap(() => logChange(undefined)),
    Effect.tapError(({ message }) => logChange(message)),
    Effect.as(jsonResponse({ status: "ready" })),
    Effect.catch((failure) =>
      Effect.succeed(errorResponse(503, storageFailureMessage(failure) ?? "The storage is unavailable"))
    ),
    // The check is uninterruptible, since the first client may disconnect while others wait for the result.
    Effect.uninterruptible,
    Effect.cachedWithTTL(probeInterval)
  )
})

/** Returns the content security policy source for an inline script or style. */
const hashOf = (text: string): Effect.Effect<string> =>
  Effect.map(
    Effect.promise(() => crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))),
    (hash) => `sha256-${Base64.encode(new Uint8Array(hash))}`
  )

/** Users enter tokens on this page, so it can't be framed and runs only its own script. */
const pageHeaders = Effect.map(Effect.all([hashOf(script), hashOf(style)]), ([script, style]) => ({
  "content-security-policy":
    `default-src 'none'; script-src '${script}'; style-src '${style}'; connect-src 'self'; ` +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff"
}))

export const systemHandlers = Effect.gen(function* () {
  const ready = yield* readyz
  const describe = yield* ApiDescriptions
  // The computation is uninterruptible, since the first client may disconnect while others wait for the result.
  const description = yield* Effect.cached(Effect.uninterruptible(describe.json(yield* PublicUrl)))
  const reference = yield* Effect.cached(
    Effect.uninterruptible(
      Effect.zipWith(Effect.flatMap(description, describe.page), pageHeaders, (html, headers) =>
        HttpServerResponse.uint8Array(html, { contentType: "text/html", headers })
      )
    )
  )
  return {
    "/healthz": () => healthz,
    "/readyz": () => ready,
    "/openapi.json": () =>
      Effect.map(description, (bytes) => HttpServerResponse.uint8Array(bytes, { contentType: "application/json" })),
    "/docs": () => reference
  } satisfies Record<(typeof systemPaths)[number], PlainHandler>
})
