/**
 * The OpenAPI description of the API, as JSON, built in advance. It has a placeholder for the URL of the server, which a
 * server replaces (see `withServer`).
 */
import { description } from "@lectern/http/description/Description"
import { placeholderServer } from "@lectern/http/server/ApiDescription"
import { Effect } from "effect"

export const openApi = async (): Promise<string> =>
  JSON.stringify(await Effect.runPromise(description(placeholderServer)))
