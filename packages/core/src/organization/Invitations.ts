/**
 * Invites people to an organization by email address, and admits people who accept.
 *
 * People with an address at one of the organization's verified domains (see `ownDomains` in `Organization`) become
 * members immediately. So do people invited by the host application. A session that is limited to one organization
 * can't accept invitations, because that organization's identity provider controls the session.
 *
 * A package for signing in registers links of invitations. If mail is set up, the invited address gets the link, at most
 * once an hour. Otherwise the inviting person gets it in the response and passes it on. Such a link is not created for
 * the address of an existing user, because it would sign in that user.
 */
import { Context, Effect, Layer } from "effect"
import { changesOf } from "../audit/Changes.ts"
import { CurrentActor } from "../access/Actor.ts"
import type { Forbidden } from "../access/Forbidden.ts"
import type { Role } from "../access/Role.ts"
import { Events } from "../event/Events.ts"
import { type InviteRequest, makeRunHook, type RefusedByHost } from "../hook/BeforeHooks.ts"
import { Ids } from "../identity/Ids.ts"
import { PublicUrl } from "../identity/PublicUrl.ts"
import { Mails } from "../mail/Mails.ts"
import { accepting, type InvalidInput } from "../schema/Input.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import type { PageParams } from "../storage/PageParams.ts"
import { type InvalidCursor, type ListPage, Paging } from "../paging/Paging.ts"
import { cannotConflict, Storage, type StorageError } from "../storage/Storage.ts"
import { type UserId, UserNotFound, type UserRow, UserTable } from "../user/User.ts"
import { Users } from "../user/Users.ts"
import {
  type Invitation,
  InvitationId,
  InvitationNotFound,
  type InvitationRow,
  InvitationTable,
  Invite,
  type InviteResult,
  maxPending,
  TooManyInvitations
} from "./Invitation.ts"
import { type CreateInvitationLink, InvitationMail } from "./InvitationMail.ts"
import { InviteLinks } from "./InviteLinks.ts"
import { MemberTable } from "./Member.ts"
import {
  type OrganizationId,
  type OrganizationNotFound,
  type OrganizationRow,
  OrganizationTable,
  ownsDomainOf
} from "./Organization.ts"
import { Organizations } from "./Organizations.ts"

const acceptInvite = accepting(Invite)

type Failure = OrganizationNotFound | Forbidden | StorageError

export class Invitations extends Context.Service<
  Invitations,
  {
    /**
     * Invites people by their e-mail addresses. Existing members do not change. A pending invitation gets the new role.
     * If mail is set up, Lectern sends the invitations. Otherwise send `urls.link` of each invitation yourself.
     *
     * @throws {Forbidden}
     * @throws {InvalidInput}
     * @throws {OrganizationNotFound}
     * @throws {RefusedByHost} If the hook `invite` of the host refuses.
     * @throws {TooManyInvitations}
     * @example
     * ```ts
     * const { invites } = await lectern.organizations.invitations.invite(organization.id, {
     *   emails: ["grace@example.com"],
     *   role: "edit"
     * })
     * console.log(invites.map(({ email }) => email))
     * ```
     */
    readonly invite: (
      organization: OrganizationId,
      invite: Invite
    ) => Effect.Effect<InviteResult, Failure | TooManyInvitations | RefusedByHost | InvalidInput, CurrentActor>
    /**
     * Lists the pending invitations of an organization, for its administrators.
     *
     * @throws {Forbidden}
     * @throws {InvalidCursor}
     * @throws {OrganizationNotFound}
     */
    readonly list: (
      organization: OrganizationId,
      params: PageParams
    ) => Effect.Effect<ListPage<Invitation>, Failure | InvalidCursor, CurrentActor>
    /**
     * Lists the pending invitations of the current user.
     *
     * @throws {InvalidCursor}
     * @throws {UserNotFound}
     */
    readonly mine: (
      params: PageParams
    ) => Effect.Effect<ListPage<Invitation>, UserNotFound | InvalidCursor | StorageError, CurrentActor>
    /**
     * Returns an invitation, for its recipient and for administrators.
     *
     * @param id Id of the invitation.
     * @throws {Forbidden}
     * @throws {InvitationNotFound}
     * @throws {OrganizationNotFound}
     */
    readonly get: (
      organization: OrganizationId,
      id: string
    ) => Effect.Effect<Invitation, Failure | InvitationNotFound, CurrentActor>
    /**
     * Accepts an invitation, which makes its recipient a member. Also accepts an invite link, for any user.
     *
     * @param id Id of the invitation, or of an invite link with its secret.
     * @throws {InvitationNotFound}
     */
    readonly accept: (
      organization: OrganizationId,
      id: string
    ) => Effect.Effect<void, InvitationNotFound | StorageError, CurrentActor>
    /**
     * Declines or withdraws an invitation. Does nothing if it does not exist.
     *
     * @param id Id of the invitation.
     * @throws {Forbidden}
     * @throws {OrganizationNotFound}
     */
    readonly remove: (organization: OrganizationId, id: string) => Effect.Effect<void, Failure, CurrentActor>
    /** Registers the links of invitations. Without them no mail is sent. */
    readonly useLinks: (create: CreateInvitationLink) => Effect.Effect<void>
  }
>()("@lectern/core/organization/Invitations") {
  static readonly layer = Layer.effect(
    Invitations,
    Effect.gen(function* () {
      const storage = yield* Storage
      const ids = yield* Ids
      const events = yield* Events
      const paging = yield* Paging
      const organizations = yield* Organizations
      const users = yield* Users
      const publicUrl = yield* PublicUrl
      const invitations = storage.repository(InvitationTable)
      const members = storage.repository(MemberTable)
      const rows = storage.repository(OrganizationTable)
      const people = storage.repository(UserTable)
      const links = yield* InviteLinks
      const mails = yield* Mails
      const runHook = yield* makeRunHook
      let createLink: CreateInvitationLink | undefined

      const present = (
        { organization: _, ...row }: InvitationRow,
        { id, title }: OrganizationRow,
        link?: string
      ): Invitation => ({
        object: "invite",
        ...row,
        organization: { id, title },
        urls: { location: `${publicUrl}/v1/orgs/${id}/invites/${row.id}`, ...(link !== undefined && { link }) }
      })

      /** Sends the link of an invitation, or returns it if no mail is sent. */
      const announce = Effect.fnUntraced(function* (invitation: InvitationRow, hasUser: boolean) {
        if (createLink === undefined) return undefined
        if (!mails.isAvailable) return hasUser ? undefined : yield* createLink(invitation, { isMailed: false })
        const actor = yield* CurrentActor
        const inviter = actor.type === "user" ? yield* people.get({ id: actor.user }) : undefined
        const hour = (yield* Timestamps.now).slice(0, "2026-01-01T00".length)
        yield* mails.queue(InvitationMail, {
          to: { email: invitation.email, ...(inviter?.language !== undefined && { language: inviter.language }) },
          key: `${invitation.id} ${hour}`,
          payload: Effect.map(createLink(invitation, { isMailed: true }), (url) => ({
            invitation: invitation.id,
            url,
            invitedBy: inviter?.id ?? null
          }))
        })
        return undefined
      })

      /** Returns the current user if the session may accept invitations. Undefined for other actors. */
      const currentUser = Effect.gen(function* () {
        const actor = yield* CurrentActor
        return actor.type === "user" && actor.organization === undefined
          ? yield* people.get({ id: actor.user })
          : undefined
      })

      const isFor = ({ email }: InvitationRow, user: UserRow | undefined) =>
        user?.email.toLowerCase() === email.toLowerCase()

      const find = Effect.fnUntraced(function* (organization: OrganizationId, id: string) {
        const row = yield* invitations.get({ id: InvitationId.make(id) })
        return row?.organization === organization ? row : undefined
      })

      const missing = (id: string) =>
        new InvitationNotFound({ message: `There is no invitation ${id.slice(0, 50)} for you` })

      /** Returns the users, members and pending invitations of addresses, by folded address. */
      const recipientsOf = Effect.fnUntraced(function* (organization: OrganizationId, emails: ReadonlyArray<string>) {
        const foldedEmail = { in: [...new Set(emails.map((email) => email.toLowerCase()))] }
        const userRows = yield* people.list({ where: { foldedEmail } })
        const memberRows = yield* members.getMany(userRows.map(({ id: user }) => ({ organization, user })))
        const invitationRows = yield* invitations.list({ where: { organization, foldedEmail } })
        return {
          users: new Map(userRows.map((row) => [row.email.toLowerCase(), row])),
          members: new Map(userRows.map((row, i) => [row.email.toLowerCase(), memberRows[i]])),
          invitations: new Map(invitationRows.map((row) => [row.email.toLowerCase(), row]))
        }
      })

      /** Creates or updates the pending invitation of an address. `isNew` is true if it was created. */
      const send = Effect.fnUntraced(function* (
        organization: OrganizationId,
        email: string,
        role: Role | null,
        existingInvitation: InvitationRow | undefined
      ) {
        if (existingInvitation !== undefined) {
          const row = { ...existingInvitation, role }
          if (existingInvitation.role !== role) {
            yield* invitations.update({ id: existingInvitation.id }, { role })
            yield* events.emit(
              { type: "invitation_updated", organization, invitation: existingInvitation.id },
              { label: existingInvitation.email, changes: changesOf(existingInvitation, row, ["role"]) }
            )
          }
          return { row, isNew: false }
        }
        if ((yield* invitations.count({ organization })) >= maxPending) {
          return yield* new TooManyInvitations({
            message: `At most ${maxPending} invitations of an organization wait at once: take some back first`
          })
        }
        const row = {
          id: InvitationId.make(yield* ids.next),
          organization,
          email,
          role,
          createdAt: yield* Timestamps.now
        }
        yield* invitations.insert(row)
        yield* events.emit(
          { type: "invitation_sent", organization, invitation: row.id },
          { label: email, payload: { role } }
        )
        return { row, isNew: true }
      }, cannotConflict)

      return Invitations.of({
        useLinks: (create) => Effect.sync(() => (createLink = create)),

        invite: Effect.fn("Invitations.invite")(function* (organization, rawInput) {
          const input = yield* acceptInvite(rawInput)
          // The addresses and roles that the hook allows. A later change of the default role does not affect them.
          let requestedEmails: InviteRequest["emails"] | undefined
          const request = Effect.map(
            organizations.require(organization, "manage the members of this organization"),
            ({ organization: { defaultRole } }) => {
              requestedEmails = withRoles(input, defaultRole)
              return { organization, emails: requestedEmails }
            }
          )
          const { emails = requestedEmails } = yield* runHook("invite", request)
          const invite = emails === undefined ? input : yield* acceptInvite({ emails })
          const actor = yield* CurrentActor
          return yield* storage.transaction(
            Effect.gen(function* () {
              const { organization: organizationRow } = yield* organizations.require(
                organization,
                "manage the members of this organization"
              )
              const results = new Map<
                string,
                { readonly user?: UserId; readonly invite?: Invitation; isNew: boolean }
              >()
              const invited = withRoles(invite, organizationRow.defaultRole)
              const recipients = yield* recipientsOf(
                organization,
                invited.map(({ email }) => email)
              )
              for (const { email, role } of invited) {
                const foldedEmail = email.toLowerCase()
                if (results.has(foldedEmail)) continue
                const existingUser = recipients.users.get(foldedEmail)
                const member = recipients.members.get(foldedEmail)
                if (member !== undefined) {
                  results.set(foldedEmail, { user: member.user, isNew: false })
                } else if (actor.type === "host" || ownsDomainOf(organizationRow, email)) {
                  const { id } =
                    existingUser ?? (yield* users.create({ email }).pipe(Effect.catchTag("EmailInUse", Effect.die)))
                  yield* organizations.join(organization, id, role)
                  results.set(foldedEmail, { user: id, isNew: true })
                } else {
                  const { row, isNew } = yield* send(organization, email, role, recipients.invitations.get(foldedEmail))
                  const link = yield* announce(row, existingUser !== undefined)
                  results.set(foldedEmail, { invite: present(row, organizationRow, link), isNew })
                }
              }
              const entries = [...results.values()]
              return {
                users: entries.flatMap(({ user }) => user ?? []),
                invited: entries.filter(({ isNew }) => isNew).length,
                invites: entries.flatMap(({ invite }) => invite ?? [])
              }
            })
          )
        }),

        list: Effect.fn("Invitations.list")(function* (organization, params) {
          const { organization: here } = yield* organizations.require(
            organization,
            "manage the members of this organization"
          )
          const page = yield* paging.rows(
            InvitationTable,
            `invitations of ${organization}`,
            { where: { organization } },
            params
          )
          return { ...page, items: page.items.map((row) => present(row, here)) }
        }),

        mine: Effect.fn("Invitations.mine")(function* (params) {
          if ((yield* CurrentActor).type !== "user")
            return yield* new UserNotFound({ message: "There is no user behind this request" })
          const user = yield* currentUser
          if (user === undefined) return { items: [], count: 0 }
          const where = { foldedEmail: user.email.toLowerCase() }
          const page = yield* paging.rows(InvitationTable, `invitations for ${user.id}`, { where }, params)
          const from = yield* rows.getMany(page.items.map(({ organization }) => ({ id: organization })))
          return { ...page, items: page.items.map((row, i) => present(row, from[i]!)) }
        }),

        get: Effect.fn("Invitations.get")(function* (organization, id) {
          const row = yield* find(organization, id)
          if (row !== undefined && isFor(row, yield* currentUser))
            return present(row, (yield* rows.get({ id: organization }))!)
          const authorized = yield* organizations.require(organization, "manage the members of this organization")
          return row === undefined ? yield* missing(id) : present(row, authorized.organization)
        }),

        accept: Effect.fn("Invitations.accept")(function* (organization, id) {
          yield* storage.transaction(
            Effect.gen(function* () {
              const [row, user] = [yield* find(organization, id), yield* currentUser]
              if (row === undefined && user !== undefined && (yield* links.join(organization, id, user.id))) return
              if (row === undefined || user === undefined || !isFor(row, user)) return yield* missing(id)
              const member = yield* members.get({ organization, user: user.id })
              if (member === undefined) yield* organizations.join(organization, user.id, row.role)
              else yield* invitations.remove({ id: row.id })
            })
          )
        }),

        remove: Effect.fn("Invitations.remove")(function* (organization, id) {
          yield* storage.transaction(
            Effect.gen(function* () {
              const row = yield* find(organization, id)
              if (row === undefined || !isFor(row, yield* currentUser)) {
                yield* organizations.require(organization, "manage the members of this organization")
              }
              if (row === undefined) return
              yield* invitations.remove({ id: row.id })
              yield* events.emit({ type: "invitation_removed", organization, invitation: row.id }, { label: row.email })
            })
          )
        })
      })
    })
  )
}

/** Returns the addresses of an input with their roles. */
const withRoles = ({ emails, role: commonRole }: Invite, defaultRole: Role | null) =>
  emails.map((entry) =>
    typeof entry === "string" ? { email: entry, role: commonRole === undefined ? defaultRole : commonRole } : entry
  )
