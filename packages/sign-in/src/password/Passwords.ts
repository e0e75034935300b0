/**
 * Passwords of users: sets, changes and verifies them. Every change ends the other sessions and all links of the user,
 * and is recorded in the audit logs of its organizations.
 *
 * Limits: 10 to 1,000 characters; not one of the passwords that are chosen most often, not the e-mail address.
 */
import { InvalidInput } from "@lectern/core/schema/Input"
import * as Timestamps from "@lectern/core/schema/Timestamps"
import { PasswordTable } from "@lectern/core/sign-in/Password"
import { SignInLinkTable } from "@lectern/core/sign-in/SignInLink"
import { cannotConflict, Storage, type StorageError } from "@lectern/core/storage/Storage"
import { Sessions } from "@lectern/core/token/Sessions"
import { type UserId, UserNotFound, UserTable } from "@lectern/core/user/User"
import { Users } from "@lectern/core/user/Users"
import { Context, Effect, Layer, Redacted, Schema } from "effect"
import { makeAccountAudit } from "../audit/AccountAudit.ts"
import { makeCommonPasswords } from "./CommonPasswords.ts"
import { PasswordHasher, type PasswordsUnavailable } from "./PasswordHasher.ts"

export const minPasswordLength = 10
export const maxPasswordLength = 1_000

/** Raised if the address or the password is wrong. The response does not distinguish these cases. */
export class WrongPassword extends Schema.TaggedError<WrongPassword>()(
  "WrongPassword",
  { message: Schema.String },
  { httpApiStatus: 403 }
) {}

/** Reason to refuse a password. */
export type PasswordProblem = "tooShort" | "tooLong" | "tooCommon"

export class Passwords extends Context.Service<
  Passwords,
  {
    /** False if the host hashes no passwords. */
    readonly isAvailable: boolean
    /**
     * Returns the user with an address and a password. Takes as long for an address without a user or password.
     *
     * @param email Address, in any case.
     * @param password Password, as `Redacted.make(text)` of the package `effect`.
     * @throws {PasswordsUnavailable}
     * @throws {WrongPassword}
     */
    readonly verify: (
      email: string,
      password: Redacted.Redacted
    ) => Effect.Effect<UserId, WrongPassword | PasswordsUnavailable | StorageError>
    /** Returns true if a user has a password. */
    readonly has: (user: UserId) => Effect.Effect<boolean, StorageError>
    /**
     * Returns the reason to refuse a password of the user with an address. Undefined if it is accepted.
     *
     * @param email Address, in any case.
     * @param password Password, as `Redacted.make(text)` of the package `effect`.
     */
    readonly problemOf: (email: string, password: Redacted.Redacted) => Effect.Effect<PasswordProblem | undefined>
    /**
     * Sets the password of a user. Has no actor: the caller has verified the user, or is the operator.
     *
     * @param user Id of the user.
     * @param password Password, as `Redacted.make(text)` of the package `effect`.
     * @param session Id of a session that stays valid. Default: all sessions of the user end.
     * @throws {InvalidInput} If the password is too short, too long or too common.
     * @throws {PasswordsUnavailable}
     * @throws {UserNotFound}
     * @example
     * ```ts
     * import { Redacted } from "effect"
     *
     * await lectern.signIn.passwords.set(ada.id, Redacted.make("correct horse battery staple"))
     * ```
     */
    readonly set: (
      user: UserId,
      password: Redacted.Redacted,
      session?: string
    ) => Effect.Effect<void, InvalidInput | PasswordsUnavailable | UserNotFound | StorageError>
    /**
     * Removes the password of a user, who then signs in by other ways. All sessions of the user end.
     *
     * @param user Id of the user.
     */
    readonly remove: (user: UserId) => Effect.Effect<void, StorageError>
  }
>()("@lectern/sign-in/password/Passwords") {
  static readonly layer = Layer.effect(
    Passwords,
    Effect.gen(function* () {
      const storage = yield* Storage
      const users = yield* Users
      const sessions = yield* Sessions
      const hasher = yield* PasswordHasher
      const isCommon = yield* makeCommonPasswords
      const record = yield* makeAccountAudit
      const passwords = storage.repository(PasswordTable)
      const links = storage.repository(SignInLinkTable)
      const people = storage.repository(UserTable)

      const problemOf = Effect.fnUntraced(function* (email: string, password: Redacted.Redacted) {
        const text = Redacted.value(password)
        if (text.length > maxUnits) return "tooLong"
        const length = Array.from(segments.segment(text)).length
        if (length < minPasswordLength) return "tooShort"
        if (length > maxPasswordLength) return "tooLong"
        return text.toLowerCase() === email.toLowerCase() || (yield* isCommon(text)) ? "tooCommon" : undefined
      })

      return Passwords.of({
        isAvailable: hasher.isAvailable,
        problemOf,

        has: (user) => Effect.map(passwords.get({ user }), (row) => row !== undefined),

        verify: Effect.fn("Passwords.verify")(function* (email, password) {
          const user = yield* users.byEmail(email)
          // Both rows are read in any case, so that the work does not depend on the address.
          const row = yield* passwords.get({ user: user?.id ?? noUser })
          const isTooLong = Redacted.value(password).length > maxUnits
          const isRight = yield* hasher.verify(isTooLong ? empty : password, row?.hash)
          if (!isRight || user === undefined || isTooLong) {
            return yield* new WrongPassword({ message: "The address or the password is wrong" })
          }
          return user.id
        }),

        set: Effect.fn("Passwords.set")(function* (user, password, session) {
          const row = yield* people.get({ id: user })
          if (row === undefined) return yield* missing(user)
          const problem = yield* problemOf(row.email, password)
          if (problem !== undefined) {
            return yield* new InvalidInput({ issues: [{ path: "password", message: messages[problem] }] })
          }
          const hash = yield* hasher.hash(password)
          yield* storage.transaction(
            Effect.gen(function* () {
              if ((yield* people.get({ id: user })) === undefined) return yield* missing(user)
              const changedAt = yield* Timestamps.now
              if ((yield* passwords.update({ user }, { hash, changedAt })) === 0)
                yield* passwords.insert({ user, hash, changedAt }).pipe(cannotConflict)
              yield* links.remove({ user })
              yield* sessions.endAll(user, session)
              yield* record("password_changed", user)
            })
          )
        }),

        remove: Effect.fn("Passwords.remove")(function* (user) {
          yield* storage.transaction(
            Effect.gen(function* () {
              if ((yield* passwords.remove({ user })) === 0) return
              yield* sessions.endAll(user)
              yield* record("password_removed", user)
            })
          )
        })
      })
    })
  )
}

/** Maximum length of a password in UTF-16 code units, since a character may have several. */
const maxUnits = 8 * maxPasswordLength

const segments = new Intl.Segmenter()

const empty = Redacted.make("")

const noUser = "" as UserId

const missing = (user: UserId) => new UserNotFound({ message: `There is no user ${user.slice(0, 50)}` })

const messages: Readonly<Record<PasswordProblem, string>> = {
  tooShort: `Expected at least ${minPasswordLength} characters`,
  tooLong: `Expected at most ${maxPasswordLength} characters`,
  tooCommon: "This password is too easy to guess: many people use it, or it is the e-mail address"
}
