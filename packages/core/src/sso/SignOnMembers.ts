/**
 * Finds or creates the user of a sign-in by e-mail address, adds the user to the organization of the provider, and
 * applies the rights of the user's groups (see `GroupRights`). Other fields of an existing user do not change, because an
 * organization controls only its own membership.
 *
 * The only administrator of an organization keeps the role, even if the groups have another one.
 */
import { Effect } from "effect"
import { Events } from "../event/Events.ts"
import { makeMembershipWrites } from "../membership/MembershipWrites.ts"
import { MemberTable } from "../organization/Member.ts"
import { cannotConflict, Storage } from "../storage/Storage.ts"
import { TeamTable } from "../team/Team.ts"
import { TeamMemberTable } from "../team/TeamMember.ts"
import type { UserId } from "../user/User.ts"
import { Users } from "../user/Users.ts"
import { type GroupRights, noGroupRights } from "./GroupRights.ts"
import type { SignOnProviderRow } from "./SignOnProvider.ts"
import { SignOnRefused } from "./SignOnRecord.ts"

export const makeSignOnMembers = Effect.gen(function* () {
  const storage = yield* Storage
  const users = yield* Users
  const events = yield* Events
  const memberships = yield* makeMembershipWrites
  const members = storage.repository(MemberTable)
  const teams = storage.repository(TeamTable)
  const teamMembers = storage.repository(TeamMemberTable)

  const findOrCreateUser = Effect.fnUntraced(function* (email: string, name: string | undefined) {
    const existing = yield* users.byEmail(email)
    if (existing !== undefined) return existing.id
    const input = { email, ...(name !== undefined && { displayName: name }) }
    const { id } = yield* users.create(input).pipe(Effect.catchTag(["EmailInUse", "InvalidInput"], Effect.die))
    return id
  })

  /** Adds a user to teams, or removes the user from them. Ignores deleted teams and existing memberships. */
  const applyTeams = Effect.fnUntraced(function* (
    organization: SignOnProviderRow["organization"],
    user: UserId,
    wanted: ReadonlyMap<string, boolean>
  ) {
    const keys = Array.from(wanted.keys(), (id) => ({ id }))
    const rows = yield* teams.getMany(keys)
    const memberRows = yield* teamMembers.getMany(keys.map(({ id }) => ({ team: id, user })))
    for (const [i, team] of rows.entries()) {
      const isWanted = team !== undefined && wanted.get(team.id)
      const memberRow = memberRows[i]
      if (team?.organization !== organization || isWanted === (memberRow !== undefined)) continue
      yield* isWanted === true
        ? teamMembers.insert({ organization, team: team.id, user, role: "member" }).pipe(cannotConflict)
        : teamMembers.remove({ team: team.id, user })
      const [from, to] = [memberRow?.role ?? null, isWanted === true ? "member" : null]
      yield* events.emit(
        { type: "team_members_updated", organization, team: team.id },
        { label: team.title, changes: { members: { from: { [user]: from }, to: { [user]: to } } } }
      )
    }
  })

  return {
    /** Returns the user, who is a member of the provider's organization afterwards. Called inside a transaction. */
    admit: Effect.fnUntraced(function* (
      { organization, defaultRole, defaultTeam }: SignOnProviderRow,
      { email, name }: { readonly email: string; readonly name?: string },
      { role, teams }: GroupRights = noGroupRights
    ) {
      const user = yield* findOrCreateUser(email, name)
      const member = yield* members.get({ organization, user })
      if (member?.disabled === true) {
        return yield* new SignOnRefused({
          reason: "person",
          message: "This member is disabled: ask an administrator of the organization"
        })
      }
      if (member === undefined) {
        yield* memberships.join(organization, user, role === undefined ? defaultRole : role)
      } else if (role !== undefined) {
        yield* memberships
          .setRole(organization, user, member, role)
          .pipe(Effect.catchTag("LastAdministrator", () => Effect.void))
      }
      const isJoiningTeam = member === undefined && defaultTeam !== undefined && !teams.has(defaultTeam)
      yield* applyTeams(organization, user, isJoiningTeam ? new Map([...teams, [defaultTeam, true]]) : teams)
      if (member?.sso !== true) {
        yield* members.update({ organization, user }, { sso: true })
      }
      return user
    })
  }
})
