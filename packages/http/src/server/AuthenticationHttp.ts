/**
 * Authenticates requests, by the sign-in of the host (see `HostAuthentication`), or else by their token, or else by the
 * cookie of a session (see `SessionCookies`), and runs the operation as this actor. An unauthorized request gets an error
 * response.
 */
import { type Actor, CurrentActor, actorWithScope } from "@lectern/core/access/Actor"
import type { Unauthorized } from "@lectern/core/token/Token"
import { Tokens } from "@lectern/core/token/Tokens"
import * as ReadCache from "@lectern/core/storage/ReadCache"
import type { StorageError } from "@lectern/core/storage/Storage"
import { Effect } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { Sender } from "../api/Middleware.ts"
import { scopesOf, acceptsSiteTokens } from "../api/Operation.ts"
import { errorResponse, failureResponse } from "./Responses.ts"
import { HostAuthentication } from "./HostAuthentication.ts"
import { SessionCookies } from "./SessionCookies.ts"
import { noteActor } from "./Observation.ts"

const refuse = (failure: Unauthorized | StorageError) =>
  failure._tag === "StorageError"
    ? Effect.die(failure)
    : Effect.succeed(HttpServerResponse.setHeader(failureResponse(failure), "www-authenticate", "Bearer"))

interface OperationRef {
  readonly endpoint: HttpApiEndpoint.Top
}

/**
 * Returns the actor for an operation. A token with scopes acts as its user if one of its scopes allows the operation;
 * otherwise the result is a 403 response.
 */
const actorFor = (actor: Actor, { endpoint }: OperationRef): Actor | HttpServerResponse.HttpServerResponse => {
  if (actor.type !== "token") return actor
  const scopes = scopesOf(endpoint)
  return actorWithScope(actor, scopes) ?? errorResponse(403, `For this, a token needs ${scopeNames(scopes)}`)
}

const scopeNames = (scopes: ReadonlyArray<string>): string => {
  if (scopes.length === 0) return "to be one without scopes"
  return scopes.length === 1 ? `the scope ${scopes[0]}` : `one of the scopes ${scopes.join(", ")}`
}

/** Returns the bearer token of a request, or "". */
const tokenOf = ({ headers }: HttpServerRequest.HttpServerRequest): string =>
  /^Bearer +(\S+)$/i.exec(headers["authorization"] ?? "")?.[1] ?? ""

/**
 * Returns a function that returns the token of a request, or else the secret of its session, or "". A request with an
 * `Authorization` header never counts as one of a session.
 */
export const credentialLookup = Effect.map(
  SessionCookies,
  (sessionOf) =>
    (request: HttpServerRequest.HttpServerRequest): string =>
      request.headers["authorization"] === undefined ? (sessionOf?.(request) ?? "") : tokenOf(request)
)

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

/** Returns the actor that the host names. Without one, runs `otherwise`. */
const withHostAuthentication = Effect.map(
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

/** Returns the actor of a request, or an error response for an invalid token. */
export const senderLookup = Effect.gen(function* () {
  const tokens = yield* Tokens
  const credentialOf = yield* credentialLookup
  const find = (yield* withHostAuthentication)((request) => tokens.authenticate(credentialOf(request)))
  return (request: Request): Effect.Effect<Actor | Response> => Effect.catch(find(request), refuse)
})

/** Runs an operation as the sender of the request, or returns an error response. */
const runAsSender = Effect.fnUntraced(function* (byToken: Tokens["Service"]["authenticate"]) {
  const recordActor = yield* noteActor
  const credentialOf = yield* credentialLookup
  const find = (yield* withHostAuthentication)((request) => byToken(credentialOf(request)))
  return <E, R>(request: Request, operation: OperationRef, handler: Effect.Effect<Response, E, R>) =>
    Effect.matchEffect(find(request), {
      onSuccess: (identified) => {
        const actor = actorFor(identified, operation)
        return HttpServerResponse.isHttpServerResponse(actor)
          ? recordActor(identified, Effect.succeed(actor))
          : recordActor(actor, Effect.provideService(handler, CurrentActor, actor))
      },
      onFailure: refuse
    })
})

export const asSender = Effect.flatMap(Tokens, (tokens) => runAsSender(tokens.authenticate))

/**
 * Runs an operation that requires no token, as the sender of the request. An invalid token is rejected, unless the
 * operation accepts site tokens and verifies the token itself. A session that has ended counts as no sender.
 */
export const asOptionalSender = Effect.gen(function* () {
  const tokens = yield* Tokens
  const recordActor = yield* noteActor
  const sessionOf = yield* SessionCookies
  const find = (yield* withHostAuthentication)((request) => {
    if (request.headers["authorization"] === undefined) {
      const secret = sessionOf?.(request)
      if (secret === undefined) return Effect.succeed(undefined)
      // A browser keeps the cookie of a session that has ended.
      return Effect.catchTag(tokens.authenticate(secret), "Unauthorized", () => Effect.succeed(undefined))
    }
    const token = tokenOf(request)
    return token === "" ? Effect.succeed(undefined) : tokens.authenticate(token)
  })
  return <E, R>(request: Request, operation: OperationRef, handler: Effect.Effect<Response, E, R>) =>
    Effect.matchEffect(find(request), {
      onSuccess: (identified) => {
        const actor = identified && actorFor(identified, operation)
        return HttpServerResponse.isHttpServerResponse(actor)
          ? recordActor(identified, Effect.succeed(actor))
          : recordActor(actor, Effect.provideService(handler, Sender, { actor }))
      },
      onFailure: (failure) =>
        failure._tag === "Unauthorized" && acceptsSiteTokens(operation.endpoint)
          ? recordActor(
              undefined,
              Effect.provideService(handler, Sender, { actor: undefined, siteToken: tokenOf(request) })
            )
          : refuse(failure)
    })
})

const maxCachedSenders = 1_000

/**
 * Like `asSender`, for operations that need low latency. Caches the actors of the 1,000 most recently used tokens until
 * a row that they were read from changes.
 */
export const asCachedSender = Effect.gen(function* () {
  const tokens = yield* Tokens
  const cached = yield* ReadCache.make<Actor>(maxCachedSenders)
  return yield* runAsSender((token) => cached(token, tokens.authenticate(token)))
})
