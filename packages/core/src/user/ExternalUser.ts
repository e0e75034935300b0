/**
 * A user of the host application: the id that the host knows a person by, and the user that stands for
 * the person here.
 *
 * Limits: an external id has 1 to 255 characters, none of them a control character; a user stands
 * for one of them at most.
 */
import { Schema } from "effect"
import { between, inOneLine, Timestamp } from "../schema/Text.ts"
import * as Table from "../storage/Table.ts"
import { Email, maxDisplayName, UserId } from "./User.ts"

export const ExternalId = between(1, 255).check(
  Schema.isPattern(/^\P{Cc}+$/u, { message: "Expected text without control characters" })
)

const ExternalUserRow = Schema.Struct({
  externalId: Schema.String,
  user: UserId,
  createdAt: Timestamp
})

export const ExternalUserTable = Table.make("externalUser", ExternalUserRow, {
  key: ["externalId"],
  unique: [["user"]]
})

/** Profile of a user of the host. */
export const ExternalProfile = Schema.Struct({
  /** An e-mail address that the host has verified: invitations and sign-on find people by it. */
  email: Email,
  /**
   * 1 to 100 characters, which are kept as one line. Default: what stands before the @ of the address, and later the
   * name that is there.
   */
  displayName: Schema.optionalKey(between(1, maxDisplayName)),
  /** Makes an existing user with this address the host's. Default: false, that is an `EmailTaken`. */
  adopt: Schema.optionalKey(Schema.Boolean)
})
export type ExternalProfile = typeof ExternalProfile.Type

/** The profile with its name in one line; one that says nothing is none. */
export const withLine = ({ displayName = "", ...profile }: ExternalProfile): ExternalProfile => {
  const name = inOneLine(displayName)
  return name === "" ? profile : { ...profile, displayName: name }
}
