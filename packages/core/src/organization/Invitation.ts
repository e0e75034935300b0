/**
 * An invitation waits for the consent of the invited person. The user with the invited email address accepts it and
 * becomes a member, or declines it. An invitation does not reveal whether an address has an account.
 *
 * Limits: 100 addresses per request; 1,000 pending invitations of an organization.
 */
import { Schema } from "effect"
import { Role } from "../access/Role.ts"
import { Timestamp } from "../schema/Text.ts"
import * as Table from "../storage/Table.ts"
import { Email, UserId } from "../user/User.ts"
import { OrganizationId } from "./Organization.ts"

export const maxPending = 1_000

/** Id of an invitation. */
export const InvitationId = Schema.String.pipe(Schema.brand("InvitationId"))
export type InvitationId = typeof InvitationId.Type

export const InvitationRow = Schema.Struct({
  id: InvitationId,
  organization: OrganizationId,
  email: Email,
  role: Schema.NullOr(Role),
  createdAt: Timestamp
})
export type InvitationRow = typeof InvitationRow.Type

export const InvitationTable = Table.make("invitation", InvitationRow, {
  key: ["id"],
  derived: { foldedEmail: (row: InvitationRow) => row.email.toLowerCase() },
  indexes: [["organization"], ["foldedEmail"]],
  unique: [["organization", "foldedEmail"]]
})

const Invited = Schema.Union([Email, Schema.Struct({ email: Email, role: Schema.NullOr(Role) })])

export const Invite = Schema.Struct({
  /** E-mail addresses, or addresses with a role. */
  emails: Schema.Array(Invited).check(Schema.isMinLength(1), Schema.isMaxLength(100)),
  /** Role for addresses without a role of their own. Default: the organization's default role. */
  role: Schema.optionalKey(Schema.NullOr(Role)),
  /** No effect. Accepted for compatible clients. */
  sso: Schema.optionalKey(Schema.Boolean)
})
export type Invite = typeof Invite.Type

/** An invitation as an API resource. */
export const Invitation = Schema.Struct({
  object: Schema.Literal("invite"),
  id: InvitationId,
  /** E-mail address of the recipient. */
  email: Schema.String,
  /** Null for a guest. */
  role: Schema.NullOr(Role),
  /** The organization. */
  organization: Schema.Struct({ id: OrganizationId, title: Schema.String }),
  createdAt: Timestamp,
  urls: Schema.Struct({
    location: Schema.String,
    /**
     * URL by which the recipient signs in and accepts. Only in the response that creates the invitation, if no mail is
     * sent and the address has no user. Pass it to the recipient only.
     */
    link: Schema.optionalKey(Schema.String)
  })
})
export interface Invitation extends Schema.Schema.Type<typeof Invitation> {}

export const InviteResult = Schema.Struct({
  /** Invited people who are members after the call. */
  users: Schema.Array(UserId),
  /** Number of invited people who were neither members nor invited before. */
  invited: Schema.Int,
  /** Pending invitations of people who are not members yet. */
  invites: Schema.Array(Invitation)
})
export interface InviteResult extends Schema.Schema.Type<typeof InviteResult> {}

/** Raised if no pending invitation with the id exists, or it belongs to another person. */
export class InvitationNotFound extends Schema.TaggedError<InvitationNotFound>()(
  "InvitationNotFound",
  { message: Schema.String },
  { httpApiStatus: 404 }
) {}

/** Raised if the organization has 1,000 pending invitations. */
export class TooManyInvitations extends Schema.TaggedError<TooManyInvitations>()(
  "TooManyInvitations",
  { message: Schema.String },
  { httpApiStatus: 409 }
) {}
