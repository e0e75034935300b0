/**
 * Renews the session of a user who added a factor: a new secret, with the same sign-in, that has shown a second factor.
 * The earlier session ends.
 */
import type { StorageError } from "@lectern/core/storage/Storage"
import { Sessions } from "@lectern/core/token/Sessions"
import type { TokenRow } from "@lectern/core/token/Token"
import type { UserNotFound } from "@lectern/core/user/User"
import { Effect } from "effect"
import type { PageRequest } from "./PageRequest.ts"
import { Visitors } from "./Visitors.ts"

export const makeRenewal = Effect.gen(function* () {
  const sessions = yield* Sessions
  const visitors = yield* Visitors

  /** Returns the `Set-Cookie` header of the new session. */
  return Effect.fnUntraced(function* (
    { user, session }: TokenRow,
    { client }: PageRequest
  ): Effect.fn.Return<string, UserNotFound | StorageError> {
    const { method = "password" } = session ?? {}
    return yield* visitors.sessionCookie(yield* sessions.start(user, { method, factor: true, ...client }))
  })
})
