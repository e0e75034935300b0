/**
 * The interface's own description (see `Description`), and the page to read it on, as bytes. Both are made when
 * they are first asked for: by default in steps, so that nobody else waits for long, since all at once would take
 * half a second. A host may bring threads (`ApiDescriptions`), which also give back what it took.
 */
import { Context, Effect } from "effect"
import { type Description, description } from "../description/Description.ts"
import { page } from "../description/ReferencePage.ts"

/** As UTF-8: the description as JSON, of a server at a URL, and the page as HTML around it. */
export interface Describe {
  readonly json: (server: string) => Effect.Effect<Uint8Array>
  readonly page: (json: Uint8Array) => Effect.Effect<Uint8Array>
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()

export const inSteps: Describe = {
  json: Effect.fnUntraced(function* (server) {
    const made = yield* description(server)
    return encoder.encode(JSON.stringify(made))
  }),

  page: Effect.fnUntraced(function* (json) {
    const made = JSON.parse(decoder.decode(json)) as Description
    yield* Effect.yieldNow
    return encoder.encode(page(made))
  })
}

export const ApiDescriptions = Context.Reference<Describe>("@lectern/http/server/ApiDescription", {
  defaultValue: () => inSteps
})
