/**
 * Second factor of a user: the secret of an authenticator app, recovery codes, and failed attempts. One row for each
 * user with a choice about second factors. Passkeys have rows of their own (see `Passkey`). The services are in
 * `@lectern/sign-in`.
 *
 * The secret is sealed (see `Secrets`). Recovery codes are stored as SHA-256; each has 80 random bits.
 */
import { Schema } from "effect"
import { Timestamp } from "../schema/Text.ts"
import { sealed } from "../schema/Sealed.ts"
import * as Table from "../storage/Table.ts"
import { UserId } from "../user/User.ts"

export const SecondFactorRow = Schema.Struct({
  user: UserId,
  /** Secret that the app computes its codes from, in base32. Present from the setup of the app on. */
  secret: Schema.optionalKey(sealed<string>()),
  /** Time at which a code of the app was entered for the first time. The app counts from then on. */
  confirmedAt: Schema.optionalKey(Timestamp),
  /** Number of the 30 seconds since 1970 of the last accepted code. A code of this step or an earlier one is refused. */
  lastStep: Schema.optionalKey(Schema.Number),
  /** True if the user wants a passkey to be required as second factor. Default: false. */
  isWanted: Schema.optionalKey(Schema.Boolean),
  /** SHA-256 of each unused recovery code. */
  recoveryCodes: Schema.Array(Schema.String),
  /** Number of wrong codes since the last right one. */
  failures: Schema.Number,
  /** Time until which no code is checked. */
  pausedUntil: Schema.optionalKey(Timestamp)
})
export type SecondFactorRow = typeof SecondFactorRow.Type

export const SecondFactorTable = Table.make("secondFactor", SecondFactorRow, { key: ["user"], sealed: ["secret"] })
