/** A listener on a free port of loopback, for tests of what stands around an application. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Option } from "effect"
import type { Respond } from "@lectern/http/server/HttpApp"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import * as Listener from "../src/Listener.ts"

export const at = { host: "127.0.0.1", port: 0 }

/** Returns an application for the listener. */
export const responding =
  (
    app: (request: HttpServerRequest.HttpServerRequest) => Effect.Effect<HttpServerResponse.HttpServerResponse>
  ): Respond =>
  (request) =>
    Effect.map(app(request), (response) => ({ response, headers: {} }))

/** Responds with the address of the client. */
const clientApp = responding(({ remoteAddress }) =>
  Effect.succeed(HttpServerResponse.text(Option.getOrElse(remoteAddress, () => "nobody")))
)

export const listening = Effect.fnUntraced(function* (options: Partial<Listener.ListenerOptions> = {}) {
  const { at: bound, serve } = yield* Listener.make({ at, ...options })
  yield* serve(clientApp)
  return bound
})

export const portOf = (bound: Listener.BoundAddress): number => ("port" in bound ? bound.port : 0)

export const temporary = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "lectern-listener-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
)
