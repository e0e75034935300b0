/**
 * The OpenAPI description (see `Description`) as bytes, created at the first request. By default the work is sliced,
 * since it would block the event loop for half a second. A host can provide a thread or a description that was built in
 * advance instead (`ApiDescriptions`).
 */
import { Context, Effect } from "effect"
import { description } from "../description/Description.ts"

/** Creates the description of the server at a URL, as UTF-8. */
export type Describe = (server: string) => Effect.Effect<Uint8Array>

/** URL of the server in a description that is built in advance (see `withServer`). */
export const placeholderServer = "https://server.invalid"

/** Returns the JSON of a description for another server than `placeholderServer`. */
export const withServer = (json: string, server: string): string =>
  json.replace(JSON.stringify(placeholderServer), () => JSON.stringify(server))

const encoder = new TextEncoder()

export const describeInSlices: Describe = (server) =>
  Effect.map(description(server), (apiDescription) => encoder.encode(JSON.stringify(apiDescription)))

export const ApiDescriptions = Context.Reference<Describe>("@lectern/http/server/ApiDescriptions", {
  defaultValue: () => describeInSlices
})
