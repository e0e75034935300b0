/**
 * Maps failures to responses. Errors that a client can act on are described; all others are logged under the request
 * id, which is all that the client gets.
 */
import { StorageError } from "@lectern/core/storage/Storage"
import { TooCostly } from "@lectern/core/thread/Threads"
import { Cause, Effect } from "effect"
import { HttpServerError, type HttpServerRequest } from "effect/http"
import { errorResponse, failureResponse, retryLater } from "./Responses.ts"
import * as RequestBody from "./RequestBody.ts"
import { allowedMethods } from "./Routes.ts"
import { storageFailureMessage } from "./StorageFailure.ts"
import type { ResponseWithHeaders } from "./WireResponse.ts"

/**
 * Returns the path of a request without secrets. The secret of an invite link follows a `_`, which ids don't contain.
 */
export const pathToLog = ({ url }: HttpServerRequest.HttpServerRequest) =>
  RequestBody.pathOf(url).replace(/_[\w-]{22,}/g, "_…")

/** Runs a handler. A failure becomes an error response and is logged. */
export const withRecovery = <A, E, R>(
  answer: Effect.Effect<A, E, R>,
  request: HttpServerRequest.HttpServerRequest,
  requestId: string
) => Effect.catchCause(answer, (cause) => recover(request, requestId, cause))

/** Like `withRecovery`, for a response with additional headers. */
export const withShortRecovery = <E, R>(
  answer: Effect.Effect<ResponseWithHeaders, E, R>,
  request: HttpServerRequest.HttpServerRequest,
  requestId: string
) =>
  Effect.catchCause(answer, (cause) =>
    Effect.map(recover(request, requestId, cause), (response) => ({ response, headers: { "x-request-id": requestId } }))
  )

/** Returns the error response for a cause. */
export const recover = (
  request: HttpServerRequest.HttpServerRequest,
  requestId: string,
  cause: Cause.Cause<unknown>
) => {
  if (Cause.hasInterruptsOnly(cause)) return Effect.interrupt
  const error = Cause.squash(cause)
  if (HttpServerError.isHttpServerError(error) && error.reason._tag === "RouteNotFound") {
    return Effect.succeed(notRouted(request))
  }
  if (error instanceof TooCostly) return Effect.succeed(failureResponse(error))
  if (error instanceof StorageError && error.reason === "busy") {
    return Effect.succeed(errorResponse(503, error.message, { headers: retryLater }))
  }
  const unavailable = error instanceof StorageError ? storageFailureMessage(error) : undefined
  return Effect.logError("A request failed", cause).pipe(
    Effect.annotateLogs({ method: request.method, path: pathToLog(request), request: requestId }),
    Effect.as(
      unavailable !== undefined
        ? errorResponse(503, unavailable, { requestId })
        : errorResponse(500, "Internal server error", { requestId })
    )
  )
}

const notRouted = (request: HttpServerRequest.HttpServerRequest) => {
  const path = RequestBody.pathOf(request.url)
  const methods = allowedMethods(path)
  // If the method is allowed, the router rejected the path, because a parameter is too long or malformed.
  return methods.length === 0 || methods.includes(request.method)
    ? errorResponse(404, `No resource at ${path.slice(0, 200)}`)
    : errorResponse(405, `${path.slice(0, 200)} does not support ${request.method}`, {
        headers: { allow: methods.join(", ") }
      })
}
