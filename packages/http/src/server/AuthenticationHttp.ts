import { type Actor, CurrentActor } from "@lectern/core/access/Actor"
import type { Unauthorized } from "@lectern/core/token/Token"
import { Tokens } from "@lectern/core/token/Tokens"
import type { StorageError } from "@lectern/core/storage/Storage"
import { Effect, Layer, Redacted } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { Authentication, OptionalAuthentication, Sender } from "../api/Middleware.ts"
import { failureResponse } from "./Answers.ts"
import { noteActor } from "./Observation.ts"

const refuse = (failure: Unauthorized | StorageError) =>
  failure._tag === "StorageError"
    ? Effect.die(failure)
    : Effect.succeed(HttpServerResponse.setHeader(failureResponse(failure), "www-authenticate", "Bearer"))

/** The token that a request shows; "" where it shows none. */
export const tokenOf = ({ headers }: HttpServerRequest.HttpServerRequest): string =>
  /^Bearer +(\S+)$/i.exec(headers["authorization"] ?? "")?.[1] ?? ""

/** Finds the sender of a request by its token, or the answer to a sender that may ask for nothing. */
export const sender = Effect.map(
  Tokens,
  (tokens) =>
    (request: HttpServerRequest.HttpServerRequest): Effect.Effect<Actor | HttpServerResponse.HttpServerResponse> =>
      Effect.catch(tokens.authenticate(tokenOf(request)), refuse)
)

export const AuthenticationHttp = Layer.effect(
  Authentication,
  Effect.gen(function* () {
    const tokens = yield* Tokens
    const note = yield* noteActor
    return Authentication.of({
      bearer: (httpEffect, { credential }) =>
        Effect.matchEffect(tokens.authenticate(Redacted.value(credential)), {
          onSuccess: (actor) => note(actor, Effect.provideService(httpEffect, CurrentActor, actor)),
          onFailure: refuse
        })
    })
  })
)

export const OptionalAuthenticationHttp = Layer.effect(
  OptionalAuthentication,
  Effect.gen(function* () {
    const tokens = yield* Tokens
    const note = yield* noteActor
    return OptionalAuthentication.of({
      bearer: (httpEffect, { credential }) => {
        const token = Redacted.value(credential)
        const asked = token === "" ? Effect.succeed(undefined) : tokens.authenticate(token)
        return Effect.matchEffect(asked, {
          onSuccess: (actor) => note(actor, Effect.provideService(httpEffect, Sender, { actor })),
          onFailure: refuse
        })
      }
    })
  })
)
