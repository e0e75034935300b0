/**
 * Routes beside the interface: whether the server lives (`/healthz`) and can work (`/readyz`), the interface's
 * own description (`/openapi.json`) and a page to read it on (`/docs`, from files of our own). The last two
 * are made when they are first asked for, since few ever ask.
 */
import { Storage } from "@lectern/core/storage/Storage"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { errorResponse, jsonResponse } from "./Answers.ts"
import { ApiDescriptions } from "./ApiDescription.ts"
import { unwell } from "./Unwell.ts"

export const systemPaths = ["/healthz", "/readyz", "/openapi.json", "/docs"] as const

const healthz = Effect.succeed(jsonResponse({ status: "ok" }))

/** However often it is asked, the store is tried once in this time. */
const probePause = "1 second"

const readyz = Effect.gen(function* () {
  const storage = yield* Storage
  return yield* storage.probe.pipe(
    Effect.as(jsonResponse({ status: "ready" })),
    Effect.catch((failure) => Effect.succeed(errorResponse(503, unwell(failure) ?? "The data can't be used"))),
    // Whoever asked first may hang up: the others wait for the same answer.
    Effect.uninterruptible,
    Effect.cachedWithTTL(probePause)
  )
})

/** Whoever tries the interface there enters a token, so the page stands in no other. */
const alone = {
  "content-security-policy": "frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff"
}

export const SystemHttp = Layer.unwrap(
  Effect.gen(function* () {
    const ready = yield* readyz
    const describe = yield* ApiDescriptions
    // Whoever asked first may hang up: the others wait for the same answer.
    const description = yield* Effect.cached(Effect.uninterruptible(describe.json))
    const reference = yield* Effect.cached(
      Effect.uninterruptible(
        Effect.map(Effect.flatMap(description, describe.page), (html) =>
          HttpServerResponse.uint8Array(html, { contentType: "text/html", headers: alone })
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
