/**
 * A mail in the outbox. It is queued in the transaction of its cause, and sent by the engine for background work once
 * for each key of its kind. Its text is rendered when it is sent (see `MailKind`).
 *
 * Limits: a key of 200 characters; attempts for a day after it was queued; rows are removed after 30 days. The payload is
 * sealed, because it may contain the secret of a link, and removed once the mail was sent.
 */
import { Schema } from "effect"
import { leasedFields } from "../job/LeasedWork.ts"
import { InterfaceLanguage } from "../schema/InterfaceLanguage.ts"
import { sealed } from "../schema/Sealed.ts"
import { Timestamp } from "../schema/Text.ts"
import * as Table from "../storage/Table.ts"
import { Email, UserId } from "../user/User.ts"

/** Id of a mail. */
export const MailId = Schema.String.pipe(Schema.brand("MailId"))
export type MailId = typeof MailId.Type

/**
 * `waiting`: queued, or between attempts. `dropped`: not sent, because the kind rendered nothing for the recipient or
 * the recipient unsubscribed. `failed`: refused by the mail server, or out of attempts.
 */
export const MailStatus = Schema.Literals(["waiting", "sent", "dropped", "failed"])
export type MailStatus = typeof MailStatus.Type

export const MailRow = Schema.Struct({
  id: MailId,
  kind: Schema.String,
  /** Idempotency key. At most one mail of a kind has it. */
  key: Schema.String,
  /** Recipient. Absent if the mail is for an address. */
  user: Schema.optionalKey(UserId),
  /** Address of a recipient who may have no account. */
  email: Schema.optionalKey(Email),
  /** Language for an address without an account. Default: English. */
  language: Schema.optionalKey(InterfaceLanguage),
  payload: Schema.optionalKey(sealed<Schema.Json>()),
  /** True for mails that are sent before others, such as links for signing in. */
  urgent: Schema.Boolean,
  status: MailStatus,
  ...leasedFields,
  /** Address of the last attempt in lower case, for the limit of a recipient. */
  recipient: Schema.optionalKey(Schema.String),
  /** Time of the last attempt. */
  attemptedAt: Schema.optionalKey(Timestamp),
  /** Time from which a failed attempt is the last one. */
  expiresAt: Timestamp,
  createdAt: Timestamp,
  updatedAt: Timestamp
})
export type MailRow = typeof MailRow.Type

export const MailTable = Table.make("mail", MailRow, {
  key: ["id"],
  derived: { due: (row: MailRow) => (row.status === "waiting" ? row.lease.until : null) },
  indexes: [
    ["urgent", "due"],
    ["due"],
    ["status", "updatedAt"],
    ["recipient", "urgent", "attemptedAt"],
    ["attemptedAt"],
    ["updatedAt"]
  ],
  unique: [["kind", "key"]],
  sealed: ["payload"]
})
