/**
 * Passkeys of users: adds, lists, renames and removes them, and finds out who signs in with one.
 *
 * A passkey signs its user in without an address and without a second factor, because the authenticator verifies the
 * person. As a second factor it only has to be present. A challenge is made for one purpose and one browser, is valid for
 * 10 minutes and counts once. A use whose counter did not grow is refused, since the passkey may have been copied.
 *
 * Limits: 20 passkeys of a user. Passkeys are bound to the domain of `PublicUrl`: another domain needs other passkeys.
 */
import { Ids } from "@lectern/core/identity/Ids"
import { PublicUrl } from "@lectern/core/identity/PublicUrl"
import { accepting, type InvalidInput } from "@lectern/core/schema/Input"
import * as Timestamps from "@lectern/core/schema/Timestamps"
import { maxPasskeys, PasskeyId, PasskeyName, type PasskeyRow, PasskeyTable } from "@lectern/core/sign-in/Passkey"
import { SecondFactorTable } from "@lectern/core/sign-in/SecondFactor"
import { cannotConflict, Storage, type StorageError } from "@lectern/core/storage/Storage"
import { Sessions } from "@lectern/core/token/Sessions"
import { type UserId, UserTable } from "@lectern/core/user/User"
import { Context, Effect, Layer, Schema } from "effect"
import { Base64Url } from "effect/encoding"
import { makeAccountAudit } from "../audit/AccountAudit.ts"
import { FactorDemanded, hasFactor, makeFactorFacts, requireRemaining } from "../factor/FactorFacts.ts"
import { withoutFactors } from "../factor/SecondFactorState.ts"
import { type ChallengePurpose, makePasskeyChallenges } from "./PasskeyChallenges.ts"
import {
  creationOptions,
  type CreationOptions,
  passkeyDomain,
  requestOptions,
  type RequestOptions
} from "./PasskeyOptions.ts"
import { type ExpectedResponse, PasskeyProtocol, type VerifiedAssertion } from "./PasskeyProtocol.ts"
import { PasskeyRefused, refused } from "./PasskeyRefused.ts"
import { type AssertionResponse, challengeIn, parseAssertion, parseCreation, transportsOf } from "./PasskeyResponse.ts"

/** Raised if the user has no passkey with the id. */
export class PasskeyNotFound extends Schema.TaggedError<PasskeyNotFound>()(
  "PasskeyNotFound",
  { message: Schema.String },
  { httpApiStatus: 404 }
) {}

/** Raised if the user has the maximum number of passkeys. Remove one first. */
export class TooManyPasskeys extends Schema.TaggedError<TooManyPasskeys>()(
  "TooManyPasskeys",
  { message: Schema.String },
  { httpApiStatus: 409 }
) {}

/** Raised if this server cannot have passkeys, because of its address or its host. */
export class PasskeysUnavailable extends Schema.TaggedError<PasskeysUnavailable>()(
  "PasskeysUnavailable",
  { message: Schema.String },
  { httpApiStatus: 503 }
) {}

/** A passkey in lists. */
export type Passkey = Pick<PasskeyRow, "id" | "name" | "isSynced" | "createdAt" | "lastUsedAt">

/** Use of a passkey by its user. */
export interface PasskeyUse {
  readonly user: UserId
  readonly passkey: PasskeyId
  /** True if the authenticator verified the person, so that the passkey counts as two factors. */
  readonly isPersonVerified: boolean
}

const acceptName = accepting(Schema.Struct({ name: PasskeyName }))

export class Passkeys extends Context.Service<
  Passkeys,
  {
    /** False if this server cannot have passkeys, because of its address or its host. */
    readonly isAvailable: boolean
    /** Lists the passkeys of a user, oldest first. */
    readonly list: (user: UserId) => Effect.Effect<ReadonlyArray<Passkey>, StorageError>
    /**
     * Returns the options with which the browser creates a passkey of a user.
     *
     * @param browser Secret that only this browser has, of a cookie.
     * @throws {PasskeysUnavailable}
     * @throws {TooManyPasskeys} Above 20 passkeys.
     */
    readonly creationOptions: (
      user: UserId,
      browser: string
    ) => Effect.Effect<CreationOptions, PasskeysUnavailable | TooManyPasskeys | StorageError>
    /**
     * Adds the passkey that the browser created.
     *
     * @param options.response Response of the browser, as JSON.
     * @param options.browser Secret of the browser that got the options.
     * @param options.name Name for the user's list, 1 to 100 characters in one line.
     * @throws {InvalidInput} For the name.
     * @throws {PasskeyRefused}
     * @throws {TooManyPasskeys}
     */
    readonly create: (
      user: UserId,
      options: { readonly response: string; readonly browser: string; readonly name: string }
    ) => Effect.Effect<Passkey, InvalidInput | PasskeyRefused | TooManyPasskeys | StorageError>
    /**
     * Changes the name of a passkey of a user.
     *
     * @throws {InvalidInput}
     * @throws {PasskeyNotFound}
     */
    readonly rename: (
      user: UserId,
      id: string,
      name: string
    ) => Effect.Effect<void, InvalidInput | PasskeyNotFound | StorageError>
    /**
     * Removes a passkey of a user, and ends the other sessions. Recovery codes end with the last factor.
     *
     * @param session Id of the session that stays valid. Default: none.
     * @throws {FactorDemanded} For the last factor, if an organization demands one.
     * @throws {PasskeyNotFound}
     */
    readonly remove: (
      user: UserId,
      id: string,
      session?: string
    ) => Effect.Effect<void, FactorDemanded | PasskeyNotFound | StorageError>
    /**
     * Returns the options with which the browser requests a passkey.
     *
     * @param browser Secret that only this browser has, of a cookie.
     * @param user User who proves a second factor. Default: anyone may sign in.
     * @throws {PasskeysUnavailable}
     */
    readonly requestOptions: (
      browser: string,
      user?: UserId
    ) => Effect.Effect<RequestOptions, PasskeysUnavailable | StorageError>
    /**
     * Verifies a use of a passkey, and records it. A response counts once. The caller starts the session.
     *
     * @param options.response Response of the browser, as JSON.
     * @param options.browser Secret of the browser that got the options.
     * @param options.user User who proves a second factor. Default: anyone may sign in.
     * @throws {PasskeyRefused}
     */
    readonly verify: (options: {
      readonly response: string
      readonly browser: string
      readonly user?: UserId
    }) => Effect.Effect<PasskeyUse, PasskeyRefused | StorageError>
  }
>()("@lectern/sign-in/passkey/Passkeys") {
  static readonly layer = Layer.effect(
    Passkeys,
    Effect.gen(function* () {
      const storage = yield* Storage
      const ids = yield* Ids
      const sessions = yield* Sessions
      const protocol = yield* PasskeyProtocol
      const publicUrl = yield* PublicUrl
      const challenges = yield* makePasskeyChallenges
      const factsOf = yield* makeFactorFacts
      const audit = yield* makeAccountAudit
      const passkeys = storage.repository(PasskeyTable)
      const factors = storage.repository(SecondFactorTable)
      const users = storage.repository(UserTable)
      const domain = protocol.isAvailable ? passkeyDomain(publicUrl) : undefined

      const requireDomain = Effect.suspend(() =>
        domain === undefined
          ? Effect.fail(
              new PasskeysUnavailable({ message: "This server can't have passkeys: it needs a domain and HTTPS" })
            )
          : Effect.succeed(domain)
      )

      const listRows = (user: UserId) => passkeys.list({ where: { user }, order: ["createdAt"] })

      const requireCapacity = (rows: ReadonlyArray<PasskeyRow>) =>
        rows.length < maxPasskeys
          ? Effect.void
          : Effect.fail(
              new TooManyPasskeys({ message: `You have ${maxPasskeys} passkeys, as many as you may: remove one first` })
            )

      const find = Effect.fnUntraced(function* (user: UserId, id: string) {
        const row = yield* passkeys.get({ id: PasskeyId.make(id) })
        if (row?.user !== user) return yield* new PasskeyNotFound({ message: "You have no such passkey" })
        return row
      })

      /** Checks the challenge of a response, and returns it with the expected values. */
      const expectedOf = Effect.fnUntraced(function* (
        purpose: ChallengePurpose,
        browser: string,
        { response }: { readonly response: { readonly clientDataJSON: string } }
      ) {
        const challenge = challengeIn(response.clientDataJSON)
        if (challenge === undefined || domain === undefined) {
          return yield* refused("malformed", "The browser sent no response of a passkey. Start again")
        }
        yield* challenges.check(purpose, browser, challenge)
        const expected: ExpectedResponse = {
          challenge: Base64Url.encode(challenge),
          origin: new URL(publicUrl).origin,
          domain
        }
        return { challenge, expected }
      })

      const create = Effect.fnUntraced(function* (user: UserId, browser: string, json: string, name: string) {
        const response = yield* parseCreation(json)
        const { challenge, expected } = yield* expectedOf({ type: "create", user }, browser, response)
        const { credential, publicKey, counter, isSynced } = yield* protocol.verifyCreation(response, expected)
        const row: PasskeyRow = {
          id: PasskeyId.make(yield* ids.next),
          user,
          name,
          credential,
          publicKey,
          counter,
          transports: transportsOf(response),
          isSynced,
          createdAt: yield* Timestamps.now
        }
        return yield* storage.transaction(
          Effect.gen(function* () {
            yield* challenges.markUsed(challenge)
            yield* requireCapacity(yield* listRows(user))
            yield* passkeys
              .insert(row)
              .pipe(Effect.catchTag("UniqueConflict", () => refused("used", "This passkey was already added")))
            yield* audit("passkey_created", user, { name })
            return row
          })
        )
      })

      /** Records a use, if the counter allows it. */
      const recordUse = Effect.fnUntraced(function* (id: PasskeyId, challenge: string, use: VerifiedAssertion) {
        yield* challenges.markUsed(challenge)
        const row = yield* passkeys.get({ id })
        if (row === undefined) return yield* unknown
        if (!isGrowing(row.counter, use.counter)) {
          return yield* refused(
            "counter",
            "This passkey may have been copied: its number of uses did not grow. Remove it, and add another one"
          )
        }
        const patch = { counter: use.counter, isSynced: use.isSynced, lastUsedAt: yield* Timestamps.now }
        yield* passkeys.update({ id }, patch).pipe(cannotConflict)
      })

      const verify = Effect.fnUntraced(function* (
        purpose: ChallengePurpose,
        browser: string,
        response: AssertionResponse
      ) {
        const { challenge, expected } = yield* expectedOf(purpose, browser, response)
        const [row] = yield* passkeys.list({ where: { credential: response.id } })
        if (row === undefined) return yield* unknown
        if ((purpose.type !== "sign-in" && purpose.user !== row.user) || !isHandleOf(row.user, response)) {
          return yield* refused("person", "This passkey belongs to another person")
        }
        const use = yield* protocol.verifyAssertion(response, {
          ...expected,
          publicKey: row.publicKey,
          needsPerson: purpose.type === "sign-in"
        })
        yield* storage.transaction(recordUse(row.id, challenge, use))
        return { user: row.user, passkey: row.id, isPersonVerified: use.isPersonVerified }
      })

      return Passkeys.of({
        isAvailable: domain !== undefined,

        list: Effect.fn("Passkeys.list")(function* (user) {
          return (yield* listRows(user)).map(present)
        }),

        creationOptions: Effect.fn("Passkeys.creationOptions")(function* (id, browser) {
          const domain = yield* requireDomain
          const rows = yield* listRows(id)
          yield* requireCapacity(rows)
          const user = (yield* users.get({ id })) ?? { id, email: "", displayName: "" }
          const challenge = yield* challenges.make({ type: "create", user: id }, browser)
          return creationOptions({ challenge, domain, user, passkeys: rows })
        }),

        create: Effect.fn("Passkeys.create")(function* (user, { response, browser, name: rawName }) {
          const { name } = yield* acceptName({ name: rawName })
          return present(yield* withRefusalLog(create(user, browser, response, name)))
        }),

        rename: Effect.fn("Passkeys.rename")(function* (user, id, rawName) {
          const { name } = yield* acceptName({ name: rawName })
          yield* storage.transaction(
            Effect.gen(function* () {
              const row = yield* find(user, id)
              if (row.name !== name) yield* passkeys.update({ id: row.id }, { name }).pipe(cannotConflict)
            })
          )
        }),

        remove: Effect.fn("Passkeys.remove")(function* (user, id, session) {
          yield* storage.transaction(
            Effect.gen(function* () {
              const { id: passkey, name } = yield* find(user, id)
              const facts = yield* factsOf(user)
              const remaining = { row: facts.row, passkeys: facts.passkeys.filter((other) => other.id !== passkey) }
              yield* requireRemaining(facts, remaining)
              yield* passkeys.remove({ id: passkey })
              if (!hasFactor(remaining)) yield* factors.update({ user }, withoutFactors)
              yield* audit("passkey_removed", user, { name })
              yield* sessions.endAll(user, session)
            })
          )
        }),

        requestOptions: Effect.fn("Passkeys.requestOptions")(function* (browser, user) {
          const domain = yield* requireDomain
          const challenge = yield* challenges.make(purposeOf(user), browser)
          return requestOptions({ challenge, domain, passkeys: user === undefined ? undefined : yield* listRows(user) })
        }),

        verify: Effect.fn("Passkeys.verify")(function* ({ response, browser, user }) {
          return yield* withRefusalLog(
            Effect.flatMap(parseAssertion(response), (parsed) => verify(purposeOf(user), browser, parsed))
          )
        })
      })
    })
  )
}

const purposeOf = (user: UserId | undefined): ChallengePurpose =>
  user === undefined ? { type: "sign-in" } : { type: "factor", user }

const unknown = Effect.suspend(() => Effect.fail(refused("unknown", "This server does not know this passkey")))

/** True if a counter grew. Authenticators without a counter always report 0. */
export const isGrowing = (stored: number, received: number): boolean =>
  received > stored || (received === 0 && stored === 0)

/** True if a response names no user or this user. */
const isHandleOf = (user: UserId, { response: { userHandle } }: AssertionResponse): boolean =>
  userHandle === undefined || userHandle === null || userHandle === "" || userHandle === Base64Url.encode(user)

const present = ({ id, name, isSynced, createdAt, lastUsedAt }: PasskeyRow): Passkey => ({
  id,
  name,
  isSynced,
  createdAt,
  ...(lastUsedAt !== undefined && { lastUsedAt })
})

/** Logs refusals for the operator, with the reason. */
const withRefusalLog = <A, E, R>(step: Effect.Effect<A, E | PasskeyRefused, R>) =>
  Effect.tapError(step, (failure) =>
    failure instanceof PasskeyRefused
      ? Effect.logInfo(`Passkey refused: ${failure.message}`).pipe(Effect.annotateLogs({ reason: failure.reason }))
      : Effect.void
  )
