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
    // Operations for users return 404 to visitors.
    ...(hasInput || wantsToken ? [404] : []),
    ...(wantsToken ? [401, 403] : []),
    // Each operation with a body has these errors, since a body is validated before the operation is known.
    ...(isRead ? [] : [400, 409, 413, 415]),
    ...(conditionsOf(endpoint) === "seen" ? [412] : []),
    429,
    500,
    503,
    ...Array.from(error, (body) => Number(Schema.resolveAnnotations(body)?.["httpApiStatus"]))
  ])
}
