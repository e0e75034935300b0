/**
 * The statuses that an operation may answer failures with: by its method, and by whether it names something, takes
 * a body, or wants a token, by the headers that it goes by; and what it declares itself.
 */
import { Schema } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import { conditionsOf } from "../api/Operation.ts"

export const statusesOf = (endpoint: HttpApiEndpoint.Top): ReadonlySet<number> => {
  const { error, method, middlewares, params, payload, query } = endpoint
  const isRead = method === "GET"
  const isAsked = params !== undefined || query !== undefined || (!isRead && payload.size > 0)
  const wantsToken = Array.from(middlewares).some((middleware) => "security" in middleware)
  return new Set([
    ...(isAsked ? [400] : []),
    // A visitor is not found where a user is wanted.
    ...(isAsked || wantsToken ? [404] : []),
    ...(wantsToken ? [401, 403] : []),
    // A body is looked at before it is known who takes one.
    ...(isRead ? [] : [400, 409, 413, 415]),
    ...(conditionsOf(endpoint) === "seen" ? [412] : []),
    429,
    500,
    503,
    ...Array.from(error, (body) => Number(Schema.resolveAnnotations(body)?.["httpApiStatus"]))
  ])
}
