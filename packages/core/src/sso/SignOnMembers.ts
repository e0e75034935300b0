/**
 * Finds or creates the user of a sign-in by e-mail address, and adds the user to the organization of the provider.
 * Other fields of an existing user do not change, because an organization controls only its own membership.
 */
import { Effect } from "effect"
import { Events } from "../event/Events.ts"
import { MemberTable } from "../organization/Member.ts"
import { Organizations } from "../organization/Organizations.ts"
import { cannotConflict, Storage } from "../storage/Storage.ts"
import { TeamTable } from "../team/Team.ts"
import { TeamMemberTable } from "../team/TeamMember.ts"
import type { UserId } from "../user/User.ts"
import { Users } from "../user/Users.ts"
import type { SamlProviderRow } from "./SamlProvider.ts"
import { SignOnRefused } from "./SignOnRecord.ts"

export const makeSignOnMembers = Effect.gen(function* () {
  const storage = yield* Storage
  const users = yield* Users
  const events = yield* Events
  const organizations = yield* Organizations
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

  /** Adds a user to the default team, unless it was deleted. */
  const joinTeam = Effect.fnUntraced(function* ({ organization, defaultTeam }: SamlProviderRow, user: UserId) {
    const team = defaultTeam === undefined ? undefined : yield* teams.get({ id: defaultTeam })
    if (team?.organization !== organization) return
    yield* teamMembers.insert({ organization, team: team.id, user, role: "member" }).pipe(cannotConflict)
    yield* events.emit(
      { type: "team_members_updated", organization, team: team.id },
      { label: team.title, changes: { members: { from: { [user]: null }, to: { [user]: "member" } } } }
    )
  })

  return {
    /** Returns the user, who is a member of the provider's organization afterwards. Called inside a transaction. */
    admit: Effect.fnUntraced(function* (
      provider: SamlProviderRow,
      { email, name }: { readonly email: string; readonly name?: string }
    ) {
      const { organization, defaultRole } = provider
      const user = yield* findOrCreateUser(email, name)
      const member = yield* members.get({ organization, user })
      if (member?.disabled === true) {
        return yield* new SignOnRefused({
          reason: "person",
          message: "This member is disabled: ask an administrator of the organization"
        })
      }
      if (member === undefined) {
        yield* organizations.join(organization, user, defaultRole)
        yield* joinTeam(provider, user)
      }
      if (member?.sso !== true) {
        yield* members.update({ organization, user }, { sso: true })
      }
      return user
    })
  }
})
