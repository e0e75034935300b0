/** Converts teams to API resources. Counts are current, and include only spaces that the actor may see. */
import { Context, Effect, Layer } from "effect"
import type { Membership } from "../access/Access.ts"
import { GrantedSpaces } from "../access/GrantedSpaces.ts"
import type { StorageError } from "../storage/Storage.ts"
import type { Team, TeamRow } from "./Team.ts"
import { ownsTeam } from "./TeamPolicy.ts"

export class TeamPresenter extends Context.Service<
  TeamPresenter,
  {
    readonly present: (row: TeamRow, member: Membership) => Effect.Effect<Team, StorageError>
    /** Returns teams in the order of the rows. */
    readonly presentAll: (
      rows: ReadonlyArray<TeamRow>,
      member: Membership
    ) => Effect.Effect<ReadonlyArray<Team>, StorageError>
  }
>()("@lectern/core/team/TeamPresenter") {
  static readonly layer = Layer.effect(
    TeamPresenter,
    Effect.gen(function* () {
      const grantedSpaces = yield* GrantedSpaces

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

      return TeamPresenter.of({
        presentAll,
        present: (row, member) => Effect.map(presentAll([row], member), ([team]) => team!)
      })
    })
  )
}
