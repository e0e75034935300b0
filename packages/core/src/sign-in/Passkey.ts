/**
 * Passkeys of users, and the uses of their challenges. The services are in `@lectern/sign-in`.
 *
 * A row contains the public key only: the private key never leaves the device, so the row is no secret. Limits: 20
 * passkeys of a user, a name of 1 to 100 characters in one line, a credential id of 1,023 bytes.
 */
import { Schema } from "effect"
import { Timestamp } from "../schema/Text.ts"
import * as Text from "../schema/Text.ts"
import * as Table from "../storage/Table.ts"
import { UserId } from "../user/User.ts"

/** Maximum number of passkeys of a user. */
export const maxPasskeys = 20

/** Id of a passkey of a user. */
export const PasskeyId = Schema.String.pipe(Schema.brand("PasskeyId"))
export type PasskeyId = typeof PasskeyId.Type

export const PasskeyName = Text.line(1, 100)

export const PasskeyRow = Schema.Struct({
  id: PasskeyId,
  user: UserId,
  name: PasskeyName,
  /** Id that the authenticator chose, in base64url. Unique on the instance. */
  credential: Schema.String,
  /** Public key as COSE, in base64url. */
  publicKey: Schema.String,
  /** Number of uses that the authenticator reported last. Always 0 for authenticators that don't count. */
  counter: Schema.Number,
  /** Connections between browsers and the authenticator, such as `internal`, `usb` or `hybrid`. */
  transports: Schema.Array(Schema.String),
  /** True if the passkey is copied to other devices of the user. */
  isSynced: Schema.Boolean,
  createdAt: Timestamp,
  lastUsedAt: Schema.optionalKey(Timestamp)
})
export type PasskeyRow = typeof PasskeyRow.Type

export const PasskeyTable = Table.make("passkey", PasskeyRow, {
  key: ["id"],
  indexes: [["user", "createdAt"]],
  unique: [["credential"]]
})

/**
 * A challenge that was answered, so that no challenge counts twice. Removed after `until`, when the challenge has
 * expired.
 */
const PasskeyChallengeUse = Schema.Struct({
  /** SHA-256 of the challenge. */
  hash: Schema.String,
  until: Timestamp
})

export const PasskeyChallengeUseTable = Table.make("passkeyChallengeUse", PasskeyChallengeUse, {
  key: ["hash"],
  indexes: [["until"]]
})
