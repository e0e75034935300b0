/**
 * A sign-in of the application that embeds the interface: says who sends a request, by whatever the application knows
 * its users by (a cookie of its session, a token of its identity provider). It is asked before the token of a request
 * is looked at, once for each request and only where it counts who asks; undefined leaves the request to its token.
 *
 * Default: there is none, and tokens of Lectern's alone count. Where there is one, no answer is kept (see
 * `ResponseCache`), since what a request shows does not tell whose it is; and answers that don't say otherwise say
 * that they are private. One that fails is a 500, which the log tells of.
 */
import type { Actor } from "@lectern/core/access/Actor"
import * as Moment from "@lectern/core/moment/Moment"
import { hour, LastSeen } from "@lectern/core/user/LastSeen"
import { Context, Effect, Exit } from "effect"
import type { HttpServerRequest } from "effect/http"

/** Its body may have been read: headers and URL are what to go by. */
export type Authenticate = (request: HttpServerRequest.HttpServerRequest) => Effect.Effect<Actor | undefined>

export const HostAuthentication = Context.Reference<Authenticate | undefined>(
  "@lectern/http/server/HostAuthentication",
  { defaultValue: () => undefined }
)

/** Asks once for each request, however often it is asked, and notes that the user was there. */
const once = Effect.fnUntraced(function* (authenticate: Authenticate): Effect.fn.Return<Authenticate, never, LastSeen> {
  const lastSeen = yield* LastSeen
  const known = new WeakMap<object, Exit.Exit<Actor | undefined>>()
  const ask = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
    const actor = yield* authenticate(request)
    if (actor?.type === "user") lastSeen.note(actor.user, actor.token, yield* Moment.windowOf(hour))
    return actor
  })
  return (request) =>
    Effect.suspend(
      () =>
        known.get(request.source) ??
        Effect.onExit(ask(request), (exit) => Effect.sync(() => known.set(request.source, exit)))
    )
})

/** Makes an application whose parts all ask together. */
export const askedOnce = <A, E, R>(app: Effect.Effect<A, E, R>): Effect.Effect<A, E, R | LastSeen> =>
  Effect.gen(function* () {
    const authenticate = yield* HostAuthentication
    return yield* authenticate === undefined
      ? app
      : Effect.provideService(app, HostAuthentication, yield* once(authenticate))
  })
