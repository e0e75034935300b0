/** Lists, makes, renames and deletes teams. */
import { Context, Effect } from "effect"
import { Access, type Membership } from "../access/Access.ts"
import { changesOf } from "../audit/Changes.ts"
import { AccessFacts } from "../access/AccessFacts.ts"
import type { CurrentActor } from "../access/Actor.ts"
import type { Forbidden } from "../access/Forbidden.ts"
import { GrantTable } from "../grant/Grant.ts"
import { Events } from "../event/Events.ts"
import { Ids } from "../identity/Ids.ts"
import { memberMissing, type MemberNotFound } from "../organization/Member.ts"
import type { OrganizationId, OrganizationNotFound } from "../organization/Organization.ts"
import { Organizations } from "../organization/Organizations.ts"
import { accepting, type InvalidInput } from "../schema/Input.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { fold } from "../search/Words.ts"
import type { PageParams } from "../storage/PageParams.ts"
import { type InvalidCursor, type ListPage, Paging } from "../paging/Paging.ts"
import { cannotConflict, Storage, type StorageError } from "../storage/Storage.ts"
import { UserId } from "../user/User.ts"
import {
  InvalidTeamMember,
  type MembershipOfTeam,
  type Team,
  TeamCreate,
  type TeamNotFound,
  TeamPatch,
  type TeamRow,
  TeamTable
} from "./Team.ts"
import { TeamMemberTable } from "./TeamMember.ts"
import { ownsTeam, TeamPolicy } from "./TeamPolicy.ts"
import { TeamPresenter } from "./TeamPresenter.ts"
import { wired } from "../wiring/Wired.ts"

const acceptCreate = accepting(TeamCreate)
const acceptPatch = accepting(TeamPatch)

type Failure = OrganizationNotFound | Forbidden | StorageError

export class Teams extends Context.Service<
  Teams,
  {
    /** In the order of their titles. */
    readonly list: (
      organization: OrganizationId,
      params: PageParams & {
        /** Those that this member may manage. */
        readonly owner?: string
        /** Those with this in their title, whatever its case and accents. */
        readonly title?: string
      }
    ) => Effect.Effect<ListPage<Team>, Failure | InvalidCursor, CurrentActor>
    /**
     * The teams that a member of the organization is in, with what it is there, in the order of their titles.
     * `MemberNotFound` where the user is none.
     */
    readonly listOfMember: (
      organization: OrganizationId,
      user: string,
      params: PageParams & { readonly title?: string }
    ) => Effect.Effect<ListPage<MembershipOfTeam>, Failure | MemberNotFound | InvalidCursor, CurrentActor>
    /** Answers a team of the organization by its id, or `TeamNotFound`. */
    readonly get: (
      organization: OrganizationId,
      id: string
    ) => Effect.Effect<Team, Failure | TeamNotFound, CurrentActor>
    /**
     * Makes a team with the members that the input names, for administrators. `InvalidTeamMember` where one of them does not belong
     * to the organization: then no team is made.
     */
    readonly create: (
      organization: OrganizationId,
      input: TeamCreate
    ) => Effect.Effect<Team, Failure | InvalidInput | InvalidTeamMember, CurrentActor>
    /**
     * Changes the fields of a team that the patch names, for administrators and the team's owners. `TeamNotFound`
     * where there is no such team.
     */
    readonly update: (
      organization: OrganizationId,
      id: string,
      patch: TeamPatch
    ) => Effect.Effect<Team, Failure | InvalidInput | TeamNotFound, CurrentActor>
    /** Deletes a team with what was granted to it. One that is not there counts as deleted. */
    readonly remove: (organization: OrganizationId, id: string) => Effect.Effect<void, Failure, CurrentActor>
  }
>()("@lectern/core/team/Teams") {
  static readonly layer = wired(
    Teams,
    Effect.gen(function* () {
      const storage = yield* Storage
      const ids = yield* Ids
      const access = yield* Access
      const facts = yield* AccessFacts
      const events = yield* Events
      const paging = yield* Paging
      const organizations = yield* Organizations
      const policy = yield* TeamPolicy
      const { present, presentAll } = yield* TeamPresenter
      const teams = storage.repository(TeamTable)
      const teamMembers = storage.repository(TeamMemberTable)
      const grants = storage.repository(GrantTable)

      /** A team that was just written, with the counts as they are then. */
      const presentNow = (row: TeamRow) =>
        Effect.flatMap(access.membership(row.organization), (member) => present(row, member!))

      return Teams.of({
        list: Effect.fn("Teams.list")(function* (organization, { owner, title, ...params }) {
          const { member } = yield* organizations.require(organization, "see this organization")
          const query = { where: { organization }, order: ["folded"] as const }
          const list = `teams of ${organization} ${JSON.stringify([owner ?? null, title ?? null])}`
          if (owner === undefined && title === undefined) {
            const page = yield* paging.rows(TeamTable, list, query, params)
            return { ...page, items: yield* presentAll(page.items, member) }
          }
          const manager = owner === undefined ? undefined : membershipOf(member, owner)
          const wanted = fold(title ?? "")
          const found = (yield* teams.list(query)).filter(
            (row) =>
              fold(row.title).includes(wanted) &&
              (owner === undefined || (manager !== undefined && ownsTeam(manager, row.id)))
          )
          const page = yield* paging.inOrder(found, list, ({ id }) => id, params)
          return { ...page, items: yield* presentAll(page.items, member) }
        }),

        listOfMember: Effect.fn("Teams.listOfMember")(function* (organization, user, { title, ...params }) {
          const { member } = yield* organizations.require(organization, "see this organization")
          yield* requireMember(member, user)
          const roles = new Map(
            (yield* teamMembers.list({ where: { organization, user: UserId.make(user) } })).map((row) => [
              row.team,
              row.role
            ])
          )
          const wanted = fold(title ?? "")
          const found = (yield* teams.list({
            where: { organization, id: { in: [...roles.keys()] } },
            order: ["folded"]
          })).filter((row) => fold(row.title).includes(wanted))
          const list = `teams of ${user} in ${organization} ${title ?? ""}`
          const page = yield* paging.inOrder(found, list, ({ id }) => id, params)
          const shown = yield* presentAll(page.items, member)
          return { ...page, items: shown.map((team) => ({ team, member: { role: roles.get(team.id)! } })) }
        }),

        get: Effect.fn("Teams.get")(function* (organization, id) {
          const { team, member } = yield* policy.require(organization, id, "see this team")
          return yield* present(team, member)
        }),

        create: Effect.fn("Teams.create")(function* (organization, wanted) {
          const { title, members = [] } = yield* acceptCreate(wanted)
          const row: TeamRow = { id: yield* ids.next, organization, title, createdAt: yield* Timestamps.now }
          return yield* storage.transaction(
            Effect.gen(function* () {
              const { member } = yield* organizations.require(organization, "manage the teams of this organization")
              const users = yield* requireMembers(member, members, "body.members")
              yield* facts.changed(organization)
              yield* teams.insert(row).pipe(cannotConflict)
              for (const user of users) {
                yield* teamMembers.insert({ organization, team: row.id, user, role: "member" }).pipe(cannotConflict)
              }
              yield* events.emit(
                { type: "team_created", organization, team: row.id },
                { label: title, payload: { members: users } }
              )
              return yield* presentNow(row)
            })
          )
        }),

        update: Effect.fn("Teams.update")(function* (organization, id, wanted) {
          const { title } = yield* acceptPatch(wanted)
          return yield* storage.transaction(
            Effect.gen(function* () {
              const { team, member } = yield* policy.require(organization, id, "manage this team")
              if (title === team.title) return yield* present(team, member)
              yield* teams.update({ id }, { title })
              yield* events.emit(
                { type: "team_updated", organization, team: id },
                { label: team.title, changes: changesOf(team, { ...team, title }, ["title"]) }
              )
              return yield* present({ ...team, title }, member)
            })
          )
        }),

        remove: Effect.fn("Teams.remove")(function* (organization, id) {
          yield* storage
            .transaction(
              Effect.gen(function* () {
                const { team } = yield* policy.require(organization, id, "delete this team")
                yield* facts.changed(organization)
                const held = { organization, holderKind: "team", holder: id } as const
                const taken = yield* grants.list({ where: held })
                yield* grants.remove(held)
                for (const { kind, content, role } of taken) {
                  yield* events.emit(
                    { type: "grant_removed", ...held, content: { kind, id: content } },
                    { changes: { role: { from: role, to: null } } }
                  )
                }
                yield* teamMembers.remove({ team: id })
                yield* teams.remove({ id })
                yield* events.emit({ type: "team_deleted", organization, team: id }, { label: team.title })
              })
            )
            .pipe(Effect.catchTag("TeamNotFound", () => Effect.void))
        })
      })
    }),
    [
      Access.layer,
      AccessFacts.layer,
      Events.layer,
      Organizations.layer,
      Paging.layer,
      TeamPolicy.layer,
      TeamPresenter.layer
    ]
  )
}

/** Someone's membership of the organization that another one asks from. */
const membershipOf = ({ facts }: Membership, user: string): Membership | undefined => {
  const row = facts.members.get(user)
  return row === undefined || row.disabled ? undefined : { user, role: row.role, admin: row.role === "admin", facts }
}

/** The user as one who belongs to the organization, disabled or not. */
const requireMember = ({ facts }: Membership, user: string) =>
  facts.members.has(user) ? Effect.void : Effect.fail(memberMissing(user))

/** The members that were named, once each. */
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
