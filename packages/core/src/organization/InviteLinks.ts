/** Creates, lists, updates and removes the invite links of an organization, and admits users by link. */
import { Clock, Context, Effect, Layer } from "effect"
import { Access, type Membership } from "../access/Access.ts"
import { changesOf } from "../audit/Changes.ts"
import { CurrentActor, userOf } from "../access/Actor.ts"
import type { Forbidden } from "../access/Forbidden.ts"
import { atLeast, type Role } from "../access/Role.ts"
import { Events } from "../event/Events.ts"
import { makeRunHook, type RefusedByHost } from "../hook/BeforeHooks.ts"
import { Ids } from "../identity/Ids.ts"
import { Instance } from "../identity/Instance.ts"
import { PublicUrl } from "../identity/PublicUrl.ts"
import { timingSafeEqual } from "../identity/TimingSafe.ts"
import { type InvalidCursor, type ListPage, Paging } from "../paging/Paging.ts"
import { accepting, InvalidInput } from "../schema/Input.ts"
import { millisOf } from "../schema/InputTime.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import type { PageParams } from "../storage/PageParams.ts"
import { applyPatch } from "../storage/Row.ts"
import { cannotConflict, Storage, type StorageError } from "../storage/Storage.ts"
import {
  defaultLife,
  type InviteLink,
  InviteLinkCreate,
  InviteLinkNotFound,
  InviteLinkPatch,
  type InviteLinkRow,
  InviteLinksRefused,
  InviteLinkTable,
  maxInviteLinks,
  maxLife
} from "./InviteLink.ts"
import { MemberTable } from "./Member.ts"
import { type OrganizationId, type OrganizationNotFound, OrganizationTable } from "./Organization.ts"
import { Organizations } from "./Organizations.ts"
import type { UserId } from "../user/User.ts"

const acceptCreate = accepting(InviteLinkCreate)
const acceptPatch = accepting(InviteLinkPatch)

/** Separates the id of a link from its secret. Generated ids never contain this character. */
const separator = "_"

type Failure = OrganizationNotFound | Forbidden | StorageError

export class InviteLinks extends Context.Service<
  InviteLinks,
  {
    /**
     * Lists the links that have not expired, for administrators, in order of creation.
     *
     * @throws {Forbidden}
     * @throws {InvalidCursor}
     * @throws {OrganizationNotFound}
     */
    readonly list: (
      organization: OrganizationId,
      params: PageParams
    ) => Effect.Effect<ListPage<InviteLink>, Failure | InvalidCursor, CurrentActor>
    /**
     * Creates a link. Only this response contains the secret, as part of the id.
     *
     * @throws {Forbidden}
     * @throws {InvalidInput}
     * @throws {InviteLinksRefused}
     * @throws {OrganizationNotFound}
     * @throws {RefusedByHost} If the hook `inviteLink` of the host refuses.
     */
    readonly create: (
      organization: OrganizationId,
      input: InviteLinkCreate
    ) => Effect.Effect<InviteLink, Failure | InvalidInput | InviteLinksRefused | RefusedByHost, CurrentActor>
    /**
     * Returns a link, for administrators by its name, and for any user with the secret.
     *
     * @param id Id of the link: the part before the `_`, or with the secret after it.
     * @throws {Forbidden}
     * @throws {InviteLinkNotFound}
     * @throws {OrganizationNotFound}
     */
    readonly get: (
      organization: OrganizationId,
      id: string
    ) => Effect.Effect<InviteLink, Failure | InviteLinkNotFound, CurrentActor>
    /**
     * Changes the role of people who join by the link in the future.
     *
     * @param id Id of the link: the part before the `_`, or with the secret after it.
     * @throws {Forbidden}
     * @throws {InvalidInput}
     * @throws {InviteLinkNotFound}
     * @throws {OrganizationNotFound}
     * @throws {RefusedByHost} If the hook `inviteLink` of the host refuses.
     */
    readonly update: (
      organization: OrganizationId,
      id: string,
      patch: InviteLinkPatch
    ) => Effect.Effect<InviteLink, Failure | InvalidInput | InviteLinkNotFound | RefusedByHost, CurrentActor>
    /**
     * Removes a link. Does nothing if it does not exist.
     *
     * @param id Id of the link: the part before the `_`, or with the secret after it.
     * @throws {Forbidden}
     * @throws {OrganizationNotFound}
     */
    readonly remove: (organization: OrganizationId, id: string) => Effect.Effect<void, Failure, CurrentActor>
    /**
     * Makes a user a member by an invite link.
     *
     * @param id Id of the link with its secret.
     * @returns True, or undefined if no valid link has the id.
     */
    readonly join: (
      organization: OrganizationId,
      id: string,
      user: UserId
    ) => Effect.Effect<true | undefined, StorageError>
  }
>()("@lectern/core/organization/InviteLinks") {
  static readonly layer = Layer.effect(
    InviteLinks,
    Effect.gen(function* () {
      const storage = yield* Storage
      const access = yield* Access
      const events = yield* Events
      const ids = yield* Ids
      const instance = yield* Instance
      const organizations = yield* Organizations
      const paging = yield* Paging
      const publicUrl = yield* PublicUrl
      const links = storage.repository(InviteLinkTable)
      const members = storage.repository(MemberTable)
      const rows = storage.repository(OrganizationTable)
      const runHook = yield* makeRunHook

      const signatureOf = (organization: OrganizationId, id: string, secret: string) =>
        instance.sign("invite link", `${organization} ${id} ${secret}`)

      const present = (
        { organization, role, createdAt, expiresAt, ...row }: InviteLinkRow,
        member: Pick<Membership, "role"> | undefined,
        id = row.id
      ): InviteLink => ({
        object: "invite",
        id,
        role,
        redundant: member !== undefined && (role === null || atLeast(member.role, role)),
        createdAt,
        expiresAt,
        urls: { location: `${publicUrl}/v1/orgs/${organization}/link-invites/${row.id}` }
      })

      const requireAdministrator = (organization: OrganizationId) =>
        organizations.require(organization, "manage the members of this organization")

      /** Returns the input with the role that the host allows. */
      const withAllowedRole = Effect.fnUntraced(function* <Input extends { readonly role: Role | null }>(
        organization: OrganizationId,
        link: string | undefined,
        input: Input,
        accept: (input: Input) => Effect.Effect<Input, InvalidInput>
      ) {
        const request = Effect.as(requireAdministrator(organization), { organization, link, role: input.role })
        const { role } = yield* runHook("inviteLink", request)
        return role === undefined ? input : yield* accept({ ...input, role })
      })

      const missing = (id: string) =>
        new InviteLinkNotFound({ message: `There is no invite link ${id.split(separator)[0]!.slice(0, 50)}` })

      /** Finds a link that has not expired. `isKnown` is true if the id contains the link's secret. */
      const findLink = Effect.fnUntraced(function* (organization: OrganizationId, id: string) {
        const [name, secret] = id.includes(separator)
          ? [id.slice(0, id.indexOf(separator)), id.slice(id.indexOf(separator) + 1)]
          : [id, undefined]
        const row = yield* links.get({ id: name })
        const now = yield* Timestamps.now
        if (row?.organization !== organization || row.expiresAt <= now) return undefined
        const isKnown = secret !== undefined && timingSafeEqual(row.mark, signatureOf(organization, name, secret))
        // An id with a wrong secret matches no link.
        return secret !== undefined && !isKnown ? undefined : { row, isKnown }
      })

      /** Returns true if a link currently admits users. */
      const admitsUsers = Effect.fnUntraced(function* ({ organization, maker }: InviteLinkRow) {
        const organizationRow = yield* rows.get({ id: organization })
        if (organizationRow?.inviteLinks !== true) return false
        if (maker === undefined) return true
        const member = yield* members.get({ organization, user: maker })
        return member?.role === "admin" && !member.disabled
      })

      const changeLink = <A, E>(
        organization: OrganizationId,
        id: string,
        change: (row: InviteLinkRow | undefined, member: Membership) => Effect.Effect<A, E>
      ) =>
        storage.transaction(
          Effect.gen(function* () {
            const { member } = yield* requireAdministrator(organization)
            return yield* change((yield* findLink(organization, id))?.row, member)
          })
        )

      return InviteLinks.of({
        list: Effect.fn("InviteLinks.list")(function* (organization, params) {
          const { member } = yield* requireAdministrator(organization)
          const where = { organization, expiresAt: { gt: yield* Timestamps.now } }
          const page = yield* paging.rows(InviteLinkTable, `invite links of ${organization}`, { where }, params)
          return { ...page, items: page.items.map((row) => present(row, member)) }
        }),

        create: Effect.fn("InviteLinks.create")(function* (organization, rawInput) {
          const input = yield* acceptCreate(rawInput)
          const { role, expiresAt } = yield* withAllowedRole(organization, undefined, input, acceptCreate)
          const now = yield* Clock.currentTimeMillis
          const expiryTime = expiresAt === undefined ? now + defaultLife : millisOf(expiresAt)
          if (!(expiryTime > now && expiryTime <= now + maxLife)) {
            const message = "Expected a time within a year from now"
            return yield* new InvalidInput({ issues: [{ path: "body.expiresAt", message }] })
          }
          const [id, secret] = [yield* ids.next, yield* ids.secret]
          const maker = userOf(yield* CurrentActor)
          const row: InviteLinkRow = {
            id,
            organization,
            role,
            mark: signatureOf(organization, id, secret),
            ...(maker !== null && { maker }),
            createdAt: Timestamps.at(now),
            expiresAt: Timestamps.at(expiryTime)
          }
          return yield* storage.transaction(
            Effect.gen(function* () {
              const authorized = yield* requireAdministrator(organization)
              if (!authorized.organization.inviteLinks) {
                return yield* new InviteLinksRefused({
                  message: "This organization allows no invite links: an administrator can turn inviteLinks on"
                })
              }
              yield* links.remove({ organization, expiresAt: { lte: Timestamps.at(now) } })
              if ((yield* links.count({ organization })) >= maxInviteLinks) {
                return yield* new InviteLinksRefused({
                  message: `An organization has at most ${maxInviteLinks} invite links: take some back first`
                })
              }
              yield* links.insert(row).pipe(cannotConflict)
              yield* events.emit(
                { type: "invite_link_created", organization, link: id },
                { payload: { role: row.role } }
              )
              return present(row, authorized.member, `${id}${separator}${secret}`)
            })
          )
        }),

        get: Effect.fn("InviteLinks.get")(function* (organization, id) {
          const foundLink = yield* findLink(organization, id)
          if (foundLink?.isKnown === true && (yield* admitsUsers(foundLink.row))) {
            return present(foundLink.row, yield* access.membership(organization))
          }
          const { member } = yield* requireAdministrator(organization)
          return foundLink === undefined ? yield* missing(id) : present(foundLink.row, member)
        }),

        update: Effect.fn("InviteLinks.update")(function* (organization, id, rawInput) {
          const link = id.split(separator)[0]!
          const patch = yield* withAllowedRole(organization, link, yield* acceptPatch(rawInput), acceptPatch)
          return yield* changeLink(
            organization,
            id,
            Effect.fnUntraced(function* (row, member) {
              if (row === undefined) return yield* missing(id)
              if (row.role !== patch.role) {
                yield* links.update({ id: row.id }, patch)
                yield* events.emit(
                  { type: "invite_link_updated", organization, link: row.id },
                  { changes: changesOf(row, { ...row, ...patch }, ["role"]) }
                )
              }
              return present(applyPatch(InviteLinkTable, row, patch), member)
            })
          )
        }),

        remove: Effect.fn("InviteLinks.remove")(function* (organization, id) {
          yield* changeLink(
            organization,
            id,
            Effect.fnUntraced(function* (row) {
              if (row === undefined) return
              yield* links.remove({ id: row.id })
              yield* events.emit({ type: "invite_link_removed", organization, link: row.id })
            })
          )
        }),

        join: (organization, id, user) =>
          storage.transaction(
            Effect.gen(function* () {
              const foundLink = yield* findLink(organization, id)
              if (foundLink?.isKnown !== true || !(yield* admitsUsers(foundLink.row))) return undefined
              const member = yield* members.get({ organization, user })
              // An existing member keeps the role, and a disabled member stays disabled.
              if (member === undefined) yield* organizations.join(organization, user, foundLink.row.role)
              return member?.disabled === true ? undefined : (true as const)
            })
          )
      })
    })
  )
}
