/**
 * Keeps the parts of a body that are too large to be unfolded on the event loop (see `JsonBody`) beside the
 * request.
 */
import * as JsonBody from "@lectern/core/schema/JsonBody"
import type { HttpServerRequest } from "effect/http"

type Request = HttpServerRequest.HttpServerRequest

const parts = new WeakMap<Request, JsonBody.Rest["parts"]>()

export const keep = (request: Request, ofBody: JsonBody.Rest["parts"]): void => {
  if (ofBody.length > 0) parts.set(request, ofBody)
}

/** The payload of a request with its parts where they belong. */
export const fill = (request: Request, payload: unknown): unknown => {
  const ofBody = parts.get(request)
  return ofBody === undefined ? payload : JsonBody.filled(payload, ofBody)
}
