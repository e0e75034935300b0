/** Creates, changes and returns users. */
import { Context, Effect, Schema, Layer } from "effect"
import { type Actor, CurrentActor } from "../access/Actor.ts"
import { Forbidden } from "../access/Forbidden.ts"
import { requireHost } from "../access/HostOnly.ts"
import { Events } from "../event/Events.ts"
import { Ids } from "../identity/Ids.ts"
import { PublicUrl } from "../identity/PublicUrl.ts"
import { hasRole, type LastAdministrator, MemberTable } from "../organization/Member.ts"
import { makeMembershipWrites } from "../membership/MembershipWrites.ts"
import { OrganizationId, OrganizationNotFound, OrganizationTable } from "../organization/Organization.ts"
import { accepting, type InvalidInput } from "../schema/Input.ts"
import type { Timestamp } from "../schema/Text.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { applyPatch } from "../storage/Row.ts"
import { cannotConflict, hasChanges, Storage, type StorageError } from "../storage/Storage.ts"
import { ExternalId, type ExternalProfile, ExternalUserTable, hasProfile, HostUser, withLine } from "./ExternalUser.ts"
import { EmailInUse, type User, UserCreate, UserId, UserNotFound, UserPatch, type UserRow, UserTable } from "./User.ts"

const acceptCreate = accepting(UserCreate)
const acceptPatch = accepting(UserPatch)
const acceptHostUser = accepting(Schema.Struct({ externalId: ExternalId, user: HostUser }))

/** User with the hour of the last activity. Undefined if never active. */
export interface ActiveUser {
  readonly user: User
  readonly lastSeenAt?: Timestamp | undefined
}

export class Users extends Context.Service<
  Users,
  {
    /**
     * Returns the current user.
     *
     * @throws {UserNotFound} If the host application calls.
     */
    readonly me: Effect.Effect<User, UserNotFound | StorageError, CurrentActor>
    /**
     * Returns a user. The actor must be that user or share an organization with it.
     *
     * @throws {UserNotFound}
     */
    readonly get: (id: UserId) => Effect.Effect<User, UserNotFound | StorageError, CurrentActor>
    /**
     * Changes the name, the picture or the language of the current user, or of any user for the host application.
     *
     * @throws {Forbidden} For other users, and for a session of one organization, since all organizations see the
     * profile.
     * @throws {InvalidInput}
     * @throws {UserNotFound}
     */
    readonly update: (
      id: UserId,
      patch: UserPatch
    ) => Effect.Effect<User, UserNotFound | Forbidden | InvalidInput | StorageError, CurrentActor>
    /**
     * Changes the name, the picture or the language of the current user.
     *
     * @throws {Forbidden}
     * @throws {InvalidInput}
     * @throws {UserNotFound}
     */
    readonly updateMe: (
      patch: UserPatch
    ) => Effect.Effect<User, UserNotFound | Forbidden | InvalidInput | StorageError, CurrentActor>
    /**
     * Creates a user. The user is a member of no organization.
     *
     * @throws {EmailInUse} If the address is in use, ignoring case.
     * @throws {InvalidInput}
     * @example
     * ```ts
     * const ada = await lectern.users.create({ email: "ada@example.com", displayName: "Ada" })
     * ```
     */
    readonly create: (input: UserCreate) => Effect.Effect<User, EmailInUse | InvalidInput | StorageError>
    /**
     * Finds a user by an e-mail address.
     *
     * @param email E-mail address, without regard to case.
     * @returns The user, or undefined if no user has the address.
     * @example
     * ```ts
     * const user = await lectern.users.byEmail("Ada@acme.example")
     * console.log(user?.id === ada.id)
     * ```
     */
    readonly byEmail: (email: string) => Effect.Effect<User | undefined, StorageError>
    /**
     * Returns the user of an external id. Creates the user on the first call, and updates address, name and memberships
     * later, if they changed. The address of a user of SAML sign-on stays, since sign-on identifies the person by it.
     * With `memberships`, the user joins these organizations and leaves all others. For the host application only. A
     * failure changes nothing.
     *
     * @param externalId Id of the user in the host application, 1 to 255 characters.
     * @throws {EmailInUse} If another user has the address (see `adopt`).
     * @throws {Forbidden} For all actors except the host application.
     * @throws {InvalidInput}
     * @throws {LastAdministrator} If an organization would lose its last administrator.
     * @throws {OrganizationNotFound} For an organization that does not exist.
     * @example
     * ```ts
     * const user = await lectern.users.sync("customer-42", {
     *   email: "grace@example.com",
     *   displayName: "Grace",
     *   memberships: [{ organization: organization.id, role: "edit" }]
     * })
     * const spaces = await lectern.as(user.id).spaces.list(organization.id, {})
     * console.log(spaces.count)
     * ```
     */
    readonly sync: (
      externalId: string,
      user: HostUser
    ) => Effect.Effect<
      User,
      EmailInUse | OrganizationNotFound | LastAdministrator | Forbidden | InvalidInput | StorageError,
      CurrentActor
    >
    /** Returns the users by id. A deleted user has its id only. */
    readonly present: (ids: ReadonlyArray<UserId>) => Effect.Effect<ReadonlyMap<UserId, User>, StorageError>
    /** Like `present`, with the hour of each user's last activity. */
    readonly activeUsers: (ids: ReadonlyArray<UserId>) => Effect.Effect<ReadonlyMap<UserId, ActiveUser>, StorageError>
  }
>()("@lectern/core/user/Users") {
  static readonly layer = Layer.effect(
    Users,
    Effect.gen(function* () {
      const storage = yield* Storage
      const ids = yield* Ids
      const publicUrl = yield* PublicUrl
      const users = storage.repository(UserTable)
      const members = storage.repository(MemberTable)
      const externals = storage.repository(ExternalUserTable)
      const organizations = storage.repository(OrganizationTable)
      const events = yield* Events
      const membershipWrites = yield* makeMembershipWrites

      const present = (row: UserRow): User => ({
        object: "user",
        id: row.id,
        displayName: row.displayName,
        email: row.email,
        ...(row.photoURL !== undefined && { photoURL: row.photoURL }),
        urls: { location: `${publicUrl}/v1/users/${row.id}` }
      })

      /** Returns a user with the fields that only the user itself sees. */
      const presentToSelf = (row: UserRow): User => ({
        ...present(row),
        ...(row.language !== undefined && { language: row.language })
      })

      const insert = Effect.fnUntraced(function* ({ email, displayName }: UserCreate) {
        const row: UserRow = {
          id: UserId.make(yield* ids.next),
          displayName: displayName ?? nameIn(email),
          email,
          createdAt: yield* Timestamps.now
        }
        yield* users.insert(row).pipe(Effect.catchTag("UniqueConflict", () => emailInUse(email)))
        return row
      })

      /** Updates a user from the host's profile, and notifies the user's organizations. */
      const updateFromHost = Effect.fnUntraced(function* (row: UserRow, { email, displayName }: ExternalProfile) {
        const patch = { email, ...(displayName !== undefined && { displayName }) }
        if (!hasChanges(row, patch)) return row
        const memberships = yield* members.list({ where: { user: row.id } })
        const isSignedOn = memberships.some(({ sso }) => sso === true)
        const updatedFields = { ...patch, email: isSignedOn ? row.email : email }
        if (!hasChanges(row, updatedFields)) return row
        yield* users
          .update({ id: row.id }, updatedFields)
          .pipe(Effect.catchTag("UniqueConflict", () => emailInUse(email)))
        for (const { organization } of memberships) {
          yield* events.emit({ type: "member_updated", organization: organization as OrganizationId, user: row.id })
        }
        return { ...row, ...updatedFields }
      })

      /**
       * Links the existing user with this address to the host, if the profile allows it and the user has no other
       * external id.
       */
      const adopt = Effect.fnUntraced(function* ({ email, adopt }: ExternalProfile) {
        const [row] = yield* users.list({ where: { foldedEmail: email.toLowerCase() } })
        if (row === undefined) return undefined
        const isOtherUser = adopt !== true || (yield* externals.count({ user: row.id })) > 0
        return isOtherUser ? yield* emailInUse(email) : row
      })

      /**
       * Returns true if the actor may see the user. A session of one organization sees only members of that
       * organization.
       */
      const canSee = Effect.fnUntraced(function* (actor: Actor, user: UserId) {
        if (actor.type === "host") return true
        if (actor.type !== "user") return false
        if (actor.user === user) return true
        const { organization } = actor
        const memberships = yield* members.list({
          where: { user, ...(organization !== undefined && { organization }) }
        })
        const sharedMemberships = yield* members.getMany(
          memberships.map(({ organization }) => ({ organization, user: actor.user }))
        )
        return sharedMemberships.some((member) => member?.disabled === false)
      })

      /** Returns the memberships of a user by organization. */
      const membershipsOf = (user: UserId) =>
        Effect.map(members.list({ where: { user } }), (rows) => new Map(rows.map((row) => [row.organization, row])))

      /** Returns true if the user has exactly these memberships, or if they are undefined. */
      const isMemberOf = Effect.fnUntraced(function* (user: UserId, memberships: HostUser["memberships"]) {
        if (memberships === undefined) return true
        const rows = yield* membershipsOf(user)
        return (
          rows.size === memberships.length &&
          memberships.every(({ organization, role }) => hasRole(rows.get(organization), role))
        )
      })

      const updateMemberships = Effect.fnUntraced(function* (user: UserId, memberships: HostUser["memberships"]) {
        if (memberships === undefined) return
        const rows = yield* membershipsOf(user)
        for (const { organization, role } of memberships) {
          const id = OrganizationId.make(organization)
          const row = rows.get(organization)
          if (row === undefined && (yield* organizations.get({ id })) === undefined) {
            return yield* new OrganizationNotFound({ message: `There is no organization ${organization.slice(0, 50)}` })
          }
          yield* membershipWrites.setRole(id, user, row, role)
          rows.delete(organization)
        }
        for (const row of rows.values()) yield* membershipWrites.remove(row)
      })

      const update = Effect.fnUntraced(function* (id: UserId, rawInput: UserPatch) {
        const { photoURL, language, ...rest } = yield* acceptPatch(rawInput)
        const profile = { ...rest, ...(photoURL !== undefined && { photoURL: photoURL ?? undefined }) }
        const patch = { ...profile, ...(language !== undefined && { language: language ?? undefined }) }
        const actor = yield* CurrentActor
        return yield* storage.transaction(
          Effect.gen(function* () {
            const row = yield* users.get({ id })
            if (row === undefined || !(yield* canSee(actor, id))) {
              return yield* new UserNotFound({ message: `There is no user ${id.slice(0, 50)}` })
            }
            if (actor.type !== "host" && (actor.type !== "user" || actor.user !== id)) {
              return yield* new Forbidden({ message: "You may change your own name and picture only" })
            }
            if (actor.type === "user" && actor.organization !== undefined) {
              return yield* new Forbidden({ message: "A session of one organization may not change who you are" })
            }
            if (!hasChanges(row, patch)) return presentToSelf(row)
            yield* users.update({ id }, patch).pipe(cannotConflict)
            // Only the user itself sees the language.
            const organizations = hasChanges(row, profile) ? yield* members.list({ where: { user: id } }) : []
            for (const { organization } of organizations) {
              yield* events.emit({ type: "member_updated", organization: organization as OrganizationId, user: id })
            }
            return presentToSelf(applyPatch(UserTable, row, patch))
          })
        )
      })

      const activeUsers = Effect.fnUntraced(function* (userIds: ReadonlyArray<UserId>) {
        const distinctIds = [...new Set(userIds)]
        const rows = yield* users.getMany(distinctIds.map((id) => ({ id })))
        return new Map(
          distinctIds.map((id, i): [UserId, ActiveUser] => {
            const row = rows[i]
            return [
              id,
              row === undefined ? { user: absent(id, publicUrl) } : { user: present(row), lastSeenAt: row.lastSeenAt }
            ]
          })
        )
      })

      return Users.of({
        update,

        updateMe: (patch) =>
          Effect.flatMap(CurrentActor, (actor) =>
            actor.type === "user"
              ? update(actor.user, patch)
              : Effect.fail(new UserNotFound({ message: "There is no user behind this request" }))
          ),

        me: Effect.gen(function* () {
          const actor = yield* CurrentActor
          const row = actor.type === "user" ? yield* users.get({ id: actor.user }) : undefined
          if (row === undefined) return yield* new UserNotFound({ message: "There is no user behind this request" })
          return presentToSelf(row)
        }),

        get: Effect.fn("Users.get")(function* (id) {
          const row = yield* users.get({ id })
          if (row === undefined || !(yield* canSee(yield* CurrentActor, row.id))) {
            return yield* new UserNotFound({ message: `There is no user ${id.slice(0, 50)}` })
          }
          return present(row)
        }),

        create: Effect.fn("Users.create")(function* (rawInput) {
          return present(yield* insert(yield* acceptCreate(rawInput)))
        }),

        sync: Effect.fn("Users.sync")(function* (externalId, rawInput) {
          yield* requireHost("say who its users are")
          const { memberships, ...given } = (yield* acceptHostUser({ externalId, user: rawInput })).user
          const profile = withLine(given)
          const externalRow = yield* externals.get({ externalId })
          const current = externalRow && (yield* users.get({ id: externalRow.user }))
          const hasMemberships = current !== undefined && (yield* isMemberOf(current.id, memberships))
          // A user without changes needs no transaction.
          if (current !== undefined && hasMemberships && hasProfile(current, profile)) return present(current)
          return yield* storage.transaction(
            Effect.gen(function* () {
              const external = yield* externals.get({ externalId })
              let row = external && (yield* users.get({ id: external.user }))
              if (row === undefined) {
                row = (yield* adopt(profile)) ?? (yield* insert(profile))
                const createdAt = yield* Timestamps.now
                yield* externals.insert({ externalId, user: row.id, createdAt }).pipe(cannotConflict)
              }
              const updatedRow = yield* updateFromHost(row, profile)
              yield* updateMemberships(row.id, memberships)
              return present(updatedRow)
            })
          )
        }),

        byEmail: Effect.fnUntraced(function* (email) {
          const [row] = yield* users.list({ where: { foldedEmail: email.toLowerCase() } })
          return row && present(row)
        }),

        activeUsers,

        present: (rawInput) =>
          Effect.map(activeUsers(rawInput), (people) => new Map(Array.from(people, ([id, { user }]) => [id, user])))
      })
    })
  )
}

const emailInUse = (email: string) => new EmailInUse({ message: `There is a user with the address ${email}` })

/** Returns the part of an e-mail address before the @, cut to the maximum length of a name. */
const nameIn = (email: string) =>
  Array.from(email.slice(0, email.indexOf("@")))
    .slice(0, 100)
    .join("")

const absent = (id: UserId, publicUrl: string): User => ({
  object: "user",
  id,
  displayName: "Unknown user",
  urls: { location: `${publicUrl}/v1/users/${id}` }
})
