/** The user of a request for a page, by the session of the browser. */
import type { UserActor } from "@lectern/core/access/Actor"
import { PublicUrl } from "@lectern/core/identity/PublicUrl"
import { Storage, type StorageError } from "@lectern/core/storage/Storage"
import type { StartedSession } from "@lectern/core/token/Sessions"
import { setCookie, setSessionCookie } from "@lectern/core/token/SessionCookie"
import { Tokens } from "@lectern/core/token/Tokens"
import { type UserRow, UserTable } from "@lectern/core/user/User"
import { Clock, Context, Effect, Layer, Redacted } from "effect"
import { SignInAttempts } from "../attempt/SignInAttempts.ts"
import { type SignInResult, ticketLifetime } from "../step/SignInSteps.ts"
import type { PageRequest } from "./PageRequest.ts"
import { PageResponses } from "./PageResponses.ts"
import { factorPath, homePath } from "./Paths.ts"
import type { HttpServerResponse } from "effect/http"

/** User who is signed in. */
export interface SignedInUser {
  readonly actor: UserActor
  readonly row: UserRow
}

/** Lifetime of the cookie that shows that a user of an account signed in with this browser. */
const browserMarkSeconds = 365 * 86_400

export class Visitors extends Context.Service<
  Visitors,
  {
    /** Returns the user of a request. Undefined if the browser has no valid session. */
    readonly find: (request: PageRequest) => Effect.Effect<SignedInUser | undefined, StorageError>
    /**
     * Responds to the end of a step: sets the cookie of the session and continues to the page that the browser wanted,
     * or to the page of the second factor.
     *
     * @param result Result of a step, or the session after a second factor.
     * @param returnTo Path to continue to. Default: that of the request, or the home page.
     * @param cookies Further `Set-Cookie` headers. Default: none.
     */
    readonly enter: (
      result: SignInResult,
      request: PageRequest,
      returnTo?: string,
      cookies?: ReadonlyArray<string>
    ) => Effect.Effect<HttpServerResponse.HttpServerResponse, StorageError>
    /** Returns the `Set-Cookie` header of a session. */
    readonly sessionCookie: (started: StartedSession) => Effect.Effect<string>
  }
>()("@lectern/sign-in/server/Visitors") {
  static readonly layer = Layer.effect(
    Visitors,
    Effect.gen(function* () {
      const tokens = yield* Tokens
      const publicUrl = yield* PublicUrl
      const responses = yield* PageResponses
      const attempts = yield* SignInAttempts
      const users = (yield* Storage).repository(UserTable)

      const sessionCookie = ({ token, session }: StartedSession) =>
        Effect.map(Clock.currentTimeMillis, (now) =>
          setSessionCookie(publicUrl, Redacted.value(token), session.expiresAt, now)
        )

      const find = Effect.fnUntraced(function* ({ session }: PageRequest) {
        if (session === undefined) return undefined
        const actor = yield* Effect.catchTag(tokens.authenticate(session), "Unauthorized", () =>
          Effect.succeed(undefined)
        )
        if (actor?.type !== "user") return undefined
        const row = yield* users.get({ id: actor.user })
        return row && { actor, row }
      })

      return Visitors.of({
        find,
        sessionCookie,

        enter: Effect.fnUntraced(function* (result, request, returnTo = request.returnTo, cookies = []) {
          if ("factor" in result) {
            const ticket = setCookie(publicUrl, "factor", Redacted.value(result.factor), ticketLifetime / 1000)
            const query = returnTo === undefined ? "" : `?to=${encodeURIComponent(returnTo)}`
            return responses.redirect(factorPath + query, { cookies: [ticket, ...cookies] })
          }
          const { session } = result
          const row = yield* users.get({ id: session.session.user })
          const mark = row && setCookie(publicUrl, "browser", attempts.browserMark(row.email), browserMarkSeconds)
          return responses.redirect(returnTo ?? homePath, {
            cookies: [
              yield* sessionCookie(session),
              setCookie(publicUrl, "factor", "", 0),
              ...(mark === undefined ? [] : [mark]),
              ...cookies
            ]
          })
        })
      })
    })
  )
}
