/**
 * Second factors of users: an authenticator app, recovery codes, and passkeys as second factor.
 *
 * An app counts once a code of it was entered. Confirming it creates ten recovery codes, unless there are some. The
 * secret and the codes are returned once. Wrong codes are counted (see `SecondFactorState`): also in parallel no more
 * codes are checked than the pauses allow.
 */
import { Ids } from "@lectern/core/identity/Ids"
import { PublicUrl } from "@lectern/core/identity/PublicUrl"
import { Secrets } from "@lectern/core/identity/Secrets"
import { type SecondFactorRow, SecondFactorTable } from "@lectern/core/sign-in/SecondFactor"
import { PasskeyTable } from "@lectern/core/sign-in/Passkey"
import { Hasher } from "@lectern/core/storage/Hasher"
import { cannotConflict, type Patch, Storage, type StorageError } from "@lectern/core/storage/Storage"
import { Sessions } from "@lectern/core/token/Sessions"
import { type UserId, UserTable } from "@lectern/core/user/User"
import { Clock, Context, Effect, Layer, Redacted, Result, Schema } from "effect"
import { Base64Url } from "effect/encoding"
import { makeAccountAudit } from "../audit/AccountAudit.ts"
import { appSecret, appUri, groupedSecret, stepOf } from "./AppCodes.ts"
import { CodeRefused, paused, usedCode, wrongCode } from "./CodeRefused.ts"
import {
  type FactorDemanded,
  type FactorFacts,
  hasFactor,
  isFactorDue,
  makeFactorFacts,
  requireRemaining
} from "./FactorFacts.ts"
import { foldRecoveryCode, isRecoveryCode, recoveryCode, recoveryCodeCount } from "./RecoveryCode.ts"
import * as State from "./SecondFactorState.ts"

/** Raised if an authenticator app is in use already. Remove it first. */
export class AppInUse extends Schema.TaggedError<AppInUse>()(
  "AppInUse",
  { message: Schema.String },
  { httpApiStatus: 409 }
) {}

/** Raised if the user has no factor that the change needs. */
export class FactorMissing extends Schema.TaggedError<FactorMissing>()(
  "FactorMissing",
  { message: Schema.String },
  { httpApiStatus: 409 }
) {}

/** Factors of a user, and the requirements at sign-in. */
export interface FactorStatus {
  readonly app: State.AppState
  readonly passkeys: number
  /** Number of unused recovery codes. */
  readonly recoveryCodes: number
  /** True if the user wants a passkey to be required after another way to sign in. */
  readonly isWanted: boolean
  /** True if signing in requires a second factor. */
  readonly isDue: boolean
  /** True if the user has a factor. */
  readonly isSetUp: boolean
  /** Titles of the organizations that demand a second factor. */
  readonly demandedBy: ReadonlyArray<string>
}

/** Secret of a new authenticator app. It is not returned again. */
export interface AppSetup {
  /** In groups of four characters, for people who type it. */
  readonly secret: Redacted.Redacted
  /** `otpauth:` URI, for a picture that the app reads. */
  readonly uri: Redacted.Redacted
}

/** Recovery codes. They are not returned again. */
export type RecoveryCodes = ReadonlyArray<Redacted.Redacted>

export class SecondFactors extends Context.Service<
  SecondFactors,
  {
    /** Returns the factors of a user, and the requirements at sign-in. */
    readonly status: (user: UserId) => Effect.Effect<FactorStatus, StorageError>
    /**
     * Starts the setup of an authenticator app, with a new secret. An earlier setup that was not confirmed ends.
     *
     * @throws {AppInUse} If the user has a confirmed app.
     */
    readonly setUpApp: (user: UserId) => Effect.Effect<AppSetup, AppInUse | StorageError>
    /**
     * Confirms the app by one of its codes. From then on signing in requires a code.
     *
     * @returns New recovery codes; empty if the user has some.
     * @throws {CodeRefused}
     * @throws {FactorMissing} If no app is being set up.
     */
    readonly confirmApp: (
      user: UserId,
      code: string
    ) => Effect.Effect<RecoveryCodes, CodeRefused | FactorMissing | StorageError>
    /**
     * Removes the app, or ends its setup. The end of an app ends the other sessions. Recovery codes end with the last
     * factor.
     *
     * @param session Id of the session that stays valid. Default: none.
     * @throws {FactorDemanded} For the last factor, if an organization demands one.
     */
    readonly removeApp: (user: UserId, session?: string) => Effect.Effect<void, FactorDemanded | StorageError>
    /**
     * Requires a passkey of the user after another way to sign in, or no longer. The latter ends the other sessions.
     *
     * @param session Id of the session that stays valid. Default: none.
     * @throws {FactorMissing} If the user has no passkey.
     */
    readonly setWanted: (
      user: UserId,
      isWanted: boolean,
      session?: string
    ) => Effect.Effect<void, FactorMissing | StorageError>
    /**
     * Creates new recovery codes. Earlier ones end.
     *
     * @throws {FactorMissing} If the user has neither an app nor a passkey.
     */
    readonly createRecoveryCodes: (user: UserId) => Effect.Effect<RecoveryCodes, FactorMissing | StorageError>
    /**
     * Accepts a code of the user's app, or a recovery code. Each counts once.
     *
     * @throws {CodeRefused}
     */
    readonly check: (user: UserId, code: string) => Effect.Effect<void, CodeRefused | StorageError>
    /**
     * Removes all factors and passkeys of a user who lost them, and ends the sessions. For the operator.
     *
     * @returns True if the user had any.
     */
    readonly reset: (user: UserId) => Effect.Effect<boolean, StorageError>
  }
>()("@lectern/sign-in/factor/SecondFactors") {
  static readonly layer = Layer.effect(
    SecondFactors,
    Effect.gen(function* () {
      const storage = yield* Storage
      const ids = yield* Ids
      const hasher = yield* Hasher
      const secrets = yield* Secrets
      const sessions = yield* Sessions
      const factsOf = yield* makeFactorFacts
      const audit = yield* makeAccountAudit
      const issuer = `Lectern (${new URL(yield* PublicUrl).hostname})`
      const factors = storage.repository(SecondFactorTable)
      const passkeys = storage.repository(PasskeyTable)
      const users = storage.repository(UserTable)

      /** Writes a patch of a row, and creates the row if it does not exist. */
      const save = Effect.fnUntraced(function* (row: SecondFactorRow, patch: Patch<Omit<SecondFactorRow, "user">>) {
        const { user } = row
        if ((yield* factors.get({ user })) === undefined) {
          yield* factors.insert(State.emptySecondFactor(user)).pipe(cannotConflict)
        }
        yield* factors.update({ user }, patch).pipe(cannotConflict)
      })

      const hashOf = (user: UserId, code: string) => hasher.sha256(`recovery code ${user} ${foldRecoveryCode(code)}`)

      const newRecoveryCodes = Effect.forEach(Array.from({ length: recoveryCodeCount }), () =>
        Effect.map(randomBytes(ids), recoveryCode)
      )

      /**
       * Returns the patch of an accepted code, or the refusal. Compares a code of the app with the secret, everything
       * else with the recovery codes.
       */
      const judge = Effect.fnUntraced(function* (row: SecondFactorRow, code: string, now: number) {
        const until = State.pauseEnd(row, now)
        if (until !== undefined) return paused(until)
        const hash = hashOf(row.user, code)
        if (isRecoveryCode(code) && row.recoveryCodes.includes(hash)) return State.acceptRecoveryCode(row, hash)
        const secret = yield* secrets.open(SecondFactorTable, row, "secret")
        const step = secret === undefined ? undefined : stepOf(secret, code, now)
        if (step === undefined) return wrongCode
        return State.isNewStep(row, step) ? State.acceptStep(row, step, now) : usedCode
      })

      /**
       * Checks a code in the transaction that counts it. A refusal is a result, since the count of a wrong code has to
       * be committed.
       */
      const checkCode = Effect.fnUntraced(function* (row: SecondFactorRow, code: string) {
        const now = yield* Clock.currentTimeMillis
        const verdict = yield* judge(row, code, now)
        if (!(verdict instanceof CodeRefused)) {
          yield* save(row, verdict)
          return Result.succeed(verdict)
        }
        if (verdict.reason === "wrong") yield* save(row, State.countFailure(row, now))
        return Result.fail(verdict)
      })

      const confirm = Effect.fnUntraced(function* (user: UserId, code: string) {
        const { row } = yield* factsOf(user)
        if (State.appStateOf(row) !== "setup") {
          return yield* new FactorMissing({ message: "No authenticator app is being set up. Start again" })
        }
        // Only a code of the new app confirms it, not a recovery code.
        const result = yield* checkCode({ ...row, recoveryCodes: [] }, code)
        if (Result.isFailure(result)) return Result.fail(result.failure)
        yield* audit("second_factor_enabled", user, { type: "app" })
        if (row.recoveryCodes.length > 0) return Result.succeed([])
        const codes = yield* newRecoveryCodes
        yield* save(row, { recoveryCodes: codes.map((code) => hashOf(user, code)) })
        return Result.succeed(codes.map((code) => Redacted.make(code)))
      })

      return SecondFactors.of({
        status: Effect.fn("SecondFactors.status")(function* (user) {
          return statusOf(yield* factsOf(user))
        }),

        setUpApp: Effect.fn("SecondFactors.setUpApp")(function* (user) {
          const secret = appSecret(yield* randomBytes(ids))
          const sealed = yield* secrets.seal(SecondFactorTable, { user }, "secret", secret)
          return yield* storage.transaction(
            Effect.gen(function* () {
              const { row } = yield* factsOf(user)
              const patch = State.startSetup(row, sealed)
              if (patch === undefined) {
                return yield* new AppInUse({
                  message: "You have an authenticator app. Remove it before you add another"
                })
              }
              yield* save(row, patch)
              const account = (yield* users.get({ id: user }))?.email ?? user
              return {
                secret: Redacted.make(groupedSecret(secret)),
                uri: Redacted.make(appUri(secret, issuer, account))
              }
            })
          )
        }),

        confirmApp: Effect.fn("SecondFactors.confirmApp")(function* (user, code) {
          return yield* Effect.fromResult(yield* storage.transaction(confirm(user, code)))
        }),

        removeApp: Effect.fn("SecondFactors.removeApp")(function* (user, session) {
          yield* storage.transaction(
            Effect.gen(function* () {
              const facts = yield* factsOf(user)
              const app = State.appStateOf(facts.row)
              if (app === "absent") return
              const remaining = { row: State.emptySecondFactor(user), passkeys: facts.passkeys }
              if (app === "confirmed") yield* requireRemaining(facts, remaining)
              yield* save(facts.row, hasFactor(remaining) ? State.removeApp : State.withoutFactors)
              if (app !== "confirmed") return
              yield* audit("second_factor_disabled", user, { type: "app" })
              yield* sessions.endAll(user, session)
            })
          )
        }),

        setWanted: Effect.fn("SecondFactors.setWanted")(function* (user, isWanted, session) {
          yield* storage.transaction(
            Effect.gen(function* () {
              const { row, passkeys } = yield* factsOf(user)
              if (isWanted && passkeys.length === 0) {
                return yield* new FactorMissing({ message: "Add a passkey first" })
              }
              if ((row.isWanted === true) === isWanted) return
              yield* save(row, { isWanted: isWanted || undefined })
              yield* audit(isWanted ? "second_factor_enabled" : "second_factor_disabled", user, { type: "passkey" })
              if (!isWanted) yield* sessions.endAll(user, session)
            })
          )
        }),

        createRecoveryCodes: Effect.fn("SecondFactors.createRecoveryCodes")(function* (user) {
          return yield* storage.transaction(
            Effect.gen(function* () {
              const facts = yield* factsOf(user)
              if (!hasFactor(facts)) {
                return yield* new FactorMissing({ message: "Add an authenticator app or a passkey first" })
              }
              const codes = yield* newRecoveryCodes
              yield* save(facts.row, { recoveryCodes: codes.map((code) => hashOf(user, code)) })
              yield* audit("recovery_codes_created", user)
              return codes.map((code) => Redacted.make(code))
            })
          )
        }),

        check: Effect.fn("SecondFactors.check")(function* (user, code) {
          const result = yield* storage.transaction(
            Effect.gen(function* () {
              const { row } = yield* factsOf(user)
              const { secret: _, ...withoutApp } = row
              // An app counts only after it was confirmed.
              const result = yield* checkCode(State.appStateOf(row) === "confirmed" ? row : withoutApp, code)
              if (Result.isSuccess(result) && result.success.recoveryCodes !== undefined) {
                yield* audit("recovery_code_used", user, { remaining: result.success.recoveryCodes.length })
              }
              return result
            })
          )
          yield* Effect.fromResult(result)
        }),

        reset: Effect.fn("SecondFactors.reset")(function* (user) {
          return yield* storage.transaction(
            Effect.gen(function* () {
              const removed = (yield* passkeys.remove({ user })) + (yield* factors.remove({ user }))
              if (removed === 0) return false
              yield* audit("second_factor_disabled", user, { type: "all" })
              yield* sessions.endAll(user)
              return true
            })
          )
        })
      })
    })
  )
}

const statusOf = (facts: FactorFacts): FactorStatus => ({
  app: State.appStateOf(facts.row),
  passkeys: facts.passkeys.length,
  recoveryCodes: facts.row.recoveryCodes.length,
  isWanted: facts.row.isWanted === true,
  isDue: isFactorDue(facts),
  isSetUp: hasFactor(facts),
  demandedBy: facts.demandedBy.map(({ title }) => title)
})

/** Returns 32 random bytes. */
const randomBytes = ({ secret }: Ids["Service"]) =>
  Effect.map(secret, (text) => Result.getOrThrow(Base64Url.decode(text)))
