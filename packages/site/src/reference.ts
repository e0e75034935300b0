/**
 * The reference of the API, or of another API, as one function from `Request` to `Response`. It has a page for each tag
 * of the specification, a search, and a form to call each operation.
 *
 * ```ts
 * const api = await apiHandler(lectern)
 * const docs = await referenceHandler(lectern, {
 *   url: "https://docs.example.com/docs",
 *   specUrl: "https://docs.example.com/openapi.json",
 *   spec: async () => (await api.fetch(new Request("https://docs.example.com/openapi.json"))).text()
 * })
 * ```
 *
 * The handler responds to the path of `url` and all paths below it. For other paths the result is undefined.
 */
import type { EmbeddedLectern } from "@lectern/core/EmbeddedLectern"
import * as MountPath from "@lectern/core/MountPath"
import { checkOptions, type OptionNames } from "@lectern/core/schema/OptionNames"
import { Effect } from "effect"
import { HttpEffect, HttpServerRequest } from "effect/http"
import { themeNames } from "./page/Theme.ts"
import * as ReferenceApp from "./server/ReferenceApp.ts"

export interface ReferenceOptions extends Omit<ReferenceApp.ReferenceAppOptions, "spec"> {
  /** Returns the specification as JSON. Called once. */
  readonly spec: () => Promise<string>
}

export interface ReferenceHandler {
  readonly fetch: (request: Request) => Promise<Response | undefined>
}

const optionNames: OptionNames<ReferenceOptions> = {
  url: true,
  specUrl: true,
  spec: true,
  introduction: true,
  fonts: true,
  theme: themeNames
}

/** Creates the handler. Rejects with `InvalidInput` if `url` is not a URL, and for an unknown option. */
export const referenceHandler = (lectern: EmbeddedLectern, allOptions: ReferenceOptions): Promise<ReferenceHandler> =>
  lectern.run(
    Effect.gen(function* () {
      checkOptions(optionNames, allOptions)
      const { spec, ...options } = allOptions
      const path = yield* MountPath.parse(options.url)
      const app = yield* ReferenceApp.make({ ...options, spec: Effect.promise(spec) })
      const respond = HttpEffect.toWebHandler(
        Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => app.respond(request))
      )
      return {
        fetch: (request) =>
          MountPath.contains(path, new URL(request.url).pathname) ? respond(request) : Promise.resolve(undefined)
      }
    })
  )
