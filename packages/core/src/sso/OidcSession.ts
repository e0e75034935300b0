/**
 * Sessions by OpenID Connect, for log-out: which token a session of the identity provider started, and the ID token that
 * a log-out at the identity provider refers to. Removed within an hour after their end (see `SignOnRetention`).
 *
 * Limit: an ID token of more than 8,192 characters is not stored.
 */
import { Schema } from "effect"
import { sealed } from "../schema/Sealed.ts"
import { Timestamp } from "../schema/Text.ts"
import * as Table from "../storage/Table.ts"
import { SignOnProviderId } from "./SignOnProvider.ts"

export const maxIdToken = 8_192

const OidcSessionRow = Schema.Struct({
  id: Schema.String,
  provider: SignOnProviderId,
  /** Id of the token of the session. Absent until the user has shown a second factor that is due. */
  token: Schema.optionalKey(Schema.String),
  /** `trust` of the provider, as long as `token` is absent. */
  trust: Schema.optionalKey(Schema.String),
  /** SHA-256 of the subject. */
  subject: Schema.String,
  /** SHA-256 of the session id of the identity provider. */
  session: Schema.optionalKey(Schema.String),
  idToken: Schema.optionalKey(sealed<string>()),
  until: Timestamp
})
export type OidcSessionRow = typeof OidcSessionRow.Type

export const OidcSessionTable = Table.make("oidcSession", OidcSessionRow, {
  key: ["id"],
  indexes: [["token"], ["provider", "subject"], ["provider", "session"], ["until"]],
  sealed: ["idToken"]
})
