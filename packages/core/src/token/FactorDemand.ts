/**
 * Finds sessions that lack a second factor that an organization of their user demands. Such a session is not valid, so its
 * user signs in again, with a second factor. A session by an identity provider of the organization itself is exempt: the
 * provider decides about factors. API tokens are exempt, too.
 *
 * Limit: the results for the 1,000 most recently used users are cached. A result is valid until a membership of the user
 * or an organization of the user changes.
 */
import { Effect } from "effect"
import { MemberTable } from "../organization/Member.ts"
import { OrganizationId, OrganizationTable } from "../organization/Organization.ts"
import * as ReadCache from "../storage/ReadCache.ts"
import { Storage } from "../storage/Storage.ts"
import type { UserId } from "../user/User.ts"
import type { TokenRow } from "./Token.ts"

const maxUsers = 1_000

export const makeFactorDemand = Effect.gen(function* () {
  const storage = yield* Storage
  const members = storage.repository(MemberTable)
  const organizations = storage.repository(OrganizationTable)
  const cached = yield* ReadCache.make<boolean>(maxUsers)

  const isDemanded = Effect.fnUntraced(function* (user: UserId) {
    const memberships = yield* members.list({ where: { user, disabled: false } })
    const rows = yield* organizations.getMany(
      memberships.map(({ organization }) => ({ id: OrganizationId.make(organization) }))
    )
    return rows.some((row) => row?.requireSecondFactor === true)
  })

  /** Returns true if the token is one of a session that lacks a demanded second factor. */
  return ({ user, session }: TokenRow) =>
    session === undefined || session.signOn?.organization !== undefined || session.factor === true
      ? Effect.succeed(false)
      : cached(user, isDemanded(user))
})
