/**
 * An invite link admits any user who has its secret, with the role that the link names, until it expires or is removed.
 * It works only while its creator administers the organization, and while the organization allows invite links.
 *
 * The id in the response to the creation contains the secret, which is never returned again. The store holds only a
 * signature of the secret. Later responses contain the part of the id before the secret, by which administrators refer
 * to the link.
 *
 * Limits: 100 links of an organization. A link lasts 7 days by default, and a year at most.
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
  /** Signature of the secret, to verify it. */
  mark: Schema.String,
  /** User who created the link. Absent if the host application created it. */
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
  /** Null for a guest. */
  role: Schema.NullOr(Role),
  /** ISO 8601. Default: in 7 days. */
  expiresAt: Schema.optionalKey(InputTime)
})
export type InviteLinkCreate = typeof InviteLinkCreate.Type

export const InviteLinkPatch = Schema.Struct({
  /** Role of people who join in the future. `null` for guests. */
  role: Schema.NullOr(Role)
})
export type InviteLinkPatch = typeof InviteLinkPatch.Type

/** An invite link as an API resource. */
export const InviteLink = Schema.Struct({
  object: Schema.Literal("invite"),
  /** Contains the secret only in the response to the creation. */
  id: Schema.String,
  /** Role of people who join. `null` for guests. */
  role: Schema.NullOr(Role),
  /** True if the current actor is already a member with at least the role of the link. */
  redundant: Schema.Boolean,
  createdAt: Timestamp,
  /** Time at which the link expires. */
  expiresAt: Timestamp,
  urls: Schema.Struct({ location: Schema.String })
})
export interface InviteLink extends Schema.Schema.Type<typeof InviteLink> {}

/** Raised if the link does not exist, has expired, or the secret is wrong. */
export class InviteLinkNotFound extends Schema.TaggedError<InviteLinkNotFound>()(
  "InviteLinkNotFound",
  { message: Schema.String },
  { httpApiStatus: 404 }
) {}

/** Raised if the organization has the maximum number of links, or allows none. */
export class InviteLinksRefused extends Schema.TaggedError<InviteLinksRefused>()(
  "InviteLinksRefused",
  { message: Schema.String },
  { httpApiStatus: 409 }
) {}
