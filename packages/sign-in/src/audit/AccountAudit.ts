/** Records changes of how a user signs in, in the audit log of every organization of the user. */
import type { OtherAction } from "@lectern/core/audit/AuditActions"
import { makeAuditTrail } from "@lectern/core/audit/AuditTrail"
import { MemberTable } from "@lectern/core/organization/Member"
import type { OrganizationId } from "@lectern/core/organization/Organization"
import { Storage } from "@lectern/core/storage/Storage"
import type { UserId } from "@lectern/core/user/User"
import { Effect, type Schema } from "effect"

/** Returns a function that records an action on a user. Called inside a transaction. */
export const makeAccountAudit = Effect.gen(function* () {
  const trail = yield* makeAuditTrail
  const members = (yield* Storage).repository(MemberTable)

  return Effect.fnUntraced(function* (
    action: OtherAction,
    user: UserId,
    payload: { readonly [name: string]: Schema.Json } = {}
  ) {
    for (const { organization } of yield* members.list({ where: { user, disabled: false } }))
      yield* trail.record({
        organization: organization as OrganizationId,
        action,
        target: { type: "user", id: user },
        payload
      })
  })
})
