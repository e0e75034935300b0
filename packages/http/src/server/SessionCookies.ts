/**
 * Sessions of browsers as credentials of the API (see `core/src/token/Session.ts`). Default: the API ignores cookies. A
 * server that signs users in accepts them, only from pages of its own origin.
 */
import { isOwnRequest, sessionCookieName } from "@lectern/core/token/SessionCookie"
import { Context } from "effect"
import type { HttpServerRequest } from "effect/http"

/** Returns the secret of the session of a request. Undefined without one, or if another origin made the request. */
export type SessionOf = (
  request: Pick<HttpServerRequest.HttpServerRequest, "method" | "headers" | "cookies">
) => string | undefined

export const SessionCookies = Context.Reference<SessionOf | undefined>("@lectern/http/server/SessionCookies", {
  defaultValue: () => undefined
})

/** Returns the lookup for the server with this URL. */
export const sessionsAt = (publicUrl: string): SessionOf => {
  const name = sessionCookieName(publicUrl)
  return (request) =>
    request.headers["cookie"]?.includes(name) === true && isOwnRequest(publicUrl, request)
      ? request.cookies[name]
      : undefined
}
