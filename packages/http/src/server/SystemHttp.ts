/**
 * Routes outside the API: liveness (`/healthz`), readiness (`/readyz`) and the OpenAPI description (`/openapi.json`). The
 * description is created at the first request, since it is rarely requested.
 */
import { PublicUrl } from "@lectern/core/identity/PublicUrl"
import { Storage } from "@lectern/core/storage/Storage"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { errorResponse, jsonResponse } from "./Responses.ts"
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

export const systemHandlers = Effect.gen(function* () {
  const ready = yield* readyz
  const describe = yield* ApiDescriptions
  // The computation is uninterruptible, since the first client may disconnect while others wait for the result.
  const description = yield* Effect.cached(Effect.uninterruptible(describe(yield* PublicUrl)))
  return {
    "/healthz": () => healthz,
    "/readyz": () => ready,
    "/openapi.json": () =>
      Effect.map(description, (bytes) => HttpServerResponse.uint8Array(bytes, { contentType: "application/json" }))
  } satisfies Record<(typeof systemPaths)[number], PlainHandler>
})
