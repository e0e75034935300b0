/**
 * Permissions on teams. Members of the organization see a team. Its owners and the organization's administrators manage
 * it. Only administrators create and delete teams.
 */
import { Effect } from "effect"
import type { Membership } from "../access/Access.ts"
import { Forbidden } from "../access/Forbidden.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import { Organizations } from "../organization/Organizations.ts"
import { Storage } from "../storage/Storage.ts"
import { TeamNotFound, type TeamRow, TeamTable } from "./Team.ts"

export const rules = {
  "see this team": "member",
  "manage this team": "owner",
  "delete this team": "administrator"
} as const

export type TeamAction = keyof typeof rules

export const ownsTeam = ({ user, admin, facts }: Membership, team: string): boolean =>
  admin || (user !== undefined && facts.ownedTeams.get(user)?.has(team) === true)

export interface AuthorizedTeam {
  readonly team: TeamRow
  readonly member: Membership
}

export const makeTeamPolicy = Effect.gen(function* () {
  const teams = (yield* Storage).repository(TeamTable)
  const organizations = yield* Organizations

  return {
    /** Returns the team if the actor may perform the action. */
    require: Effect.fnUntraced(function* (organization: OrganizationId, id: string, action: TeamAction) {
      const { member } = yield* organizations.require(organization, "see this organization")
      const team = yield* teams.get({ id })
      if (team?.organization !== organization) {
        return yield* new TeamNotFound({ message: `There is no team ${id.slice(0, 100)} in this organization` })
      }
      const leastRole = rules[action]
      if (leastRole !== "member" && !(leastRole === "owner" ? ownsTeam(member, id) : member.admin)) {
        return yield* new Forbidden({
          message: `To ${action}, you must be an ${leastRole === "owner" ? "owner of it, or an " : ""}administrator of the organization`
        })
      }
      return { team, member }
    })
  }
})
