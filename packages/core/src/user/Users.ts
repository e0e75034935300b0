/** Makes and shows users. */
import { Context, Effect, Schema } from "effect"
import { type Actor, CurrentActor } from "../access/Actor.ts"
import { Forbidden } from "../access/Forbidden.ts"
import { requireHost } from "../access/HostOnly.ts"
import { Events } from "../event/Events.ts"
import { Ids } from "../identity/Ids.ts"
import { PublicUrl } from "../identity/PublicUrl.ts"
import { MemberTable } from "../organization/Member.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import { accepting, type InvalidInput } from "../schema/Input.ts"
import type { Timestamp } from "../schema/Text.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { applyPatch } from "../storage/Row.ts"
import { cannotConflict, hasChanges, Storage, type StorageError } from "../storage/Storage.ts"
import { ExternalId, ExternalProfile, ExternalUserTable, withLine } from "./ExternalUser.ts"
import { EmailTaken, type User, UserCreate, UserId, UserNotFound, UserPatch, type UserRow, UserTable } from "./User.ts"
import { wired } from "../wiring/Wired.ts"

const acceptCreate = accepting(UserCreate)
const acceptPatch = accepting(UserPatch)
const acceptExternal = accepting(Schema.Struct({ externalId: ExternalId, profile: ExternalProfile }))

/** A user, and the hour when it was last there with a token; undefined where it never was. */
export interface SeenUser {
  readonly user: User
  readonly lastSeenAt?: Timestamp | undefined
}

export class Users extends Context.Service<
  Users,
  {
    /** The user that asks. The host application is nobody in particular: for it there is none. */
    readonly me: Effect.Effect<User, UserNotFound | StorageError, CurrentActor>
    /** A user that the actor shares an organization with, or is. */
    readonly get: (id: UserId) => Effect.Effect<User, UserNotFound | StorageError, CurrentActor>
    /**
     * Changes the name or the picture of the user that asks; the host application changes anyone's. A session of
     * one organization may not, since the others see it too. `Forbidden` for another user.
     */
    readonly update: (
      id: UserId,
      patch: UserPatch
    ) => Effect.Effect<User, UserNotFound | Forbidden | InvalidInput | StorageError, CurrentActor>
    /** The same for the user that asks. */
    readonly updateMe: (
      patch: UserPatch
    ) => Effect.Effect<User, UserNotFound | Forbidden | InvalidInput | StorageError, CurrentActor>
    /**
     * Makes a user with an e-mail address (3 to 254 characters) and a name of 1 to 100, by default the part before
     * the @. The user belongs to no organization yet. `EmailTaken` where somebody has the address, in any case of
     * letters.
     */
    readonly create: (input: UserCreate) => Effect.Effect<User, EmailTaken | InvalidInput | StorageError>
    /** The user with this address, in any case. */
    readonly byEmail: (email: string) => Effect.Effect<User | undefined, StorageError>
    /**
     * The user that stands for one of the host's own, by the id that the host knows the person by (1 to
     * 255 characters): made on first sight, then brought up to the address and name that the host
     * gives. The address of somebody who signs on by SAML stays, since sign-on finds the person by it.
     * Writes only what has changed. For the host application alone.
     *
     * Fails with `EmailTaken` where another user has the address, and changes nothing then; see `adopt`.
     */
    readonly byExternalId: (
      externalId: string,
      profile: ExternalProfile
    ) => Effect.Effect<User, EmailTaken | Forbidden | InvalidInput | StorageError, CurrentActor>
    /** The users with these ids, once each; one that is gone is presented by its id alone. */
    readonly present: (ids: ReadonlyArray<UserId>) => Effect.Effect<ReadonlyMap<UserId, User>, StorageError>
    /** The same, with the hour when each was last there. */
    readonly seen: (ids: ReadonlyArray<UserId>) => Effect.Effect<ReadonlyMap<UserId, SeenUser>, StorageError>
  }
>()("@lectern/core/user/Users") {
  static readonly layer = wired(
    Users,
    Effect.gen(function* () {
      const storage = yield* Storage
      const ids = yield* Ids
      const publicUrl = yield* PublicUrl
      const users = storage.repository(UserTable)
      const members = storage.repository(MemberTable)
      const externals = storage.repository(ExternalUserTable)
      const events = yield* Events

      const present = (row: UserRow): User => ({
        object: "user",
        id: row.id,
        displayName: row.displayName,
        email: row.email,
        ...(row.photoURL !== undefined && { photoURL: row.photoURL }),
        urls: { location: `${publicUrl}/v1/users/${row.id}` }
      })

      const insert = Effect.fnUntraced(function* ({ email, displayName }: UserCreate) {
        const row: UserRow = {
          id: UserId.make(yield* ids.next),
          displayName: displayName ?? nameIn(email),
          email,
          createdAt: yield* Timestamps.now
        }
        yield* users.insert(row).pipe(Effect.catchTag("UniqueConflict", () => taken(email)))
        return row
      })

      /** Brings a user up to what the host says, and tells the organizations that it belongs to. */
      const follow = Effect.fnUntraced(function* (row: UserRow, { email, displayName }: ExternalProfile) {
        const patch = { email, ...(displayName !== undefined && { displayName }) }
        if (!hasChanges(row, patch)) return row
        const memberships = yield* members.list({ where: { user: row.id } })
        const isSignedOn = memberships.some(({ sso }) => sso === true)
        const followed = { ...patch, email: isSignedOn ? row.email : email }
        if (!hasChanges(row, followed)) return row
        yield* users.update({ id: row.id }, followed).pipe(Effect.catchTag("UniqueConflict", () => taken(email)))
        for (const { organization } of memberships) {
          yield* events.emit({ type: "member_updated", organization: organization as OrganizationId, user: row.id })
        }
        return { ...row, ...followed }
      })

      /** The user with the address becomes the host's, where the host allows that and it is nobody else's yet. */
      const adopt = Effect.fnUntraced(function* ({ email, adopt }: ExternalProfile) {
        const [row] = yield* users.list({ where: { foldedEmail: email.toLowerCase() } })
        if (row === undefined) return undefined
        const isOthers = adopt !== true || (yield* externals.count({ user: row.id })) > 0
        return isOthers ? yield* taken(email) : row
      })

      /** A session of one organization knows those of that one alone. */
      const knows = Effect.fnUntraced(function* (actor: Actor, user: UserId) {
        if (actor.type === "host") return true
        if (actor.type !== "user") return false
        if (actor.user === user) return true
        const { organization } = actor
        const theirs = yield* members.list({
          where: { user, ...(organization !== undefined && { organization }) }
        })
        const shared = yield* members.getMany(theirs.map(({ organization }) => ({ organization, user: actor.user })))
        return shared.some((member) => member?.disabled === false)
      })

      const update = Effect.fnUntraced(function* (id: UserId, wanted: UserPatch) {
        const { photoURL, ...rest } = yield* acceptPatch(wanted)
        const patch = { ...rest, ...(photoURL !== undefined && { photoURL: photoURL ?? undefined }) }
        const actor = yield* CurrentActor
        return yield* storage.transaction(
          Effect.gen(function* () {
            const row = yield* users.get({ id })
            if (row === undefined || !(yield* knows(actor, id))) {
              return yield* new UserNotFound({ message: `There is no user ${id.slice(0, 50)}` })
            }
            if (actor.type !== "host" && (actor.type !== "user" || actor.user !== id)) {
              return yield* new Forbidden({ message: "You may change your own name and picture only" })
            }
            if (actor.type === "user" && actor.organization !== undefined) {
              return yield* new Forbidden({ message: "A session of one organization may not change who you are" })
            }
            if (!hasChanges(row, patch)) return present(row)
            yield* users.update({ id }, patch).pipe(cannotConflict)
            for (const { organization } of yield* members.list({ where: { user: id } })) {
              yield* events.emit({ type: "member_updated", organization: organization as OrganizationId, user: id })
            }
            return present(applyPatch(UserTable, row, patch))
          })
        )
      })

      const seen = Effect.fnUntraced(function* (wanted: ReadonlyArray<UserId>) {
        const distinct = [...new Set(wanted)]
        const rows = yield* users.getMany(distinct.map((id) => ({ id })))
        return new Map(
          distinct.map((id, i): [UserId, SeenUser] => {
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
          return present(row)
        }),

        get: Effect.fn("Users.get")(function* (id) {
          const row = yield* users.get({ id })
          if (row === undefined || !(yield* knows(yield* CurrentActor, row.id))) {
            return yield* new UserNotFound({ message: `There is no user ${id.slice(0, 50)}` })
          }
          return present(row)
        }),

        create: Effect.fn("Users.create")(function* (wanted) {
          return present(yield* insert(yield* acceptCreate(wanted)))
        }),

        byExternalId: Effect.fn("Users.byExternalId")(function* (externalId, wanted) {
          yield* requireHost("say who its users are")
          const profile = withLine((yield* acceptExternal({ externalId, profile: wanted })).profile)
          const known = yield* externals.get({ externalId })
          const current = known && (yield* users.get({ id: known.user }))
          const { email, displayName = current?.displayName } = profile
          // What nothing is to be done about takes no turn among the writes.
          if (current !== undefined && !hasChanges(current, { email, displayName })) return present(current)
          return yield* storage.transaction(
            Effect.gen(function* () {
              const external = yield* externals.get({ externalId })
              const row = external && (yield* users.get({ id: external.user }))
              if (row !== undefined) return present(yield* follow(row, profile))
              const found = (yield* adopt(profile)) ?? (yield* insert(profile))
              const createdAt = yield* Timestamps.now
              yield* externals.insert({ externalId, user: found.id, createdAt }).pipe(cannotConflict)
              return present(yield* follow(found, profile))
            })
          )
        }),

        byEmail: Effect.fnUntraced(function* (email) {
          const [row] = yield* users.list({ where: { foldedEmail: email.toLowerCase() } })
          return row && present(row)
        }),

        seen,

        present: (wanted) =>
          Effect.map(seen(wanted), (people) => new Map(Array.from(people, ([id, { user }]) => [id, user])))
      })
    }),
    [Events.layer]
  )
}

const taken = (email: string) => new EmailTaken({ message: `There is a user with the address ${email}` })

/** The part of an e-mail address before the @, cut to the length of a name. */
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
