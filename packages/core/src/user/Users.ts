/** Makes and shows users. */
import { Context, Effect, Layer } from "effect"
import { type Actor, CurrentActor } from "../access/Actor.ts"
import { Ids } from "../identity/Ids.ts"
import { PublicUrl } from "../identity/PublicUrl.ts"
import { MemberTable } from "../organization/Member.ts"
import { accepting, type InvalidInput } from "../schema/Input.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { Storage, type StorageError } from "../storage/Storage.ts"
import { EmailTaken, type User, UserCreate, UserId, UserNotFound, type UserRow, UserTable } from "./User.ts"

const acceptCreate = accepting(UserCreate)

export class Users extends Context.Service<
  Users,
  {
    /** The user that asks. The host application is nobody in particular: for it there is none. */
    readonly me: Effect.Effect<User, UserNotFound | StorageError, CurrentActor>
    /** A user that the actor shares an organization with, or is. */
    readonly get: (id: UserId) => Effect.Effect<User, UserNotFound | StorageError, CurrentActor>
    readonly create: (input: UserCreate) => Effect.Effect<User, EmailTaken | InvalidInput | StorageError>
    /** The user with this address, in any case. */
    readonly byEmail: (email: string) => Effect.Effect<User | undefined, StorageError>
    /** The users with these ids, once each; one that is gone is presented by its id alone. */
    readonly present: (ids: ReadonlyArray<UserId>) => Effect.Effect<ReadonlyMap<UserId, User>, StorageError>
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

      const present = (row: UserRow): User => ({
        object: "user",
        id: row.id,
        displayName: row.displayName,
        email: row.email,
        ...(row.photoURL !== undefined && { photoURL: row.photoURL }),
        urls: { location: `${publicUrl}/v1/users/${row.id}` }
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

      return Users.of({
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
          const { email, displayName } = yield* acceptCreate(wanted)
          const row: UserRow = {
            id: UserId.make(yield* ids.next),
            displayName: displayName ?? nameIn(email),
            email,
            createdAt: yield* Timestamps.now
          }
          yield* users
            .insert(row)
            .pipe(
              Effect.catchTag(
                "UniqueConflict",
                () => new EmailTaken({ message: `There is a user with the address ${email}` })
              )
            )
          return present(row)
        }),

        byEmail: Effect.fnUntraced(function* (email) {
          const [row] = yield* users.list({ where: { foldedEmail: email.toLowerCase() } })
          return row && present(row)
        }),

        present: Effect.fnUntraced(function* (wanted) {
          const distinct = [...new Set(wanted)]
          const rows = yield* users.getMany(distinct.map((id) => ({ id })))
          return new Map(
            distinct.map((id, i) => {
              const row = rows[i]
              return [id, row === undefined ? absent(id, publicUrl) : present(row)]
            })
          )
        })
      })
    })
  )
}

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
