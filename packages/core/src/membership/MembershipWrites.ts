/**
 * Adds members to organizations and removes them, with everything that depends on a membership. Callers check
 * permissions and run the writes in a transaction.
 */
import { Effect } from "effect"
import { changesOf } from "../audit/Changes.ts"
import { CurrentActor, userOf } from "../access/Actor.ts"
import type { Role } from "../access/Role.ts"
import { Events } from "../event/Events.ts"
import { GrantTable } from "../grant/Grant.ts"
import { RequestedReviewerTable } from "../review/Review.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { SpaceTable } from "../space/Space.ts"
import { cannotConflict, Storage, type StorageError } from "../storage/Storage.ts"
import { TeamMemberTable } from "../team/TeamMember.ts"
import { type UserId, UserTable } from "../user/User.ts"
import { FormerMemberTable } from "../organization/FormerMember.ts"
import { InvitationTable } from "../organization/Invitation.ts"
import { LastAdministrator, type MemberRow, MemberTable } from "../organization/Member.ts"
import { OrganizationId } from "../organization/Organization.ts"

export const makeMembershipWrites = Effect.gen(function* () {
  const storage = yield* Storage
  const events = yield* Events
  const members = storage.repository(MemberTable)
  const formerMembers = storage.repository(FormerMemberTable)
  const grants = storage.repository(GrantTable)
  const invitations = storage.repository(InvitationTable)
  const requested = storage.repository(RequestedReviewerTable)
  const spaces = storage.repository(SpaceTable)
  const teamMembers = storage.repository(TeamMemberTable)
  const users = storage.repository(UserTable)

  /** Removes the review requests of a removed member. */
  const removeReviewRequests = Effect.fnUntraced(function* (organization: OrganizationId, user: UserId) {
    const requests = yield* requested.list({ where: { user } })
    const requestedSpaces = yield* spaces.getMany(requests.map(({ space }) => ({ id: space })))
    for (const [i, { space, changeRequest }] of requests.entries()) {
      if (requestedSpaces[i]?.organization !== organization) continue
      yield* requested.remove({ changeRequest, user })
      yield* events.emit({ type: "change_request_review_request_removed", organization, space, changeRequest, user })
    }
  })

  const hasAdministrator = (organization: string) =>
    Effect.map(
      members.list({ where: { organization, role: "admin", disabled: false }, limit: 1 }),
      ({ length }) => length > 0
    )

  return {
    /** Adds a user as a member. An existing member gets the role and is enabled. */
    join: Effect.fnUntraced(function* (organization: OrganizationId, user: UserId, role: Role | null) {
      yield* formerMembers.remove({ organization, user })
      const userRow = yield* users.get({ id: user })
      // A pending invitation ends when the user joins in any way. Otherwise it could readmit a member who is removed
      // later.
      if (userRow !== undefined) {
        yield* invitations.remove({ organization, foldedEmail: userRow.email.toLowerCase() })
      }
      const existingMember = yield* members.get({ organization, user })
      if (existingMember !== undefined) {
        const memberFields = { role, disabled: false }
        yield* members.update({ organization, user }, memberFields)
        const changes = changesOf(existingMember, { ...existingMember, ...memberFields }, ["role", "disabled"])
        return yield* events.emit({ type: "member_updated", organization, user }, { changes })
      }
      yield* events.emit({ type: "member_joined", organization, user }, { payload: { role } })
      yield* members.insert({ organization, user, role, disabled: false, joinedAt: yield* Timestamps.now })
    }, cannotConflict),

    /** Removes a member with the member's grants, teams and review requests. */
    remove: Effect.fnUntraced(function* ({ organization: id, user, role }: MemberRow) {
      const organization = OrganizationId.make(id)
      yield* grants.remove({ organization, holderKind: "user", holder: user })
      yield* teamMembers.remove({ organization, user })
      yield* removeReviewRequests(organization, user)
      yield* members.remove({ organization, user })
      const isSelf = userOf(yield* CurrentActor) === user
      if (!isSelf) yield* formerMembers.insert({ organization, user }).pipe(cannotConflict)
      yield* events.emit({ type: "member_removed", organization, user }, { payload: { role } })
    }),

    /** Runs writes, and fails if an organization lost its last administrator. Disabled administrators do not count. */
    keepingAdministrators: Effect.fnUntraced(function* <A, E, R>(
      organizations: ReadonlyArray<string>,
      writes: Effect.Effect<A, E, R>
    ): Effect.fn.Return<A, E | LastAdministrator | StorageError, R> {
      const administered = yield* Effect.filter(organizations, hasAdministrator)
      const result = yield* writes
      for (const organization of administered) {
        if (yield* hasAdministrator(organization)) continue
        return yield* new LastAdministrator({
          message: `The organization ${organization} would be left without an administrator`
        })
      }
      return result
    })
  }
})
