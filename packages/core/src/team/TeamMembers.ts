/** Lists, adds and removes the members of a team, and changes their roles. */
import { Effect } from "effect"
import type { Membership } from "../access/Access.ts"
import { Events } from "../event/Events.ts"
import { memberMissing } from "../organization/Member.ts"
import { makeMemberPresenter } from "../organization/MemberPresenter.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import { accepting } from "../schema/Input.ts"
import { Paging } from "../paging/Paging.ts"
import { cannotConflict, Storage } from "../storage/Storage.ts"
import { UserId } from "../user/User.ts"
import { InvalidTeamMember, TeamMembersPut } from "./Team.ts"
import { TeamMemberPut, TeamMemberTable, type TeamRole } from "./TeamMember.ts"
import { makeTeamPolicy } from "./TeamPolicy.ts"
import type { Teams } from "./Teams.ts"

const acceptPut = accepting(TeamMembersPut)
const acceptMember = accepting(TeamMemberPut)

export const makeTeamMembers = Effect.gen(function* () {
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

  return {
    listMembers: Effect.fn("Teams.listMembers")(function* (organization, team, params) {
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

    updateMembers: Effect.fn("Teams.updateMembers")(function* (organization, team, rawInput) {
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

    putMember: Effect.fn("Teams.putMember")(function* (organization, team, user, rawInput) {
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

    removeMember: Effect.fn("Teams.removeMember")(function* (organization, team, user) {
      yield* changing(organization, team, () => Effect.asVoid(teamMembers.remove({ team, user })))
    })
  } satisfies Pick<Teams["Service"], "listMembers" | "updateMembers" | "putMember" | "removeMember">
})

/** Returns the ids of the named members without duplicates. Fails if a user is not a member. */
export const requireMembers = Effect.fnUntraced(function* (
  { facts }: Membership,
  named: ReadonlyArray<string>,
  path: string
) {
  const issues = named.flatMap((user, i) =>
    facts.members.has(user) ? [] : [{ path: `${path}[${i}]`, message: "Expected a member of the organization" }]
  )
  if (issues.length > 0) return yield* new InvalidTeamMember({ issues: issues.slice(0, 20) })
  return [...new Set(named)].map((user) => UserId.make(user))
})
