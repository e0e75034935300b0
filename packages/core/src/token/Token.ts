/**
 * API tokens. A token is shown once, when it is made; what is kept is its SHA-256. It acts as its
 * user in that user's organizations until it expires or is revoked. The token of a session acts in
 * one organization alone, and only as long as what it was begun with holds (see `sso/SignOn`).
 *
 * A token with scopes may be used for what they allow (see `TokenScope`). One that was made with another is
 * never wider, never lives longer, and is revoked with it.
 *
 * A token made here is `lectern_` and 43 characters of base64url. A token that an operator chose
 * has at least 32 characters. Limits: a name of 1 to 100 characters.
 */
import { Schema } from "effect"
import { OrganizationId } from "../organization/Organization.ts"
import { SamlProviderId } from "../sso/SamlProvider.ts"
import * as Table from "../storage/Table.ts"
import { Timestamp } from "../schema/Text.ts"
import { GivenTime } from "../schema/GivenTime.ts"
import * as Text from "../schema/Text.ts"
import { UserId } from "../user/User.ts"
import { TokenScope, TokenScopes } from "./TokenScope.ts"

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
  /** The hour of its last use, written now and then (see `LastSeen`). */
  lastUsedAt: Schema.optionalKey(Timestamp),
  session: Schema.optionalKey(TokenSession),
  name: Schema.optionalKey(Schema.String),
  scopes: Schema.optionalKey(Schema.Array(TokenScope)),
  /** The ids of the token that it was made with, of the one that this was made with, and so on. */
  madeWith: Schema.optionalKey(Schema.Array(Schema.String))
})
export type TokenRow = typeof TokenRow.Type

export const TokenTable = Table.make("token", TokenRow, {
  key: ["hash"],
  derived: {
    organization: ({ session }: TokenRow) => session?.organization ?? null,
    sessionEndsAt: ({ session, expiresAt }: TokenRow) => (session && expiresAt) ?? null,
    endsAt: ({ revokedAt, expiresAt }: TokenRow) => revokedAt ?? expiresAt ?? null
  },
  lists: { madeWith: ({ madeWith }: TokenRow) => madeWith ?? [] },
  unique: [["id"]],
  indexes: [["user", "createdAt"], ["user", "organization", "createdAt"], ["sessionEndsAt"], ["endsAt"]]
})

/** A token as it may be listed: without anything that opens a door. */
export const Token = Schema.Struct({
  object: Schema.Literal("token"),
  id: Schema.String,
  user: UserId,
  name: Schema.optionalKey(Schema.String),
  /** Left out where it may be used for everything that its user may do. */
  scopes: Schema.optionalKey(Schema.Array(TokenScope)),
  createdAt: Timestamp,
  expiresAt: Schema.optionalKey(Timestamp),
  revokedAt: Schema.optionalKey(Timestamp),
  /** The hour of its last use. */
  lastUsedAt: Schema.optionalKey(Timestamp),
  /** Of a session: where it acts. */
  organization: Schema.optionalKey(OrganizationId),
  /** The id of the token that it was made with. */
  madeWith: Schema.optionalKey(Schema.String)
})
export type Token = typeof Token.Type

export const TokenName = Text.line(1, 100)

export const TokenCreate = Schema.Struct({
  /** 1 to 100 characters in one line, for whoever looks at the list. */
  name: Schema.optionalKey(TokenName),
  /** Default: as wide as the token that it is made with. */
  scopes: Schema.optionalKey(TokenScopes),
  /** A time to come, within 100 years. Default: as long as the token that it is made with. */
  expiresAt: Schema.optionalKey(GivenTime)
})
export type TokenCreate = typeof TokenCreate.Type

/** A token as it is shown once, when it is made. */
export const MadeToken = Schema.Struct({ ...Token.fields, token: Schema.String })
export type MadeToken = typeof MadeToken.Type

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

/** A user has as many tokens as one may have. */
export class TooManyTokens extends Schema.TaggedError<TooManyTokens>()(
  "TooManyTokens",
  { message: Schema.String },
  { httpApiStatus: 409 }
) {}
