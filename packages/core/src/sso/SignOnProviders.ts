/** Steps that the services for providers of each protocol share: permission, teams, presentation. */
import { Effect } from "effect"
import type { Membership } from "../access/Access.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import { Organizations } from "../organization/Organizations.ts"
import { Storage } from "../storage/Storage.ts"
import { type Team, type TeamRow, TeamTable } from "../team/Team.ts"
import { makeTeamPresenter } from "../team/TeamPresenter.ts"
import { InvalidDefaultTeam, type SignOnProviderRow } from "./SignOnProvider.ts"

export const makeSignOnProviders = Effect.gen(function* () {
  const organizations = yield* Organizations
  const { presentAll } = yield* makeTeamPresenter
  const teams = (yield* Storage).repository(TeamTable)

  /** Returns the default teams of providers, some of which may have been deleted. */
  const teamsOf = Effect.fnUntraced(function* (rows: ReadonlyArray<SignOnProviderRow>) {
    const ids = [...new Set(rows.flatMap(({ defaultTeam }) => defaultTeam ?? []))]
    return yield* teams.getMany(ids.map((id) => ({ id })))
  })

  return {
    requireAdministrator: (organization: OrganizationId) =>
      Effect.map(
        organizations.require(organization, "manage the sign-on of this organization"),
        (authorized) => authorized.member
      ),

    /** Fails if a new default team is not a team of the organization. */
    requireTeam: Effect.fnUntraced(function* (organization: OrganizationId, id: string | null | undefined) {
      if (id === undefined || id === null) return
      if ((yield* teams.get({ id }))?.organization === organization) return
      const message = "Expected a team of the organization"
      return yield* new InvalidDefaultTeam({ issues: [{ path: "body.defaultTeam", message }] })
    }),

    /** Converts providers to resources with their default teams. */
    present: Effect.fnUntraced(function* <Row extends SignOnProviderRow, Resource>(
      rows: ReadonlyArray<Row>,
      member: Membership,
      present: (row: Row, defaultTeam: Team | undefined) => Resource
    ) {
      const isOwn = (team: TeamRow | undefined) => team?.organization === member.facts.organization.id
      const ownTeams = (yield* teamsOf(rows)).flatMap((team) => (team !== undefined && isOwn(team) ? [team] : []))
      const presentedById = new Map((yield* presentAll(ownTeams, member)).map((team) => [team.id, team]))
      return rows.map((row) => present(row, presentedById.get(row.defaultTeam ?? "")))
    })
  }
})
