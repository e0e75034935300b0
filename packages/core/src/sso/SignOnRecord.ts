/**
 * Records of signing on: used assertions and requests, so that neither is taken twice, and the ticket that a
 * browser takes from the identity provider's answer to its session. All of it is gone within the hour after it
 * has ended (see `SignOnRetention`).
 */
import { Schema } from "effect"
import { Timestamp } from "../schema/Text.ts"
import * as Table from "../storage/Table.ts"
import { SamlProviderId } from "./SamlProvider.ts"

/** An assertion or a request that was used, by what it is and its hash. */
const SignOnUse = Schema.Struct({ provider: SamlProviderId, used: Schema.String, until: Timestamp })

export const SignOnUseTable = Table.make("signOnUse", SignOnUse, { key: ["provider", "used"], indexes: [["until"]] })

/** Whom an identity provider has named, until the browser that asked for it comes back. */
export const SignOnTicket = Schema.Struct({
  /** SHA-256 of the code that stands for it. */
  hash: Schema.String,
  provider: SamlProviderId,
  /** The provider's `trust` when the ticket was made. */
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
 * Nobody signs on by this, and why.
 *
 * - `malformed`: it is no response of SAML 2.0, or not one that can be read safely
 * - `status`: the identity provider itself says that it did not work
 * - `signature`: it is not signed as it must be
 * - `algorithm`: it is signed by means that are too weak
 * - `assertion`: there is none, more than one, or an encrypted one
 * - `issuer`, `audience`, `recipient`: it comes from, or is for, someone else
 * - `time`: it is too early or too late
 * - `request`: nobody has asked for it, or too long ago
 * - `used`: it was used before
 * - `person`: it names nobody that can sign on
 * - `browser`: another browser has asked for it
 * - `ended`: the provider was changed meanwhile, or it took too long
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
      "browser",
      "ended"
    ]),
    message: Schema.String
  },
  { httpApiStatus: 403 }
) {}

/** The provider lacks what it takes to sign on with it. */
export class SamlProviderPending extends Schema.TaggedError<SamlProviderPending>()(
  "SamlProviderPending",
  { message: Schema.String },
  { httpApiStatus: 409 }
) {}
