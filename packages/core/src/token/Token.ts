/**
 * API tokens. A token is shown once, when it is made; what is kept is its SHA-256. It acts as its
 * user in that user's organizations until it expires or is revoked. The token of a session acts in
 * one organization alone, and only as long as what it was begun with holds (see `sso/SignOn`).
 *
 * A token made here is `lectern_` and 43 characters of base64url. A token that an operator chose
 * has at least 32 characters.
 */
import { Schema } from "effect"
import { OrganizationId } from "../organization/Organization.ts"
import { SamlProviderId } from "../sso/SamlProvider.ts"
import * as Table from "../storage/Table.ts"
import { Timestamp } from "../schema/Text.ts"
import * as Text from "../schema/Text.ts"
import { UserId } from "../user/User.ts"

/** Provider and organization that a session was begun with. */
const TokenSession = Schema.Struct({
  organization: OrganizationId,
  provider: SamlProviderId,
  /** The provider's `trust` at that time. */
  trust: Schema.String
})
export type TokenSession = typeof TokenSession.Type

export const TokenRow = Schema.Struct({
  hash: Schema.String,
  id: Schema.String,
  user: UserId,
  createdAt: Timestamp,
  expiresAt: Schema.optionalKey(Timestamp),
  revokedAt: Schema.optionalKey(Timestamp),
  session: Schema.optionalKey(TokenSession)
})
export type TokenRow = typeof TokenRow.Type

export const TokenTable = Table.make("token", TokenRow, {
  key: ["hash"],
  derived: { sessionEndsAt: ({ session, expiresAt }: TokenRow) => (session && expiresAt) ?? null },
  unique: [["id"]],
  indexes: [["user", "createdAt"], ["sessionEndsAt"]]
})

/** A token as it may be listed: without anything that opens a door. */
export const Token = Schema.Struct({
  object: Schema.Literal("token"),
  id: Schema.String,
  user: UserId,
  createdAt: Timestamp,
  expiresAt: Schema.optionalKey(Timestamp),
  revokedAt: Schema.optionalKey(Timestamp),
  /** Of a session: where it acts. */
  organization: Schema.optionalKey(OrganizationId)
})
export type Token = typeof Token.Type

export const ChosenToken = Text.chosenSecret

/** Missing, unknown, expired or revoked: which of these is not told. */
export class Unauthorized extends Schema.TaggedError<Unauthorized>()(
  "Unauthorized",
  { message: Schema.String },
  { httpApiStatus: 401 }
) {}

export class TokenNotFound extends Schema.TaggedError<TokenNotFound>()(
  "TokenNotFound",
  { message: Schema.String },
  { httpApiStatus: 404 }
) {}
