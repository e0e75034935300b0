/** Grants, lists and revokes roles of users and teams on content. All operations require `admin` on the content. */
import { Context, Effect, Layer } from "effect"
import type { CollectionId, CollectionNotFound } from "../collection/Collection.ts"
import { makeCollectionPolicy } from "../collection/CollectionPolicy.ts"
import { Events } from "../event/Events.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import { accepting, type InvalidInput } from "../schema/Input.ts"
import { accessTargetOf, type SiteId, type SiteNotFound } from "../site/Site.ts"
import { SitePolicy } from "../site/SitePolicy.ts"
import type { SpaceId, SpaceNotFound } from "../space/Space.ts"
import { SpacePolicy } from "../space/SpacePolicy.ts"
import type { PageParams } from "../storage/PageParams.ts"
import { type InvalidCursor, type ListPage, Paging } from "../paging/Paging.ts"
import { cannotConflict, Storage, type StorageError } from "../storage/Storage.ts"
import { TeamTable } from "../team/Team.ts"
import { makeTeamPresenter } from "../team/TeamPresenter.ts"
import { UserId } from "../user/User.ts"
import { Users } from "../user/Users.ts"
import { levelOn, type Membership } from "../access/Access.ts"
import type { CurrentActor } from "../access/Actor.ts"
import type { Ceiling } from "../access/AccessCeiling.ts"
import type { Forbidden } from "../access/Forbidden.ts"
import {
  type ContentKind,
  GrantNotFound,
  type AggregatePermission,
  type GrantRow,
  GrantTable,
  GrantRole,
  GrantTo,
  InvalidGrant,
  type TeamPermission,
  type UserPermission
} from "./Grant.ts"
import type { DefaultLevel, Role } from "../access/Role.ts"

/** Content that a grant is on. */
export type GrantTarget =
  | {
      /** Kind of the content. */
      readonly kind: "space"
      /** Id of the space, the collection or the site. */
      readonly id: SpaceId
    }
  | { readonly kind: "collection"; readonly id: CollectionId }
  | {
      readonly kind: "site"
      readonly id: SiteId
      /** Id of the organization. Only for sites. */
      readonly organization: OrganizationId
    }

const acceptGrant = accepting(GrantTo)
const acceptRole = accepting(GrantRole)

type Failure = SpaceNotFound | CollectionNotFound | SiteNotFound | Forbidden | StorageError
type HolderKind = GrantRow["holderKind"]

interface AuthorizedContent {
  readonly kind: ContentKind
  readonly id: string
  readonly organization: OrganizationId
  readonly parent?: string | undefined
  readonly defaultLevel: DefaultLevel
  readonly ceiling?: Ceiling | undefined
  readonly follows?: string | undefined
  readonly member: Membership
  /** Fails if a grant would open contents that the actor has no rights on. */
  readonly requireAllIn?: Effect.Effect<void, Forbidden | StorageError>
}

/** Returns the origin of a user's level on a site: a grant on the site, or the organization. */
const originOf = (
  { grants, teams, organization }: Membership["facts"],
  site: string,
  user: string,
  level: Role
): NonNullable<AggregatePermission["origin"]> => {
  const levelGrants = (grants.get(site) ?? []).filter(({ role }) => role === level)
  if (levelGrants.some(({ holderKind, holder }) => holderKind === "user" && holder === user)) {
    return { type: "site", site, reason: "member" }
  }
  if (levelGrants.some(({ holderKind, holder }) => holderKind === "team" && teams.get(user)?.has(holder) === true)) {
    return { type: "site", site, reason: "team" }
  }
  return { type: "organization", organization: organization.id }
}

export class Grants extends Context.Service<
  Grants,
  {
    /**
     * Grants a role to users or teams and replaces their previous role. Null revokes it.
     *
     * @throws {CollectionNotFound}
     * @throws {Forbidden}
     * @throws {InvalidGrant}
     * @throws {InvalidInput}
     * @throws {SiteNotFound}
     * @throws {SpaceNotFound}
     * @example
     * ```ts
     * await lectern.grants.grant({ kind: "space", id: space.id }, { users: [ada.id], role: "edit" })
     * ```
     */
    readonly grant: (
      target: GrantTarget,
      to: GrantTo
    ) => Effect.Effect<void, Failure | InvalidGrant | InvalidInput, CurrentActor>
    /**
     * Changes the role of a user or team that already has a grant on the content. Null revokes the grant.
     *
     * @param holderKind `user` or `team`.
     * @param holder Id of the user or the team.
     * @param role New role. `null` revokes the grant.
     * @throws {CollectionNotFound}
     * @throws {Forbidden}
     * @throws {GrantNotFound}
     * @throws {InvalidInput}
     * @throws {SiteNotFound}
     * @throws {SpaceNotFound}
     */
    readonly change: (
      target: GrantTarget,
      holderKind: HolderKind,
      holder: string,
      role: Role | null
    ) => Effect.Effect<void, Failure | GrantNotFound | InvalidInput, CurrentActor>
    /**
     * Revokes a grant. Succeeds if none exists.
     *
     * @param holderKind `user` or `team`.
     * @param holder Id of the user or the team.
     * @throws {CollectionNotFound}
     * @throws {Forbidden}
     * @throws {SiteNotFound}
     * @throws {SpaceNotFound}
     */
    readonly remove: (
      target: GrantTarget,
      holderKind: HolderKind,
      holder: string
    ) => Effect.Effect<void, Failure, CurrentActor>
    /**
     * Lists the users with a grant directly on the content.
     *
     * @throws {CollectionNotFound}
     * @throws {Forbidden}
     * @throws {InvalidCursor}
     * @throws {SiteNotFound}
     * @throws {SpaceNotFound}
     */
    readonly listUsers: (
      target: GrantTarget,
      params: PageParams
    ) => Effect.Effect<ListPage<UserPermission>, Failure | InvalidCursor, CurrentActor>
    /**
     * Lists the teams with a grant directly on the content.
     *
     * @throws {CollectionNotFound}
     * @throws {Forbidden}
     * @throws {InvalidCursor}
     * @throws {SiteNotFound}
     * @throws {SpaceNotFound}
     */
    readonly listTeams: (
      target: GrantTarget,
      params: PageParams
    ) => Effect.Effect<ListPage<TeamPermission>, Failure | InvalidCursor, CurrentActor>
    /**
     * Lists all users with access to the content, with their effective roles.
     *
     * @param params.role Lists only users with this effective role.
     * @throws {CollectionNotFound}
     * @throws {Forbidden}
     * @throws {InvalidCursor}
     * @throws {SiteNotFound}
     * @throws {SpaceNotFound}
     */
    readonly aggregate: (
      target: GrantTarget,
      params: PageParams & { readonly role?: Role }
    ) => Effect.Effect<ListPage<AggregatePermission>, Failure | InvalidCursor, CurrentActor>
  }
>()("@lectern/core/grant/Grants") {
  static readonly layer = Layer.effect(
    Grants,
    Effect.gen(function* () {
      const storage = yield* Storage
      const events = yield* Events
      const paging = yield* Paging
      const users = yield* Users
      const teamPresenter = yield* makeTeamPresenter
      const spacePolicy = yield* SpacePolicy
      const collectionPolicy = yield* makeCollectionPolicy
      const sitePolicy = yield* SitePolicy
      const grants = storage.repository(GrantTable)
      const teams = storage.repository(TeamTable)

      const require = Effect.fnUntraced(function* (
        target: GrantTarget
      ): Effect.fn.Return<AuthorizedContent, Failure, CurrentActor> {
        const { kind } = target
        switch (kind) {
          case "space": {
            const { space, member } = yield* spacePolicy.require(target.id, "give access to this space")
            return { kind, ...space, member }
          }
          case "collection": {
            const authorized = yield* collectionPolicy.require(target.id, "change this collection")
            return {
              kind,
              ...authorized.collection,
              member: authorized.member,
              requireAllIn: collectionPolicy.requireAllIn(authorized)
            }
          }
          case "site": {
            const { site, member } = yield* sitePolicy.require(target.organization, target.id, "change this site")
            return { kind, ...accessTargetOf(site), member }
          }
        }
      })

      const write = Effect.fnUntraced(function* (
        { kind, id, organization }: AuthorizedContent,
        holderKind: HolderKind,
        holder: string,
        role: Role | null
      ) {
        const key = { content: id, holderKind, holder }
        const eventFields = { organization, content: { kind, id }, holderKind, holder }
        const existingGrant = yield* grants.get(key)
        if (role === null) {
          if (existingGrant === undefined) return
          yield* grants.remove(key)
          return yield* events.emit(
            { type: "grant_removed", ...eventFields },
            { changes: { role: { from: existingGrant.role, to: null } } }
          )
        }
        if (existingGrant === undefined) yield* grants.insert({ organization, kind, ...key, role })
        else yield* grants.update(key, { role })
        yield* events.emit(
          { type: "grant_changed", ...eventFields, role },
          { changes: { role: { from: existingGrant?.role ?? null, to: role } } }
        )
      }, cannotConflict)

      return Grants.of({
        grant: Effect.fn("Grants.grant")(function* (target, to) {
          const { users: people, teams: groups, role } = yield* acceptGrant(to)
          yield* storage.transaction(
            Effect.gen(function* () {
              const content = yield* require(target)
              if (role !== null && content.requireAllIn) yield* content.requireAllIn
              const holderKind = people === undefined ? "team" : "user"
              const holders = people ?? groups ?? []
              const areKnown =
                holderKind === "user"
                  ? holders.map((holder) => content.member.facts.members.has(holder))
                  : (yield* teams.getMany(holders.map((id) => ({ id })))).map(
                      (team) => team?.organization === content.organization
                    )
              const issues = areKnown.flatMap((isKnown, i) =>
                isKnown
                  ? []
                  : [
                      {
                        path: `body.${holderKind}s[${i}]`,
                        message: `Expected a ${holderKind === "user" ? "member" : "team"} of the organization`
                      }
                    ]
              )
              if (issues.length > 0) return yield* new InvalidGrant({ issues: issues.slice(0, 20) })
              for (const holder of new Set(holders)) yield* write(content, holderKind, holder, role)
            })
          )
        }),

        change: Effect.fn("Grants.change")(function* (target, holderKind, holder, rawInput) {
          const { role } = yield* acceptRole({ role: rawInput })
          yield* storage.transaction(
            Effect.gen(function* () {
              const content = yield* require(target)
              if (role !== null && content.requireAllIn) yield* content.requireAllIn
              if ((yield* grants.get({ content: content.id, holderKind, holder })) === undefined) {
                return yield* new GrantNotFound({ message: `Nothing was granted to ${holder.slice(0, 50)} here` })
              }
              yield* write(content, holderKind, holder, role)
            })
          )
        }),

        remove: Effect.fn("Grants.remove")(function* (target, holderKind, holder) {
          yield* storage.transaction(
            Effect.gen(function* () {
              const content = yield* require(target)
              yield* write(content, holderKind, holder, null)
            })
          )
        }),

        listUsers: Effect.fn("Grants.listUsers")(function* (target, params) {
          const content = yield* require(target)
          const page = yield* paging.rows(
            GrantTable,
            `users granted ${content.id}`,
            { where: { content: content.id, holderKind: "user" } },
            params
          )
          const people = yield* users.present(page.items.map(({ holder }) => UserId.make(holder)))
          return {
            ...page,
            items: page.items.map(({ holder, role }) => ({ permission: role, user: people.get(UserId.make(holder))! }))
          }
        }),

        listTeams: Effect.fn("Grants.listTeams")(function* (target, params) {
          const content = yield* require(target)
          const page = yield* paging.rows(
            GrantTable,
            `teams granted ${content.id}`,
            { where: { content: content.id, holderKind: "team" } },
            params
          )
          const rows = yield* teams.getMany(page.items.map(({ holder }) => ({ id: holder })))
          const teamsById = yield* teamPresenter.presentAll(
            rows.flatMap((row) => row ?? []),
            content.member
          )
          const teamsOnPage = new Map(teamsById.map((team) => [team.id, team]))
          return {
            ...page,
            items: page.items.flatMap(({ holder, role }) => {
              const team = teamsOnPage.get(holder)
              return team === undefined ? [] : [{ permission: role, team }]
            })
          }
        }),

        aggregate: Effect.fn("Grants.aggregate")(function* (target, { role: rawInput, ...params }) {
          const content = yield* require(target)
          const memberFacts = content.member.facts
          const levels = [...memberFacts.members.values()].flatMap((row) => {
            if (row.disabled) return []
            const level = levelOn(
              { user: row.user, role: row.role, admin: row.role === "admin", facts: memberFacts },
              content
            )
            return level !== undefined && (rawInput === undefined || level === rawInput)
              ? [{ user: row.user, level }]
              : []
          })
          const page = yield* paging.items(
            levels.toSorted((a, b) => (a.user < b.user ? -1 : 1)),
            `everyone with a part in ${content.id} ${rawInput ?? ""}`,
            ({ user }) => user,
            params
          )
          const people = yield* users.present(page.items.map(({ user }) => user))
          return {
            ...page,
            items: page.items.map(({ user, level }): AggregatePermission => ({
              permission: level,
              user: people.get(user)!,
              disabled: false,
              ...(target.kind === "site" && { origin: originOf(memberFacts, content.id, user, level) })
            }))
          }
        })
      })
    })
  )
}
