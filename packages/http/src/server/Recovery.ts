/**
 * Answers of what failed: what a caller can do something about is told, and whatever else goes wrong inside is logged
 * under the id of the request, which is all that the caller is told then.
 */
import { StorageError } from "@lectern/core/storage/Storage"
import { TooCostly } from "@lectern/core/thread/Threads"
import { Cause, Effect } from "effect"
import { HttpServerError, type HttpServerRequest } from "effect/http"
import { errorResponse, failureResponse, later } from "./Answers.ts"
import * as RequestBody from "./RequestBody.ts"
import { allowedMethods } from "./Routes.ts"
import { unwell } from "./Unwell.ts"
import type { ShortAnswer } from "./Written.ts"

/** No id has a `_`, behind which an invite link has its secret. */
export const pathToLog = ({ url }: HttpServerRequest.HttpServerRequest) =>
  RequestBody.pathOf(url).replace(/_[\w-]{22,}/g, "_…")

/** The answer, or one that says that something went wrong, which the log tells of. */
export const recovered = <A, E, R>(
  answer: Effect.Effect<A, E, R>,
  request: HttpServerRequest.HttpServerRequest,
  requestId: string
) => Effect.catchCause(answer, (cause) => recover(request, requestId, cause))

/** The same for an answer that has headers beside its own. */
export const recovering = <E, R>(
  answer: Effect.Effect<ShortAnswer, E, R>,
  request: HttpServerRequest.HttpServerRequest,
  requestId: string
) =>
  Effect.catchCause(answer, (cause) =>
    Effect.map(recover(request, requestId, cause), (response) => ({ response, headers: { "x-request-id": requestId } }))
  )

/** The answer to what failed. */
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
    return Effect.succeed(errorResponse(503, error.message, { headers: later }))
  }
  const unavailable = error instanceof StorageError ? unwell(error) : undefined
  return Effect.logError("A request failed", cause).pipe(
    Effect.annotateLogs({ method: request.method, path: pathToLog(request), request: requestId }),
    Effect.as(
      unavailable !== undefined
        ? errorResponse(503, unavailable, { requestId })
        : errorResponse(500, "Something went wrong on our side", { requestId })
    )
  )
}

const notRouted = (request: HttpServerRequest.HttpServerRequest) => {
  const path = RequestBody.pathOf(request.url)
  const methods = allowedMethods(path)
  // A method that the path takes was turned away for a parameter that nothing can have: too long, or ill-formed.
  return methods.length === 0 || methods.includes(request.method)
    ? errorResponse(404, `There is nothing at ${path.slice(0, 200)}`)
    : errorResponse(405, `${path.slice(0, 200)} does not take ${request.method}`, {
        headers: { allow: methods.join(", ") }
      })
}
