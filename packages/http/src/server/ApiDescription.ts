/**
 * The OpenAPI description (see `Description`) and its HTML page, as bytes. Both are created at the first request. By
 * default the work is sliced, since it would block the event loop for half a second. A host can provide threads instead
 * (`ApiDescriptions`), which also free the memory afterwards.
 */
import { Context, Effect } from "effect"
import { type Description, description } from "../description/Description.ts"
import { page } from "../description/ReferencePage.ts"

/** Creates both documents as UTF-8. `json`: the description for the server at a URL. `page`: the HTML page for this description. */
export interface Describe {
  readonly json: (server: string) => Effect.Effect<Uint8Array>
  readonly page: (json: Uint8Array) => Effect.Effect<Uint8Array>
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()

export const describeInSlices: Describe = {
  json: Effect.fnUntraced(function* (server) {
    const apiDescription = yield* description(server)
    return encoder.encode(JSON.stringify(apiDescription))
  }),

  page: Effect.fnUntraced(function* (json) {
    const apiDescription = JSON.parse(decoder.decode(json)) as Description
    yield* Effect.yieldNow
    return encoder.encode(page(apiDescription))
  })
}

export const ApiDescriptions = Context.Reference<Describe>("@lectern/http/server/ApiDescriptions", {
  defaultValue: () => describeInSlices
})
