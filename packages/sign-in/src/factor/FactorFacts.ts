/** Facts about a user's second factor: the factors of the user, and the organizations that demand one. */
import { MemberTable } from "@lectern/core/organization/Member"
import { OrganizationId, type OrganizationRow, OrganizationTable } from "@lectern/core/organization/Organization"
import { type PasskeyRow, PasskeyTable } from "@lectern/core/sign-in/Passkey"
import { type SecondFactorRow, SecondFactorTable } from "@lectern/core/sign-in/SecondFactor"
import { Storage } from "@lectern/core/storage/Storage"
import type { UserId } from "@lectern/core/user/User"
import { Effect, Schema } from "effect"
import { appStateOf, emptySecondFactor } from "./SecondFactorState.ts"

export interface FactorFacts {
  readonly row: SecondFactorRow
  /** Oldest first. */
  readonly passkeys: ReadonlyArray<PasskeyRow>
  /** Organizations of the user that demand a second factor of their members. */
  readonly demandedBy: ReadonlyArray<OrganizationRow>
}

export const makeFactorFacts = Effect.gen(function* () {
  const storage = yield* Storage
  const factors = storage.repository(SecondFactorTable)
  const passkeys = storage.repository(PasskeyTable)
  const members = storage.repository(MemberTable)
  const organizations = storage.repository(OrganizationTable)

  return Effect.fnUntraced(function* (user: UserId) {
    const memberships = yield* members.list({ where: { user, disabled: false } })
    const rows = yield* organizations.getMany(
      memberships.map(({ organization }) => ({ id: OrganizationId.make(organization) }))
    )
    const facts: FactorFacts = {
      row: (yield* factors.get({ user })) ?? emptySecondFactor(user),
      passkeys: yield* passkeys.list({ where: { user }, order: ["createdAt"] }),
      demandedBy: rows.filter((row) => row?.requireSecondFactor === true) as ReadonlyArray<OrganizationRow>
    }
    return facts
  })
})

/** True if the user can prove a second factor. Recovery codes count only in addition to another factor. */
export const hasFactor = ({ row, passkeys }: Pick<FactorFacts, "row" | "passkeys">): boolean =>
  appStateOf(row) === "confirmed" || passkeys.length > 0

/**
 * True if signing in requires a second factor. By the member's choice: a confirmed app, or a passkey and `isWanted`.
 * Otherwise by the demand of an organization.
 */
export const isFactorDue = ({ row, passkeys, demandedBy }: FactorFacts): boolean =>
  appStateOf(row) === "confirmed" || (row.isWanted === true && passkeys.length > 0) || demandedBy.length > 0

/** Raised if the last factor would be removed while an organization of the user demands a second factor. */
export class FactorDemanded extends Schema.TaggedError<FactorDemanded>()(
  "FactorDemanded",
  { message: Schema.String },
  { httpApiStatus: 409 }
) {}

/** Fails if a user would lose the last factor while an organization demands one. */
export const requireRemaining = (
  { demandedBy }: FactorFacts,
  remaining: Pick<FactorFacts, "row" | "passkeys">
): Effect.Effect<void, FactorDemanded> => {
  const [organization] = demandedBy
  return organization === undefined || hasFactor(remaining)
    ? Effect.void
    : Effect.fail(
        new FactorDemanded({ message: `${organization.title} demands a second factor: add another one first` })
      )
}
