/** Lists, updates and removes the members of an organization. `Invitations` adds members. */
import { Context, Effect, Schema, Layer } from "effect"
import type { Membership } from "../access/Access.ts"
import { changesOf } from "../audit/Changes.ts"
import { CurrentActor, userOf } from "../access/Actor.ts"
import type { Forbidden } from "../access/Forbidden.ts"
import { Role } from "../access/Role.ts"
import { accepting, type InvalidInput } from "../schema/Input.ts"
import { foldText } from "../search/Words.ts"
import { Events } from "../event/Events.ts"
import type { PageParams } from "../storage/PageParams.ts"
import { type InvalidCursor, type ListPage, Paging } from "../paging/Paging.ts"
import { Storage, type StorageError } from "../storage/Storage.ts"
import { UserId } from "../user/User.ts"
import { Users } from "../user/Users.ts"
import {
  type LastAdministrator,
  type Member,
  type MemberFilter,
  memberMissing,
  type MemberNotFound,
  type MemberRow,
  MemberTable,
  type Pong
} from "./Member.ts"
import { lastSeen, makeMemberPresenter } from "./MemberPresenter.ts"
import { makeMembershipWrites } from "../membership/MembershipWrites.ts"
import type { OrganizationId, OrganizationNotFound } from "./Organization.ts"
import { Organizations } from "./Organizations.ts"

const acceptRole = accepting(Schema.NullOr(Role))

type Failure = OrganizationNotFound | Forbidden | StorageError

export class Members extends Context.Service<
  Members,
  {
    /**
     * Lists the members of an organization that match the filter.
     *
     * @throws {Forbidden}
     * @throws {InvalidCursor} For a `page` of another list.
     * @throws {OrganizationNotFound}
     * @example
     * ```ts
     * const { items } = await lectern.organizations.members.list(organization.id, { role: "admin" })
     * console.log(items.map(({ user }) => user.displayName))
     * ```
     */
    readonly list: (
      organization: OrganizationId,
      params: PageParams & MemberFilter
    ) => Effect.Effect<ListPage<Member>, Failure | InvalidCursor, CurrentActor>
    /**
     * Returns a member of an organization.
     *
     * @param user Id of the user.
     * @throws {Forbidden}
     * @throws {MemberNotFound} If the user is not a member of the organization.
     * @throws {OrganizationNotFound}
     */
    readonly get: (
      organization: OrganizationId,
      user: string
    ) => Effect.Effect<Member, Failure | MemberNotFound, CurrentActor>
    /**
     * Records that the actor is active, for clients that send no other requests. Any request with a token records this.
     *
     * @throws {Forbidden}
     * @throws {OrganizationNotFound}
     */
    readonly ping: (organization: OrganizationId) => Effect.Effect<Pong, Failure, CurrentActor>
    /**
     * Changes the role of a member, for administrators.
     *
     * @param user Id of the user.
     * @param role New role. `null` makes the member a guest, who has only explicit grants.
     * @throws {Forbidden}
     * @throws {InvalidInput}
     * @throws {LastAdministrator} If no other administrator would remain.
     * @throws {MemberNotFound}
     * @throws {OrganizationNotFound}
     * @example
     * ```ts
     * await lectern.organizations.members.changeRole(organization.id, eve.id, "review")
     * ```
     */
    readonly changeRole: (
      organization: OrganizationId,
      user: string,
      role: Role | null
    ) => Effect.Effect<Member, Failure | MemberNotFound | LastAdministrator | InvalidInput, CurrentActor>
    /**
     * Removes a member with the member's grants and review requests. Members may remove themselves, administrators any
     * member. Does nothing if the user is not a member.
     *
     * @param user Id of the user.
     * @throws {Forbidden}
     * @throws {LastAdministrator} If no other administrator would remain.
     * @throws {OrganizationNotFound}
     */
    readonly remove: (
      organization: OrganizationId,
      user: string
    ) => Effect.Effect<void, Failure | LastAdministrator, CurrentActor>
  }
>()("@lectern/core/organization/Members") {
  static readonly layer = Layer.effect(
    Members,
    Effect.gen(function* () {
      const storage = yield* Storage
      const events = yield* Events
      const paging = yield* Paging
      const organizations = yield* Organizations
      const presenter = yield* makeMemberPresenter
      const users = yield* Users
      const memberships = yield* makeMembershipWrites
      const members = storage.repository(MemberTable)

      const presentOne = (viewer: Membership, row: MemberRow) =>
        Effect.map(presenter.present(viewer, [row]), ([member]) => member!)

      const find = Effect.fnUntraced(function* (organization: OrganizationId, user: string) {
        const row = yield* members.get({ organization, user: UserId.make(user) })
        if (row === undefined) return yield* memberMissing(user)
        return row
      })

      return Members.of({
        list: Effect.fn("Members.list")(function* (organization, params) {
          const { member } = yield* organizations.require(organization, "see this organization")
          const { facts } = member
          const { role, search, sort = "joinedAt", order = "asc" } = params
          const rows = [...facts.members.values()].filter(
            (row) => role === undefined || (role === "guest" ? row.role === null : row.role === role)
          )
          const foldedSearch = search === undefined ? undefined : foldText(search)
          const people = yield* users.activeUsers(rows.map(({ user }) => user))
          const matchingMembers = rows.flatMap((row) => {
            const person = people.get(row.user)!
            const { displayName, email = "" } = person.user
            const isFound = foldedSearch === undefined || foldText(`${displayName}\n${email}`).includes(foldedSearch)
            return isFound ? [{ row, person }] : []
          })
          const sortKeys = {
            joinedAt: ({ row }: (typeof matchingMembers)[number]) => row.joinedAt,
            lastSeenAt: ({ row, person }: (typeof matchingMembers)[number]) => lastSeen(row, person).lastSeenAt ?? "",
            name: ({ person }: (typeof matchingMembers)[number]) => person.user.displayName.toLowerCase()
          }
          const key = (one: (typeof matchingMembers)[number]) => `${sortKeys[sort](one)}\n${one.row.user}`
          const sorted = matchingMembers.toSorted((a, b) => (key(a) < key(b) ? -1 : 1))
          const page = yield* paging.items(
            order === "asc" ? sorted : sorted.toReversed(),
            `members of ${organization} ${JSON.stringify([role, search, sort, order])}`,
            key,
            params,
            { descending: order === "desc" }
          )
          return {
            ...page,
            items: yield* presenter.present(
              member,
              page.items.map(({ row }) => row),
              people
            )
          }
        }),

        get: Effect.fn("Members.get")(function* (organization, user) {
          const { member } = yield* organizations.require(organization, "see this organization")
          return yield* presentOne(member, yield* find(organization, user))
        }),

        ping: Effect.fn("Members.ping")(function* (organization) {
          yield* organizations.require(organization, "see this organization")
          return {}
        }),

        changeRole: Effect.fn("Members.changeRole")(function* (organization, user, rawInput) {
          const role = yield* acceptRole(rawInput)
          return yield* storage.transaction(
            Effect.gen(function* () {
              const { member } = yield* organizations.require(organization, "manage the members of this organization")
              const row = yield* find(organization, user)
              if (role === row.role) return yield* presentOne(member, row)
              if (role !== "admin") yield* memberships.requireOtherAdministrator(row)
              yield* members.update({ organization, user: row.user }, { role })

              const changes = changesOf(row, { ...row, role }, ["role"])
              const eventFields = { organization, user: row.user }
              yield* events.emit({ type: "member_updated", ...eventFields }, { changes })
              yield* events.emit({ type: "member_role_updated", ...eventFields, previousRole: row.role, role })
              return yield* presentOne(member, { ...row, role })
            })
          )
        }),

        remove: Effect.fn("Members.remove")(function* (organization, user) {
          yield* storage.transaction(
            Effect.gen(function* () {
              const isSelf = userOf(yield* CurrentActor) === user
              yield* organizations.require(
                organization,
                isSelf ? "leave this organization" : "manage the members of this organization"
              )
              const row = yield* members.get({ organization, user: UserId.make(user) })
              if (row !== undefined) yield* memberships.remove(row)
            })
          )
        })
      })
    })
  )
}
