/** Lists, creates, renames and deletes teams. */
import { Context, Effect, Layer } from "effect"
import { Access, type Membership } from "../access/Access.ts"
import { changesOf } from "../audit/Changes.ts"
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
import { foldText } from "../search/Words.ts"
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
  TeamTable,
  type TeamMembersPut
} from "./Team.ts"
import { TeamMemberTable, type TeamMember, type TeamMemberPut } from "./TeamMember.ts"
import { ownsTeam, makeTeamPolicy } from "./TeamPolicy.ts"
import { makeTeamPresenter } from "./TeamPresenter.ts"
import { makeTeamMembers, requireMembers } from "./TeamMembers.ts"

const acceptCreate = accepting(TeamCreate)
const acceptPatch = accepting(TeamPatch)

type Failure = OrganizationNotFound | Forbidden | StorageError

export class Teams extends Context.Service<
  Teams,
  {
    /**
     * Lists the teams of an organization by title.
     *
     * @throws {Forbidden}
     * @throws {InvalidCursor}
     * @throws {OrganizationNotFound}
     */
    readonly list: (
      organization: OrganizationId,
      params: PageParams & {
        /** Id of a member. Only teams that this member may manage. */
        readonly owner?: string
        /** Lists only teams whose title contains this text. Ignores case and accents. */
        readonly title?: string
      }
    ) => Effect.Effect<ListPage<Team>, Failure | InvalidCursor, CurrentActor>
    /**
     * Lists the teams of a member by title, with the member's role in each.
     *
     * @param user Id of the user.
     * @param params.title Lists only teams whose title contains this text. Ignores case and accents.
     * @throws {Forbidden}
     * @throws {InvalidCursor}
     * @throws {MemberNotFound} If the user is not a member of the organization.
     * @throws {OrganizationNotFound}
     */
    readonly listOfMember: (
      organization: OrganizationId,
      user: string,
      params: PageParams & { readonly title?: string }
    ) => Effect.Effect<ListPage<MembershipOfTeam>, Failure | MemberNotFound | InvalidCursor, CurrentActor>
    /**
     * Returns a team of an organization.
     *
     * @param id Id of the team.
     * @throws {Forbidden}
     * @throws {OrganizationNotFound}
     * @throws {TeamNotFound} If the organization has no such team.
     */
    readonly get: (
      organization: OrganizationId,
      id: string
    ) => Effect.Effect<Team, Failure | TeamNotFound, CurrentActor>
    /**
     * Creates a team with the members in the input, for administrators.
     *
     * @throws {Forbidden}
     * @throws {InvalidInput}
     * @throws {InvalidTeamMember} If a user is not a member of the organization. No team is then created.
     * @throws {OrganizationNotFound}
     * @example
     * ```ts
     * const team = await lectern.teams.create(organization.id, { title: "Writers", members: [ada.id] })
     * await lectern.grants.grant({ kind: "space", id: space.id }, { teams: [team.id], role: "edit" })
     * ```
     */
    readonly create: (
      organization: OrganizationId,
      input: TeamCreate
    ) => Effect.Effect<Team, Failure | InvalidInput | InvalidTeamMember, CurrentActor>
    /**
     * Changes the title of a team, for administrators and the team's owners.
     *
     * @param id Id of the team.
     * @throws {Forbidden}
     * @throws {InvalidInput}
     * @throws {OrganizationNotFound}
     * @throws {TeamNotFound}
     */
    readonly update: (
      organization: OrganizationId,
      id: string,
      patch: TeamPatch
    ) => Effect.Effect<Team, Failure | InvalidInput | TeamNotFound, CurrentActor>
    /**
     * Deletes a team with its grants. Does nothing if the team does not exist.
     *
     * @param id Id of the team.
     * @throws {Forbidden}
     * @throws {OrganizationNotFound}
     */
    readonly remove: (organization: OrganizationId, id: string) => Effect.Effect<void, Failure, CurrentActor>
    /**
     * Lists the members of a team.
     *
     * @param team Id of the team.
     * @throws {Forbidden}
     * @throws {InvalidCursor}
     * @throws {OrganizationNotFound}
     * @throws {TeamNotFound}
     */
    readonly listMembers: (
      organization: OrganizationId,
      team: string,
      params: PageParams
    ) => Effect.Effect<ListPage<TeamMember>, Failure | TeamNotFound | InvalidCursor, CurrentActor>
    /**
     * Adds and removes members in one request. A member in both lists is removed.
     *
     * @param team Id of the team.
     * @throws {Forbidden}
     * @throws {InvalidInput}
     * @throws {InvalidTeamMember}
     * @throws {OrganizationNotFound}
     * @throws {TeamNotFound}
     */
    readonly updateMembers: (
      organization: OrganizationId,
      team: string,
      input: TeamMembersPut
    ) => Effect.Effect<void, Failure | TeamNotFound | InvalidInput | InvalidTeamMember, CurrentActor>
    /**
     * Adds a member to the team, or changes the member's role.
     *
     * @param team Id of the team.
     * @param user Id of the user.
     * @throws {Forbidden}
     * @throws {InvalidInput}
     * @throws {MemberNotFound}
     * @throws {OrganizationNotFound}
     * @throws {TeamNotFound}
     */
    readonly putMember: (
      organization: OrganizationId,
      team: string,
      user: string,
      input: TeamMemberPut
    ) => Effect.Effect<void, Failure | TeamNotFound | InvalidInput | MemberNotFound, CurrentActor>
    /**
     * Removes a member from the team. Does nothing if the user is not in the team.
     *
     * @param team Id of the team.
     * @param user Id of the user.
     * @throws {Forbidden}
     * @throws {OrganizationNotFound}
     * @throws {TeamNotFound}
     */
    readonly removeMember: (
      organization: OrganizationId,
      team: string,
      user: string
    ) => Effect.Effect<void, Failure | TeamNotFound, CurrentActor>
  }
>()("@lectern/core/team/Teams") {
  static readonly layer = Layer.effect(
    Teams,
    Effect.gen(function* () {
      const storage = yield* Storage
      const ids = yield* Ids
      const access = yield* Access
      const events = yield* Events
      const paging = yield* Paging
      const organizations = yield* Organizations
      const policy = yield* makeTeamPolicy
      const { present, presentAll } = yield* makeTeamPresenter
      const teams = storage.repository(TeamTable)
      const teamMembers = storage.repository(TeamMemberTable)
      const grants = storage.repository(GrantTable)

      /** Returns a team that was just written, with counts as of the write. */
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
          const foldedTitle = foldText(title ?? "")
          const matchingTeams = (yield* teams.list(query)).filter(
            (row) =>
              foldText(row.title).includes(foldedTitle) &&
              (owner === undefined || (manager !== undefined && ownsTeam(manager, row.id)))
          )
          const page = yield* paging.inOrder(matchingTeams, list, ({ id }) => id, params)
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
          const filterText = foldText(title ?? "")
          const teamRows = (yield* teams.list({
            where: { organization, id: { in: [...roles.keys()] } },
            order: ["folded"]
          })).filter((row) => foldText(row.title).includes(filterText))
          const list = `teams of ${user} in ${organization} ${title ?? ""}`
          const page = yield* paging.inOrder(teamRows, list, ({ id }) => id, params)
          const presentedTeams = yield* presentAll(page.items, member)
          return { ...page, items: presentedTeams.map((team) => ({ team, member: { role: roles.get(team.id)! } })) }
        }),

        get: Effect.fn("Teams.get")(function* (organization, id) {
          const { team, member } = yield* policy.require(organization, id, "see this team")
          return yield* present(team, member)
        }),

        create: Effect.fn("Teams.create")(function* (organization, rawInput) {
          const { title, members = [] } = yield* acceptCreate(rawInput)
          const row: TeamRow = { id: yield* ids.next, organization, title, createdAt: yield* Timestamps.now }
          return yield* storage.transaction(
            Effect.gen(function* () {
              const { member } = yield* organizations.require(organization, "manage the teams of this organization")
              const users = yield* requireMembers(member, members, "body.members")
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

        update: Effect.fn("Teams.update")(function* (organization, id, rawInput) {
          const { title } = yield* acceptPatch(rawInput)
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
                const holderFields = { organization, holderKind: "team", holder: id } as const
                const teamGrants = yield* grants.list({ where: holderFields })
                yield* grants.remove(holderFields)
                for (const { kind, content, role } of teamGrants) {
                  yield* events.emit(
                    { type: "grant_removed", ...holderFields, content: { kind, id: content } },
                    { changes: { role: { from: role, to: null } } }
                  )
                }
                yield* teamMembers.remove({ team: id })
                yield* teams.remove({ id })
                yield* events.emit({ type: "team_deleted", organization, team: id }, { label: team.title })
              })
            )
            .pipe(Effect.catchTag("TeamNotFound", () => Effect.void))
        }),

        ...(yield* makeTeamMembers)
      })
    })
  )
}

/**
 * Returns the membership of another member, with the same facts as the current actor's. Undefined if the user is no
 * active member.
 */
const membershipOf = ({ facts }: Membership, user: string): Membership | undefined => {
  const row = facts.members.get(user)
  return row === undefined || row.disabled ? undefined : { user, role: row.role, admin: row.role === "admin", facts }
}

/** Fails unless the user is a member of the organization, disabled or not. */
const requireMember = ({ facts }: Membership, user: string) =>
  facts.members.has(user) ? Effect.void : Effect.fail(memberMissing(user))
