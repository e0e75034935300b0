/** Converts teams to API resources. Counts are current, and include only spaces that the actor may see. */
import { Effect } from "effect"
import type { Membership } from "../access/Access.ts"
import { makeGrantedSpaces } from "../access/GrantedSpaces.ts"
import type { Team, TeamRow } from "./Team.ts"
import { ownsTeam } from "./TeamPolicy.ts"

export const makeTeamPresenter = Effect.gen(function* () {
  const grantedSpaces = yield* makeGrantedSpaces

  const presentAll = Effect.fnUntraced(function* (rows: ReadonlyArray<TeamRow>, member: Membership) {
    const { facts } = member
    const spaces = yield* grantedSpaces.count(
      member,
      "team",
      rows.map(({ id }) => id)
    )
    return rows.map(({ id, title, createdAt }): Team => ({
      object: "team",
      id,
      title,
      members: facts.teamSizes.get(id) ?? 0,
      spaces: spaces.get(id) ?? 0,
      createdAt,
      permissions: { admin: ownsTeam(member, id), view: true }
    }))
  })

  return {
    /** Returns teams in the order of the rows. */
    presentAll,
    present: (row: TeamRow, member: Membership) => Effect.map(presentAll([row], member), ([team]) => team!)
  }
})
