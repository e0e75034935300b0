/**
 * Maps failures to responses. Errors that a client can act on are described; all others are logged under the request
 * id, which is all that the client gets.
 */
import { StorageError } from "@lectern/core/storage/Storage"
import { TooCostly } from "@lectern/core/thread/Threads"
import { Cause, Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { errorResponse, failureResponse, retryLater } from "./Responses.ts"
import * as RequestBody from "./RequestBody.ts"
import { allowedMethods } from "./Routes.ts"
import { storageFailureMessage } from "./StorageFailure.ts"

/**
 * Returns the path of a request without secrets. The secret of an invite link follows a `_`, which ids don't contain.
 */
export const pathToLog = ({ url }: HttpServerRequest.HttpServerRequest) =>
  RequestBody.pathOf(url).replace(/_[\w-]{22,}/g, "_…")

/** Returns the error response for a cause. */
export const recover = (
  request: HttpServerRequest.HttpServerRequest,
  requestId: string,
  cause: Cause.Cause<unknown>
) => {
  if (Cause.hasInterruptsOnly(cause)) return Effect.interrupt
  const error = Cause.squash(cause)
  if (error instanceof TooCostly) return Effect.succeed(failureResponse(error))
  if (error instanceof StorageError && error.reason === "busy") {
    return Effect.succeed(errorResponse(503, error.message, { headers: retryLater }))
  }
  const unavailable = error instanceof StorageError ? storageFailureMessage(error) : undefined
  const mayRetry = error instanceof StorageError && (error.reason === "contended" || error.reason === "unavailable")
  return Effect.logError("A request failed", cause).pipe(
    Effect.annotateLogs({ method: request.method, path: pathToLog(request), request: requestId }),
    Effect.as(
      unavailable !== undefined
        ? errorResponse(503, unavailable, { requestId, ...(mayRetry && { headers: retryLater }) })
        : errorResponse(500, "Internal server error", { requestId })
    )
  )
}

/** Returns the response for a path without a route. */
export const notRouted = (request: HttpServerRequest.HttpServerRequest) => {
  const path = RequestBody.pathOf(request.url)
  const methods = allowedMethods(path)
  return methods.length === 0
    ? errorResponse(404, `No resource at ${path.slice(0, 200)}`)
    : errorResponse(405, `${path.slice(0, 200)} does not support ${request.method}`, {
        headers: { allow: methods.join(", ") }
      })
}
