/**
 * An invite link takes in whoever has it: its secret opens the organization to one user after another, with
 * the role that it names, until it expires or is taken back. It works as long as who made it administers the
 * organization, and the organization allows invite links.
 *
 * The id that is answered when a link is made has the secret in it, and is told that once. What is kept of
 * the secret is a mark that tells nothing of it. All later answers tell the part before the secret, by which
 * administrators name the link.
 *
 * Limits: 100 links of an organization; a link lasts 7 days where nothing is said, a year at most.
 */
import { Schema } from "effect"
import { Role } from "../access/Role.ts"
import { InputTime } from "../schema/InputTime.ts"
import { Timestamp } from "../schema/Text.ts"
import * as Table from "../storage/Table.ts"
import { UserId } from "../user/User.ts"
import { OrganizationId } from "./Organization.ts"

const day = 24 * 60 * 60 * 1000

export const maxInviteLinks = 100
export const defaultLife = 7 * day
export const maxLife = 365 * day

export const InviteLinkRow = Schema.Struct({
  id: Schema.String,
  organization: OrganizationId,
  role: Schema.NullOr(Role),
  /** Tells whether a secret is that of the link. */
  mark: Schema.String,
  /** Absent where the host application made it. */
  maker: Schema.optionalKey(UserId),
  createdAt: Timestamp,
  expiresAt: Timestamp
})
export type InviteLinkRow = typeof InviteLinkRow.Type

export const InviteLinkTable = Table.make("inviteLink", InviteLinkRow, {
  key: ["id"],
  indexes: [["organization", "expiresAt"]]
})

export const InviteLinkCreate = Schema.Struct({
  /** Null: as a guest. */
  role: Schema.NullOr(Role),
  /** In ISO 8601. Default: in 7 days. */
  expiresAt: Schema.optionalKey(InputTime)
})
export type InviteLinkCreate = typeof InviteLinkCreate.Type

export const InviteLinkPatch = Schema.Struct({ role: Schema.NullOr(Role) })
export type InviteLinkPatch = typeof InviteLinkPatch.Type

/** The resource. */
export const InviteLink = Schema.Struct({
  object: Schema.Literal("invite"),
  /** With the secret in it where the link was just made. */
  id: Schema.String,
  role: Schema.NullOr(Role),
  /** True where it would bring whoever asks nothing. */
  redundant: Schema.Boolean,
  createdAt: Timestamp,
  expiresAt: Timestamp,
  urls: Schema.Struct({ location: Schema.String })
})
export type InviteLink = typeof InviteLink.Type

export class InviteLinkNotFound extends Schema.TaggedError<InviteLinkNotFound>()(
  "InviteLinkNotFound",
  { message: Schema.String },
  { httpApiStatus: 404 }
) {}

/** The organization has as many as it may, or allows none. */
export class InviteLinksRefused extends Schema.TaggedError<InviteLinksRefused>()(
  "InviteLinksRefused",
  { message: Schema.String },
  { httpApiStatus: 409 }
) {}
