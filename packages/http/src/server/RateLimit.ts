/**
 * Limits requests per caller and minute (default: no limit). A caller is a user that the host signed in, a valid token
 * or session, or else an address (see `RequestCounter`). Health checks and the API description are exempt.
 */
import type { Actor } from "@lectern/core/access/Actor"
import { rateLimitKey } from "@lectern/core/fetch/Addresses"
import { Tokens } from "@lectern/core/token/Tokens"
import { Hasher } from "@lectern/core/storage/Hasher"
import { Clock, Context, Effect, Exit, Option } from "effect"
import type { HttpServerRequest } from "effect/http"
import { credentialLookup } from "./AuthenticationHttp.ts"
import { HostAuthentication } from "./HostAuthentication.ts"
import { type CountedRequest, RequestCounter } from "./RequestCounter.ts"
import { systemPaths } from "./Routes.ts"

/** Requests per caller and minute; 0: no limit. Read at each request, as it may change. */
export const RequestsPerMinute = Context.Reference<() => number>("@lectern/http/server/RequestsPerMinute", {
  defaultValue: () => () => 0
})

const nameOfActor = (actor: Actor): string =>
  actor.type === "user" || actor.type === "token" ? actor.user : JSON.stringify(actor)

const isExempt = (url: string) => systemPaths.some((path) => url.startsWith(path))

/** Creates the limiter. `request` returns undefined if the request is not limited. */
export const make = Effect.gen(function* () {
  const limit = yield* RequestsPerMinute
  const hasher = yield* Hasher
  const tokens = yield* Tokens
  const clock = yield* Clock.Clock
  const authenticate = yield* HostAuthentication
  const credentialOf = yield* credentialLookup
  const callers = new RequestCounter(limit)

  /** Verifies a token that has no counter. Otherwise each invalid token would count as a new caller. */
  const callerByToken = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<string> => {
    const address = () => rateLimitKey(Option.getOrElse(request.remoteAddress, () => ""))
    const token = credentialOf(request)
    if (token === "") return Effect.sync(address)
    const name = hasher.sha256(token)
    return callers.has(name)
      ? Effect.succeed(name)
      : Effect.match(tokens.authenticate(token), { onSuccess: () => name, onFailure: address })
  }

  /** A failed sign-in is reported later, when the operation runs. */
  const callerOf = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<string> =>
    authenticate === undefined
      ? callerByToken(request)
      : Effect.flatMap(Effect.exit(authenticate(request)), (exit) =>
          Exit.isSuccess(exit) && exit.value !== undefined
            ? Effect.succeed(nameOfActor(exit.value))
            : callerByToken(request)
        )

  const isOn = () => limit() > 0
  return {
    /** Returns true if a limit is set. */
    isOn,
    request: (request: HttpServerRequest.HttpServerRequest): Effect.Effect<CountedRequest | undefined> => {
      if (!isOn() || isExempt(request.url)) return Effect.succeed(undefined)
      return Effect.zipWith(callerOf(request), Clock.currentTimeMillis, (name, now) => callers.count(name, now))
    },
    /** Counts another request of a known caller. */
    again: (name: string): CountedRequest => callers.count(name, clock.currentTimeMillisUnsafe())
  }
})
