/**
 * Finds out who sends a request, by the sign-in of the host (see `HostAuthentication`) or else by its token, and asks as
 * that actor; who may not ask is told so.
 */
import { type Actor, CurrentActor, within } from "@lectern/core/access/Actor"
import type { Unauthorized } from "@lectern/core/token/Token"
import { Tokens } from "@lectern/core/token/Tokens"
import * as ReadCache from "@lectern/core/storage/ReadCache"
import type { StorageError } from "@lectern/core/storage/Storage"
import { Effect } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { Sender } from "../api/Middleware.ts"
import { scopesOf, takesSiteTokens } from "../api/Operation.ts"
import { errorResponse, failureResponse } from "./Answers.ts"
import { HostAuthentication } from "./HostAuthentication.ts"
import { noteActor } from "./Observation.ts"

const refuse = (failure: Unauthorized | StorageError) =>
  failure._tag === "StorageError"
    ? Effect.die(failure)
    : Effect.succeed(HttpServerResponse.setHeader(failureResponse(failure), "www-authenticate", "Bearer"))

interface Asked {
  readonly endpoint: HttpApiEndpoint.Top
}

/** The actor of an operation: a token with scopes is its user where they allow it, and refused where they don't. */
const actingOn = (actor: Actor, { endpoint }: Asked): Actor | HttpServerResponse.HttpServerResponse => {
  if (actor.type !== "token") return actor
  const scopes = scopesOf(endpoint)
  return within(actor, scopes) ?? errorResponse(403, `For this, a token needs ${oneOf(scopes)}`)
}

const oneOf = (scopes: ReadonlyArray<string>): string => {
  if (scopes.length === 0) return "to be one without scopes"
  return scopes.length === 1 ? `the scope ${scopes[0]}` : `one of the scopes ${scopes.join(", ")}`
}

/** The token that a request shows; "" where it shows none. */
export const tokenOf = ({ headers }: HttpServerRequest.HttpServerRequest): string =>
  /^Bearer +(\S+)$/i.exec(headers["authorization"] ?? "")?.[1] ?? ""

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

/** Finds the actor that the host names, or else whoever `otherwise` finds. */
const hostFirst = Effect.map(
  HostAuthentication,
  (authenticate) =>
    <A, E>(otherwise: (request: Request) => Effect.Effect<A, E>) =>
    (request: Request): Effect.Effect<Actor | A, E> =>
      authenticate === undefined
        ? otherwise(request)
        : Effect.flatMap(authenticate(request), (actor): Effect.Effect<Actor | A, E> =>
            actor === undefined ? otherwise(request) : Effect.succeed(actor)
          )
)

/** Finds the sender of a request, or the answer to a sender that may ask for nothing. */
export const sender = Effect.gen(function* () {
  const tokens = yield* Tokens
  const find = (yield* hostFirst)((request) => tokens.authenticate(tokenOf(request)))
  return (request: Request): Effect.Effect<Actor | Response> => Effect.catch(find(request), refuse)
})

/** The answer of an operation as the sender of a request, or the answer to one that may not ask for it. */
const sentBy = Effect.fnUntraced(function* (byToken: Tokens["Service"]["authenticate"]) {
  const note = yield* noteActor
  const find = (yield* hostFirst)((request) => byToken(tokenOf(request)))
  return <E, R>(request: Request, asked: Asked, answer: Effect.Effect<Response, E, R>) =>
    Effect.matchEffect(find(request), {
      onSuccess: (known) => {
        const actor = actingOn(known, asked)
        return HttpServerResponse.isHttpServerResponse(actor)
          ? note(known, Effect.succeed(actor))
          : note(actor, Effect.provideService(answer, CurrentActor, actor))
      },
      onFailure: refuse
    })
})

export const asSender = Effect.flatMap(Tokens, (tokens) => sentBy(tokens.authenticate))

/**
 * Runs an operation that requires no token, as the sender of the request. An invalid token is rejected, unless the
 * operation accepts site tokens and verifies the token itself.
 */
export const asMaybeSender = Effect.gen(function* () {
  const tokens = yield* Tokens
  const note = yield* noteActor
  const find = (yield* hostFirst)((request) => {
    const token = tokenOf(request)
    return token === "" ? Effect.succeed(undefined) : tokens.authenticate(token)
  })
  return <E, R>(request: Request, asked: Asked, answer: Effect.Effect<Response, E, R>) =>
    Effect.matchEffect(find(request), {
      onSuccess: (known) => {
        const actor = known && actingOn(known, asked)
        return HttpServerResponse.isHttpServerResponse(actor)
          ? note(known, Effect.succeed(actor))
          : note(actor, Effect.provideService(answer, Sender, { actor }))
      },
      onFailure: (failure) =>
        failure._tag === "Unauthorized" && takesSiteTokens(asked.endpoint)
          ? note(undefined, Effect.provideService(answer, Sender, { actor: undefined, siteToken: tokenOf(request) }))
          : refuse(failure)
    })
})

const keptSenders = 1_000

/**
 * The same as `asSender` for an operation that is answered ahead of the others. The senders of tokens that were used
 * last are kept, as long as nothing is written that says who they are.
 */
export const asKeptSender = Effect.gen(function* () {
  const tokens = yield* Tokens
  const known = yield* ReadCache.make<Actor>(keptSenders)
  return yield* sentBy((token) => known(token, tokens.authenticate(token)))
})
