/**
 * API tokens. A token is shown once, on creation; only its SHA-256 is stored. It acts as its user in the user's
 * organizations until it expires or is revoked. The token of a session belongs to a browser that signed in (see
 * `Session`). If a provider signed the user in, the session is valid only while the sign-on that created it is (see
 * `sso/SignOn`). A session by a provider of an organization acts in that organization only.
 *
 * Scopes restrict a token (see `TokenScope`). A token that was created with another token has at most its scopes and
 * lifetime, and is revoked with it.
 *
 * A generated token is `lectern_` and 43 characters of base64url. A token chosen by an operator has at least 32
 * characters. Limits: a name of 1 to 100 characters.
 */
import { Schema } from "effect"
import { OrganizationId } from "../organization/Organization.ts"
import * as Table from "../storage/Table.ts"
import { Timestamp } from "../schema/Text.ts"
import { InputTime } from "../schema/InputTime.ts"
import * as Text from "../schema/Text.ts"
import { UserId } from "../user/User.ts"
import { TokenScope, TokenScopes } from "./TokenScope.ts"

/** Method of a sign-in. */
export const SignInMethod = Schema.Literals(["password", "link", "passkey", "oidc", "saml"])
export type SignInMethod = typeof SignInMethod.Type

/** Sign-in that a session started with. */
const TokenSession = Schema.Struct({
  method: SignInMethod,
  /** Browser and system, such as `Firefox on Linux` (see `Device`). */
  device: Schema.optionalKey(Schema.String),
  /** IP address of the client. */
  address: Schema.optionalKey(Schema.String),
  /** True if the user also showed a second factor. */
  factor: Schema.optionalKey(Schema.Literal(true)),
  /**
   * Organization and provider of the sign-on, with the provider's `trust` at that time. Absent for other methods. A
   * provider of the server has no organization.
   */
  signOn: Schema.optionalKey(
    Schema.Struct({
      organization: Schema.optionalKey(OrganizationId),
      provider: Schema.String,
      trust: Schema.String
    })
  )
})
export type TokenSession = typeof TokenSession.Type

export const TokenRow = Schema.Struct({
  hash: Schema.String,
  id: Schema.String,
  user: UserId,
  createdAt: Timestamp,
  expiresAt: Schema.optionalKey(Timestamp),
  revokedAt: Schema.optionalKey(Timestamp),
  /** Hour of the last use, updated occasionally (see `LastSeen`). */
  lastUsedAt: Schema.optionalKey(Timestamp),
  session: Schema.optionalKey(TokenSession),
  name: Schema.optionalKey(Schema.String),
  scopes: Schema.optionalKey(Schema.Array(TokenScope)),
  /** Ids of the token that created this one, of the token that created that one, and so on. */
  madeWith: Schema.optionalKey(Schema.Array(Schema.String))
})
export type TokenRow = typeof TokenRow.Type

/** True for the token of a session, false for a token that a user created. */
export const isSession = ({ session, madeWith }: TokenRow): boolean => session !== undefined && madeWith === undefined

export const TokenTable = Table.make("token", TokenRow, {
  key: ["hash"],
  derived: {
    organization: ({ session }: TokenRow) => session?.signOn?.organization ?? null,
    /** True for the token of a session, and false for a token that was created in a session. */
    isSession: (row: TokenRow) => isSession(row),
    sessionEndsAt: ({ session, expiresAt }: TokenRow) => (session && expiresAt) ?? null,
    endsAt: ({ revokedAt, expiresAt }: TokenRow) => revokedAt ?? expiresAt ?? null
  },
  lists: { madeWith: ({ madeWith }: TokenRow) => madeWith ?? [] },
  unique: [["id"]],
  indexes: [
    ["user", "createdAt"],
    ["user", "isSession", "createdAt"],
    ["user", "organization", "isSession", "createdAt"],
    ["sessionEndsAt"],
    ["endsAt"]
  ]
})

/** Token in lists, without its secret. */
export const Token = Schema.Struct({
  object: Schema.Literal("token"),
  id: Schema.String,
  /** Id of the user. */
  user: UserId,
  /** Label of the token in lists. */
  name: Schema.optionalKey(Schema.String),
  /** Absent if the token is not restricted. */
  scopes: Schema.optionalKey(Schema.Array(TokenScope)),
  createdAt: Timestamp,
  /** Time at which the token expires. Absent for an unlimited token. */
  expiresAt: Schema.optionalKey(Timestamp),
  /** Time at which the token was revoked. */
  revokedAt: Schema.optionalKey(Timestamp),
  /** Hour of the last use. */
  lastUsedAt: Schema.optionalKey(Timestamp),
  /** Organization of a session. */
  organization: Schema.optionalKey(OrganizationId),
  /** Id of the token that created this one. */
  madeWith: Schema.optionalKey(Schema.String)
})
export interface Token extends Schema.Schema.Type<typeof Token> {}

export const TokenName = Text.line(1, 100)

export const TokenCreate = Schema.Struct({
  /** Label of the token in lists, 1 to 100 characters in one line. */
  name: Schema.optionalKey(TokenName),
  /** Default: the scopes of the token that creates it. */
  scopes: Schema.optionalKey(TokenScopes),
  /** Future time within 100 years. Default: the expiry of the token that creates it. */
  expiresAt: Schema.optionalKey(InputTime)
})
export type TokenCreate = typeof TokenCreate.Type

/** Token with its secret, which is returned only once. */
export const CreatedToken = Schema.Struct({
  ...Token.fields,
  /** The secret. */
  token: Schema.String
})
export interface CreatedToken extends Schema.Schema.Type<typeof CreatedToken> {}

export const ChosenToken = Text.chosenSecret

/** Raised if the token is missing, unknown, expired or revoked. The response does not distinguish these cases. */
export class Unauthorized extends Schema.TaggedError<Unauthorized>()(
  "Unauthorized",
  { message: Schema.String },
  { httpApiStatus: 401 }
) {}

/** Raised if the token does not exist or belongs to another user. */
export class TokenNotFound extends Schema.TaggedError<TokenNotFound>()(
  "TokenNotFound",
  { message: Schema.String },
  { httpApiStatus: 404 }
) {}

/** Raised if a user has the maximum number of tokens. */
export class TooManyTokens extends Schema.TaggedError<TooManyTokens>()(
  "TooManyTokens",
  { message: Schema.String },
  { httpApiStatus: 409 }
) {}
