/**
 * Renews the session of a user who added a factor: a new secret, with the same sign-in, that has shown a second factor.
 * The earlier session ends.
 */
import { OidcSignOn } from "@lectern/core/sso/OidcSignOn"
import type { StorageError } from "@lectern/core/storage/Storage"
import { Sessions } from "@lectern/core/token/Sessions"
import type { TokenRow } from "@lectern/core/token/Token"
import type { UserNotFound } from "@lectern/core/user/User"
import { Effect } from "effect"
import type { PageRequest } from "./PageRequest.ts"
import { Visitors } from "./Visitors.ts"

export const makeRenewal = Effect.gen(function* () {
  const sessions = yield* Sessions
  const oidcSignOn = yield* OidcSignOn
  const visitors = yield* Visitors

  /** Returns the `Set-Cookie` header of the new session. */
  return Effect.fnUntraced(function* (
    { id, user, session }: TokenRow,
    { client }: PageRequest
  ): Effect.fn.Return<string, UserNotFound | StorageError> {
    const { method = "password", signOn } = session ?? {}
    const started = yield* sessions.start(user, { method, factor: true, ...(signOn && { signOn }), ...client })
    yield* oidcSignOn.moveSession(id, started.session.id)
    return yield* visitors.sessionCookie(started)
  })
})
