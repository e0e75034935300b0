/** Lists, adds and removes the members of a team, and changes their roles. */
import { Context, Effect, Layer } from "effect"
import type { CurrentActor } from "../access/Actor.ts"
import type { Forbidden } from "../access/Forbidden.ts"
import { Events } from "../event/Events.ts"
import { memberMissing, type MemberNotFound } from "../organization/Member.ts"
import { makeMemberPresenter } from "../organization/MemberPresenter.ts"
import type { OrganizationId, OrganizationNotFound } from "../organization/Organization.ts"
import { accepting, type InvalidInput } from "../schema/Input.ts"
import type { PageParams } from "../storage/PageParams.ts"
import { type InvalidCursor, type ListPage, Paging } from "../paging/Paging.ts"
import { cannotConflict, Storage, type StorageError } from "../storage/Storage.ts"
import { UserId } from "../user/User.ts"
import { type InvalidTeamMember, TeamMembersPut, type TeamNotFound } from "./Team.ts"
import { type TeamMember, TeamMemberPut, TeamMemberTable, type TeamRole } from "./TeamMember.ts"
import { makeTeamPolicy } from "./TeamPolicy.ts"
import { requireMembers } from "./Teams.ts"

const acceptPut = accepting(TeamMembersPut)
const acceptMember = accepting(TeamMemberPut)

type Failure = OrganizationNotFound | TeamNotFound | Forbidden | StorageError

export class TeamMembers extends Context.Service<
  TeamMembers,
  {
    /**
     * Lists the members of a team. Page size: 50 by default, `limit` up to 1,000. `TeamNotFound` if the team does not
     * exist.
     */
    readonly list: (
      organization: OrganizationId,
      team: string,
      params: PageParams
    ) => Effect.Effect<ListPage<TeamMember>, Failure | InvalidCursor, CurrentActor>
    /** Adds and removes members in one request. A member in both lists is removed. */
    readonly update: (
      organization: OrganizationId,
      team: string,
      input: TeamMembersPut
    ) => Effect.Effect<void, Failure | InvalidInput | InvalidTeamMember, CurrentActor>
    /** Adds a member to the team, or changes the member's role. */
    readonly put: (
      organization: OrganizationId,
      team: string,
      user: string,
      input: TeamMemberPut
    ) => Effect.Effect<void, Failure | InvalidInput | MemberNotFound, CurrentActor>
    /** Removes a member from the team. Does nothing if the user is not in the team. */
    readonly remove: (
      organization: OrganizationId,
      team: string,
      user: string
    ) => Effect.Effect<void, Failure, CurrentActor>
  }
>()("@lectern/core/team/TeamMembers") {
  static readonly layer = Layer.effect(
    TeamMembers,
    Effect.gen(function* () {
      const storage = yield* Storage
      const events = yield* Events
      const paging = yield* Paging
      const presenter = yield* makeMemberPresenter
      const policy = yield* makeTeamPolicy
      const teamMembers = storage.repository(TeamMemberTable)

      const writeMember = Effect.fnUntraced(function* (
        organization: OrganizationId,
        team: string,
        user: UserId,
        role: TeamRole | undefined
      ) {
        const patch = role === undefined ? {} : { role }
        if ((yield* teamMembers.update({ team, user }, patch)) > 0) return
        yield* teamMembers.insert({ organization, team, user, role: role ?? "member" })
      }, cannotConflict)

      const rolesOfTeam = (team: string) =>
        Effect.map(teamMembers.list({ where: { team } }), (rows) => new Map(rows.map(({ user, role }) => [user, role])))

      const changing = <E>(
        organization: OrganizationId,
        team: string,
        change: (authorized: Effect.Success<ReturnType<typeof policy.require>>) => Effect.Effect<void, E>
      ) =>
        storage.transaction(
          Effect.gen(function* () {
            const authorized = yield* policy.require(organization, team, "manage this team")
            const before = yield* rolesOfTeam(team)
            yield* change(authorized)
            const after = yield* rolesOfTeam(team)
            const users = [...new Set([...before.keys(), ...after.keys()])].filter(
              (user) => before.get(user) !== after.get(user)
            )
            if (users.length === 0) return
            const rolesOf = (roles: ReadonlyMap<string, TeamRole>) =>
              Object.fromEntries(users.map((user) => [user, roles.get(user) ?? null]))
            yield* events.emit(
              { type: "team_members_updated", organization, team },
              { label: authorized.team.title, changes: { members: { from: rolesOf(before), to: rolesOf(after) } } }
            )
          })
        )

      return TeamMembers.of({
        list: Effect.fn("TeamMembers.list")(function* (organization, team, params) {
          const { member } = yield* policy.require(organization, team, "see this team")
          const page = yield* paging.rows(TeamMemberTable, `members of team ${team}`, { where: { team } }, params)
          const membersById = new Map(
            (yield* presenter.present(
              member,
              page.items.flatMap(({ user }) => member.facts.members.get(user) ?? [])
            )).map((one) => [one.id, one])
          )
          return {
            ...page,
            items: page.items.flatMap(({ user, role }) => {
              const organizationMember = membersById.get(user)
              return organizationMember === undefined
                ? []
                : [{ organization: organizationMember, team: { role }, permissions: { view: true } }]
            })
          }
        }),

        update: Effect.fn("TeamMembers.update")(function* (organization, team, rawInput) {
          const { add = [], memberships = {}, remove = [] } = yield* acceptPut(rawInput)
          yield* changing(
            organization,
            team,
            Effect.fnUntraced(function* ({ member }) {
              yield* requireMembers(member, Object.keys(memberships), "body.memberships")
              for (const user of yield* requireMembers(member, add, "body.add")) {
                yield* writeMember(organization, team, user, undefined)
              }
              for (const [user, { role }] of Object.entries(memberships)) {
                yield* writeMember(organization, team, UserId.make(user), role)
              }
              if (remove.length > 0) yield* teamMembers.remove({ team, user: { in: remove } })
            })
          )
        }),

        put: Effect.fn("TeamMembers.put")(function* (organization, team, user, rawInput) {
          const { role } = yield* acceptMember(rawInput)
          yield* changing(
            organization,
            team,
            Effect.fnUntraced(function* ({ member }) {
              if (!member.facts.members.has(user)) {
                return yield* memberMissing(user)
              }
              yield* writeMember(organization, team, UserId.make(user), role)
            })
          )
        }),

        remove: Effect.fn("TeamMembers.remove")(function* (organization, team, user) {
          yield* changing(organization, team, () => Effect.asVoid(teamMembers.remove({ team, user })))
        })
      })
    })
  )
}
