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
import { makeAwaitedReviewers } from "../review/store/AwaitedReviewers.ts"
import { RequestedReviewerTable } from "../review/Review.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { SpaceTable } from "../space/Space.ts"
import { cannotConflict, Storage } from "../storage/Storage.ts"
import { TeamMemberTable } from "../team/TeamMember.ts"
import { TokenTable } from "../token/Token.ts"
import { type UserId, UserTable } from "../user/User.ts"
import { FormerMemberTable } from "../organization/FormerMember.ts"
import { InvitationTable } from "../organization/Invitation.ts"
import { hasRole, LastAdministrator, type MemberRow, MemberTable } from "../organization/Member.ts"
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
  const tokens = storage.repository(TokenTable)
  const users = storage.repository(UserTable)
  const awaited = yield* makeAwaitedReviewers

  /** Removes the review requests of a removed member. */
  const removeReviewRequests = Effect.fnUntraced(function* (organization: OrganizationId, user: UserId) {
    const requests = yield* requested.list({ where: { user } })
    const requestedSpaces = yield* spaces.getMany(requests.map(({ space }) => ({ id: space })))
    for (const [i, { space, changeRequest }] of requests.entries()) {
      if (requestedSpaces[i]?.organization !== organization) continue
      yield* requested.remove({ changeRequest, user })
      yield* awaited.remove(changeRequest, user)
      yield* events.emit({ type: "change_request_review_request_removed", organization, space, changeRequest, user })
    }
  })

  /** Ends the sessions of a user who is no longer a member of any organization. */
  const endSessions = Effect.fnUntraced(function* (user: UserId) {
    if ((yield* members.count({ user })) > 0) return
    yield* tokens.remove({ user, isSession: true })
  })

  /** Fails if the member is the only administrator. Disabled administrators do not count. */
  const requireOtherAdministrator = Effect.fnUntraced(function* ({ organization, user, role }: MemberRow) {
    if (role !== "admin") return
    const administrators = yield* members.list({ where: { organization, role, disabled: false }, limit: 2 })
    if (administrators.every((row) => row.user === user)) {
      return yield* new LastAdministrator({ message: "The organization's only administrator can't leave this role" })
    }
  })

  /** Adds a user as a member. An existing member gets the role and is enabled. */
  const join = Effect.fnUntraced(function* (organization: OrganizationId, user: UserId, role: Role | null) {
    const [formerMember, pendingInvitations, existingMember] = yield* storage.all([
      formerMembers.get({ organization, user }),
      Effect.flatMap(users.get({ id: user }), (row) =>
        row === undefined
          ? Effect.succeed([])
          : invitations.list({ where: { organization, foldedEmail: row.email.toLowerCase() } })
      ),
      members.get({ organization, user })
    ])
    if (formerMember !== undefined) yield* formerMembers.remove({ organization, user })
    // A pending invitation ends when the user joins in any way. Otherwise it could readmit a member who is removed later.
    for (const { id } of pendingInvitations) yield* invitations.remove({ id })
    if (existingMember !== undefined) {
      const memberFields = { role, disabled: false }
      yield* members.update({ organization, user }, memberFields)
      const changes = changesOf(existingMember, { ...existingMember, ...memberFields }, ["role", "disabled"])
      yield* events.emit({ type: "member_updated", organization, user }, { changes })
      const { role: previousRole } = existingMember
      if (role !== previousRole) {
        yield* events.emit({ type: "member_role_updated", organization, user, previousRole, role })
      }
      return
    }
    yield* events.emit({ type: "member_joined", organization, user }, { payload: { role } })
    yield* members.insert({ organization, user, role, disabled: false, joinedAt: yield* Timestamps.now })
  }, cannotConflict)

  return {
    requireOtherAdministrator,
    join,

    /** Like `join`, unless `member` has the role. Fails for the only administrator. Returns true if it wrote. */
    setRole: Effect.fnUntraced(function* (
      organization: OrganizationId,
      user: UserId,
      member: MemberRow | undefined,
      role: Role | null
    ) {
      if (hasRole(member, role)) return false
      if (member !== undefined && role !== "admin") yield* requireOtherAdministrator(member)
      yield* join(organization, user, role)
      return true
    }),

    /** Removes a member with the member's grants, teams and review requests. Fails for the only administrator. */
    remove: Effect.fnUntraced(function* (member: MemberRow) {
      yield* requireOtherAdministrator(member)
      const { user, role } = member
      const organization = OrganizationId.make(member.organization)
      yield* grants.remove({ organization, holderKind: "user", holder: user })
      yield* teamMembers.remove({ organization, user })
      yield* removeReviewRequests(organization, user)
      yield* members.remove({ organization, user })
      yield* endSessions(user)
      const isSelf = userOf(yield* CurrentActor) === user
      if (!isSelf) yield* formerMembers.insert({ organization, user }).pipe(cannotConflict)
      yield* events.emit({ type: "member_removed", organization, user }, { payload: { role } })
    })
  }
})
