/**
 * Records of sign-ins: used assertions and requests, so that neither is accepted twice, and the tickets between the
 * response of the identity provider and the session. Removed within an hour after their end (see `SignOnRetention`).
 */
import { Schema } from "effect"
import { Timestamp } from "../schema/Text.ts"
import * as Table from "../storage/Table.ts"
import { SignOnProviderId } from "./SignOnProvider.ts"

/** A used assertion or request: its kind and hash. */
const SignOnUse = Schema.Struct({ provider: SignOnProviderId, used: Schema.String, until: Timestamp })

export const SignOnUseTable = Table.make("signOnUse", SignOnUse, { key: ["provider", "used"], indexes: [["until"]] })

/** Person named by an identity provider, until the browser returns. */
export const SignOnTicket = Schema.Struct({
  /** SHA-256 of the code with which the browser continues. */
  hash: Schema.String,
  provider: SignOnProviderId,
  /** `trust` of the provider at the creation of the ticket. */
  trust: Schema.String,
  request: Schema.String,
  email: Schema.String,
  name: Schema.optionalKey(Schema.String),
  sessionEndsAt: Schema.optionalKey(Timestamp),
  until: Timestamp
})
export type SignOnTicket = typeof SignOnTicket.Type

export const SignOnTicketTable = Table.make("signOnTicket", SignOnTicket, { key: ["hash"], indexes: [["until"]] })

/**
 * Raised if a sign-in is refused. "Assertion" stands for the ID token of OpenID Connect too.
 *
 * - `malformed`: the response is not SAML 2.0 or OpenID Connect, or unsafe to parse
 * - `status`: the identity provider reports a failure
 * - `signature`: the signature is missing or invalid
 * - `algorithm`: the signature algorithm is too weak
 * - `assertion`: there is no assertion, more than one, or an encrypted one
 * - `issuer`, `audience`, `recipient`: the assertion is from or for another party
 * - `time`: the assertion is not valid yet or has expired
 * - `request`: the request is unknown or too old
 * - `used`: the assertion or request was used before
 * - `person`: the assertion names no person who can sign in
 * - `groups`: the identity provider does not list the groups of the person
 * - `browser`: another browser made the request
 * - `ended`: the provider was changed in the meantime, or the ticket expired
 */
export class SignOnRefused extends Schema.TaggedError<SignOnRefused>()(
  "SignOnRefused",
  {
    reason: Schema.Literals([
      "malformed",
      "status",
      "signature",
      "algorithm",
      "assertion",
      "issuer",
      "audience",
      "recipient",
      "time",
      "request",
      "used",
      "person",
      "groups",
      "browser",
      "ended"
    ]),
    message: Schema.String
  },
  { httpApiStatus: 403 }
) {}
