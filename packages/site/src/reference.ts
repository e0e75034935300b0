/**
 * The reference of the API, or of another API, as one function from `Request` to `Response`. It has a page for each tag
 * of the specification, a search, and a form to call each operation.
 *
 * ```ts
 * const http = await fetchHandler(lectern)
 * const docs = await referenceHandler(lectern, {
 *   url: "https://docs.example.com/docs",
 *   specUrl: "https://docs.example.com/openapi.json",
 *   spec: async () => (await http.fetch(new Request("https://docs.example.com/openapi.json"))).text()
 * })
 * ```
 *
 * The handler responds to all paths that start with the path of `url`.
 */
import type { EmbeddedLectern } from "@lectern/core/EmbeddedLectern"
import { Effect } from "effect"
import { HttpEffect, HttpServerRequest } from "effect/http"
import * as ReferenceApp from "./server/ReferenceApp.ts"

export interface ReferenceOptions extends Omit<ReferenceApp.ReferenceAppOptions, "spec"> {
  /** Returns the specification as JSON. Called once. */
  readonly spec: () => Promise<string>
}

export const referenceHandler = (
  lectern: EmbeddedLectern,
  { spec, ...options }: ReferenceOptions
): Promise<(request: Request) => Promise<Response>> =>
  lectern.run(
    Effect.gen(function* () {
      const app = yield* ReferenceApp.make({ ...options, spec: Effect.promise(spec) })
      return HttpEffect.toWebHandler(
        Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => app.respond(request))
      )
    })
  )
