/**
 * Links that sign in once. A link is for a user, for one of three purposes, or for the address of an invitation. Only the
 * SHA-256 of its secret is stored.
 *
 * - `sign-in`: starts a session
 * - `password`: lets the user choose a new password
 * - `invitation`: signs in the invited address, which may get its user then, and accepts the invitation
 */
import { Schema } from "effect"
import { InvitationId } from "../organization/Invitation.ts"
import { Timestamp } from "../schema/Text.ts"
import * as Table from "../storage/Table.ts"
import { UserId } from "../user/User.ts"

export const SignInLinkPurpose = Schema.Literals(["sign-in", "password", "invitation"])
export type SignInLinkPurpose = typeof SignInLinkPurpose.Type

export const SignInLinkRow = Schema.Struct({
  /** SHA-256 of the secret. */
  hash: Schema.String,
  purpose: SignInLinkPurpose,
  /** Absent for an invitation. */
  user: Schema.optionalKey(UserId),
  invitation: Schema.optionalKey(InvitationId),
  /** True if the link was only sent to the address, so that its use proves the address. */
  isMailed: Schema.optionalKey(Schema.Boolean),
  createdAt: Timestamp,
  until: Timestamp
})
export type SignInLinkRow = typeof SignInLinkRow.Type

export const SignInLinkTable = Table.make("signInLink", SignInLinkRow, {
  key: ["hash"],
  indexes: [["until"], ["user", "createdAt"], ["invitation"]]
})
