/**
 * How many requests a caller may make in a minute (default: as many as it likes). Counted is each
 * user whom the host signs in and each token for itself, and whoever has none that is good by its address (see
 * `RequestCounter`). Health checks and the interface's own description are free.
 */
import type { Actor } from "@lectern/core/access/Actor"
import { countedAs } from "@lectern/core/fetch/Addresses"
import { Tokens } from "@lectern/core/token/Tokens"
import { Hasher } from "@lectern/core/storage/Hasher"
import { Clock, Context, Effect, Exit, Option } from "effect"
import type { HttpServerRequest } from "effect/http"
import { tokenOf } from "./AuthenticationHttp.ts"
import { HostAuthentication } from "./HostAuthentication.ts"
import { type Counted, RequestCounter } from "./RequestCounter.ts"
import { systemPaths } from "./SystemHttp.ts"

/** Requests for each caller and minute; 0: no limit. Asked at each request, as it may change. */
export const RequestsPerMinute = Context.Reference<() => number>("@lectern/http/server/RequestsPerMinute", {
  defaultValue: () => () => 0
})

const nameOfActor = (actor: Actor): string =>
  actor.type === "user" || actor.type === "token" ? actor.user : JSON.stringify(actor)

const isFree = (url: string) => systemPaths.some((path) => url.startsWith(path))

/** Counts requests; `request` gives nothing where there is no limit. */
export const make = Effect.gen(function* () {
  const limit = yield* RequestsPerMinute
  const hasher = yield* Hasher
  const tokens = yield* Tokens
  const clock = yield* Clock.Clock
  const authenticate = yield* HostAuthentication
  const callers = new RequestCounter(limit)

  /** A token that is not known in its minute is looked at: what is none would be another caller each time. */
  const byToken = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<string> => {
    const address = () => countedAs(Option.getOrElse(request.remoteAddress, () => ""))
    const token = tokenOf(request)
    if (token === "") return Effect.sync(address)
    const name = hasher.sha256(token)
    return callers.has(name)
      ? Effect.succeed(name)
      : Effect.match(tokens.authenticate(token), { onSuccess: () => name, onFailure: address })
  }

  /** A sign-in that fails is told of where the answer is made. */
  const nameOf = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<string> =>
    authenticate === undefined
      ? byToken(request)
      : Effect.flatMap(Effect.exit(authenticate(request)), (asked) =>
          Exit.isSuccess(asked) && asked.value !== undefined
            ? Effect.succeed(nameOfActor(asked.value))
            : byToken(request)
        )

  const isOn = () => limit() > 0
  return {
    /** Tells whether there is a limit now. */
    isOn,
    request: (request: HttpServerRequest.HttpServerRequest): Effect.Effect<Counted | undefined> => {
      if (!isOn() || isFree(request.url)) return Effect.succeed(undefined)
      return Effect.zipWith(nameOf(request), Clock.currentTimeMillis, (name, now) => callers.count(name, now))
    },
    /** Counts another request of whoever was counted by this name. */
    again: (name: string): Counted => callers.count(name, clock.currentTimeMillisUnsafe())
  }
})
