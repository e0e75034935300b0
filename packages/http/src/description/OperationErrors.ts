/**
 * Error statuses of an operation, derived from its method, parameters, body, authentication and request headers, plus
 * the errors that it declares.
 */
import { Schema } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import { conditionsOf } from "../api/Operation.ts"

export const statusesOf = (endpoint: HttpApiEndpoint.Top): ReadonlySet<number> => {
  const { error, method, middlewares, params, payload, query } = endpoint
  const isRead = method === "GET"
  const hasInput = params !== undefined || query !== undefined || (!isRead && payload.size > 0)
  const wantsToken = Array.from(middlewares).some((middleware) => "security" in middleware)
  return new Set([
    ...(hasInput ? [400] : []),
    // A visitor gets 404 from operations for users.
    ...(hasInput || wantsToken ? [404] : []),
    ...(wantsToken ? [401, 403] : []),
    // A body is validated before the operation is known.
    ...(isRead ? [] : [400, 409, 413, 415]),
    ...(conditionsOf(endpoint) === "seen" ? [412] : []),
    429,
    500,
    503,
    ...Array.from(error, (body) => Number(Schema.resolveAnnotations(body)?.["httpApiStatus"]))
  ])
}
