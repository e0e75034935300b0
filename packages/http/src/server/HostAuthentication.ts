/**
 * Sign-in of the embedding application: identifies the sender of a request by the application's own means, such as a
 * session cookie or a token of its identity provider. It runs before the token of a request is checked, at most once
 * per request, and only if the sender matters. `undefined` falls back to the token.
 *
 * Default: none; only tokens of Lectern count. With a sign-in, responses are not cached (see `ResponseCache`), since
 * the request does not show its sender, and responses without `Cache-Control` become private. A failure is logged and
 * becomes a 500 response.
 */
import type { Actor } from "@lectern/core/access/Actor"
import { hour } from "@lectern/core/time/Hour"
import * as TimeDependency from "@lectern/core/time/TimeDependency"
import { LastSeen } from "@lectern/core/user/LastSeen"
import { Context, Effect, Exit } from "effect"
import type { HttpServerRequest } from "effect/http"

/** Must use only URL and headers, since the body may already be consumed. */
export type Authenticate = (request: HttpServerRequest.HttpServerRequest) => Effect.Effect<Actor | undefined>

export const HostAuthentication = Context.Reference<Authenticate | undefined>(
  "@lectern/http/server/HostAuthentication",
  { defaultValue: () => undefined }
)

/** Runs a sign-in once per request, and records when the user was last seen. */
const authenticateOnce = Effect.fnUntraced(function* (
  authenticate: Authenticate
): Effect.fn.Return<Authenticate, never, LastSeen> {
  const lastSeen = yield* LastSeen
  const exits = new WeakMap<object, Exit.Exit<Actor | undefined>>()
  const authenticateAndNote = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
    const actor = yield* authenticate(request)
    if (actor?.type === "user") lastSeen.note(actor.user, actor.token, yield* TimeDependency.windowOf(hour))
    return actor
  })
  return (request) =>
    Effect.suspend(
      () =>
        exits.get(request.source) ??
        Effect.onExit(authenticateAndNote(request), (exit) => Effect.sync(() => exits.set(request.source, exit)))
    )
})

/** Creates an application whose parts share one authentication per request. */
export const withAuthenticateOnce = <A, E, R>(app: Effect.Effect<A, E, R>): Effect.Effect<A, E, R | LastSeen> =>
  Effect.gen(function* () {
    const authenticate = yield* HostAuthentication
    return yield* authenticate === undefined
      ? app
      : Effect.provideService(app, HostAuthentication, yield* authenticateOnce(authenticate))
  })
