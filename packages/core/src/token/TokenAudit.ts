/** Records actions on the tokens of one user in the audit log of every organization in which a token is valid. */
import { Effect } from "effect"
import type { OtherAction } from "../audit/AuditActions.ts"
import { makeAuditTrail } from "../audit/AuditTrail.ts"
import { MemberTable } from "../organization/Member.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import { Storage } from "../storage/Storage.ts"
import type { TokenRow } from "./Token.ts"

/** Returns a function that records an action on tokens of one user. Called inside a transaction. */
export const makeTokenAudit = Effect.gen(function* () {
  const storage = yield* Storage
  const members = storage.repository(MemberTable)
  const trail = yield* makeAuditTrail

  return Effect.fnUntraced(function* (action: OtherAction, rows: ReadonlyArray<TokenRow>) {
    const [first] = rows
    if (first === undefined) return
    const memberships = yield* members.list({ where: { user: first.user, disabled: false } })
    for (const { id, user, name, scopes, expiresAt, session } of rows) {
      for (const { organization } of memberships) {
        const only = session?.signOn?.organization
        if (only !== undefined && only !== organization) continue
        yield* trail.record({
          organization: organization as OrganizationId,
          action,
          target: { type: "token", id, ...(name !== undefined && { label: name }) },
          payload: {
            user,
            ...(scopes && { scopes }),
            ...(expiresAt !== undefined && { expiresAt }),
            ...(session && { method: session.method })
          }
        })
      }
    }
  })
})
