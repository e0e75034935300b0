/**
 * A person. A user can be a member of several organizations. The e-mail address is unique without regard to case.
 *
 * Limits: display name 1 to 100 characters in one line, e-mail 254.
 */
import { Schema } from "effect"
import { InterfaceLanguage } from "../schema/InterfaceLanguage.ts"
import * as Table from "../storage/Table.ts"
import { Timestamp } from "../schema/Text.ts"
import * as Text from "../schema/Text.ts"

/** Id of a user. */
export const UserId = Schema.String.pipe(Schema.brand("UserId"))
export type UserId = typeof UserId.Type

/** Represents the host application where a user is expected. */
export const hostUser = UserId.make("host")

export const Email = Text.between(3, 254).check(
  Schema.isPattern(new RegExp(`^[^\\s@${Text.controls}]+@[^\\s@${Text.controls}]+$`, "u"), {
    message: "Expected an e-mail address"
  })
)

export const maxDisplayName = 100

export const UserRow = Schema.Struct({
  id: UserId,
  displayName: Text.line(1, maxDisplayName),
  email: Email,
  photoURL: Schema.optionalKey(Text.HttpUrl),
  /** Language of mails and pages for this user. Absent: that of the browser, or English. */
  language: Schema.optionalKey(InterfaceLanguage),
  createdAt: Timestamp,
  /** Hour of the last request, updated occasionally (see `LastSeen`). */
  lastSeenAt: Schema.optionalKey(Timestamp)
})
export type UserRow = typeof UserRow.Type

export const UserTable = Table.make("user", UserRow, {
  key: ["id"],
  derived: { foldedEmail: (row: UserRow) => row.email.toLowerCase() },
  unique: [["foldedEmail"]]
})

export const UserCreate = Schema.Struct({
  /** E-mail address. Unique on the instance, without regard to case. */
  email: Email,
  /** Name. Default: the part of the address before the @. */
  displayName: Schema.optionalKey(UserRow.fields.displayName)
})
export type UserCreate = typeof UserCreate.Type

/** Null removes the picture or the language. Absent fields stay unchanged. */
export const UserPatch = Schema.Struct({
  /** Name. */
  displayName: Schema.optionalKey(UserRow.fields.displayName),
  /** URL of a picture. `null` removes it. */
  photoURL: Schema.optionalKey(Schema.NullOr(Text.HttpUrl)),
  /** Language of mails and of pages for signing in. `null` removes it. */
  language: Schema.optionalKey(Schema.NullOr(InterfaceLanguage))
})
export type UserPatch = typeof UserPatch.Type

/** User resource. */
export const User = Schema.Struct({
  object: Schema.Literal("user"),
  id: UserId,
  /** Name. */
  displayName: Schema.String,
  /** E-mail address. Absent for a deleted user. */
  email: Schema.optionalKey(Schema.String),
  /** URL of the picture. */
  photoURL: Schema.optionalKey(Schema.String),
  /** Language of mails and of pages for signing in. Only for the user itself, if it chose one. */
  language: Schema.optionalKey(InterfaceLanguage),
  urls: Schema.Struct({ location: Schema.String })
})
export interface User extends Schema.Schema.Type<typeof User> {}

/** Raised if the user does not exist or shares no organization with the actor. */
export class UserNotFound extends Schema.TaggedError<UserNotFound>()(
  "UserNotFound",
  { message: Schema.String },
  { httpApiStatus: 404 }
) {}

export class EmailInUse extends Schema.TaggedError<EmailInUse>()(
  "EmailInUse",
  { message: Schema.String },
  { httpApiStatus: 409 }
) {}
