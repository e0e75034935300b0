/**
 * Port for OpenID Connect: sends browsers to an identity provider, exchanges the codes that they bring back, and verifies
 * the tokens of the identity provider. `OidcClaimRules` checks whether verified claims are acceptable.
 *
 * Signatures and requests need an adapter, which `@lectern/services-node` contains. The default adapter fails with
 * `OidcUnavailable`.
 */
import { Context, Effect, Layer, type Redacted, Schema } from "effect"
import type { SignOnRefused } from "./SignOnRecord.ts"

/** Lectern as a client of one identity provider. */
export interface OidcClient {
  readonly issuer: string
  readonly clientID: string
  /** Absent for a public client. */
  readonly clientSecret?: Redacted.Redacted
  readonly redirectURL: string
  /** True if the operator chose the issuer, so that its host may be a private one. */
  readonly isTrusted: boolean
}

/** Content of a verified token: unparsed JSON values by name. */
export type Claims = { readonly [name: string]: unknown }

/** Tokens of a person, whose signatures and issuers are verified. */
export interface VerifiedPerson {
  readonly claims: Claims
  /** Response of the user info endpoint for the same subject. Absent if it was not needed or does not exist. */
  readonly userInfo?: Claims
  readonly idToken: string
}

/** Raised if the host has not installed an adapter for OpenID Connect. */
export class OidcUnavailable extends Schema.TaggedError<OidcUnavailable>()(
  "OidcUnavailable",
  { message: Schema.String },
  { httpApiStatus: 503 }
) {}

/** Raised if the identity provider cannot be reached, or responds with something that is not OpenID Connect. */
export class IdentityProviderFailed extends Schema.TaggedError<IdentityProviderFailed>()(
  "IdentityProviderFailed",
  { message: Schema.String },
  { httpApiStatus: 502 }
) {}

type Failure = IdentityProviderFailed | OidcUnavailable

/** Values of one request that are verified when the browser returns. */
export interface RequestSecrets {
  readonly state: string
  readonly nonce: string
  /** Secret of PKCE (`code_verifier`). */
  readonly verifier: string
}

export class OidcProtocol extends Context.Service<
  OidcProtocol,
  {
    /** Returns why this server does not send requests to an issuer; undefined if it does, and without an adapter. */
    readonly problemOf: (issuer: string) => Effect.Effect<string | undefined>
    /** Returns the URL of the identity provider to which the browser is sent: code flow with PKCE (S256). */
    readonly authorizationUrl: (
      options: { readonly client: OidcClient; readonly scopes: ReadonlyArray<string> } & RequestSecrets
    ) => Effect.Effect<string, Failure>
    /**
     * Exchanges the code of a response for an ID token, and verifies it: signature with an asymmetric key of the
     * provider, issuer, audience, nonce and times. Verifies `state` and `iss` of the response. Requests the user info of
     * the same subject if the ID token lacks one of the claims.
     */
    readonly exchange: (
      options: {
        readonly client: OidcClient
        /** Query of the URL to which the browser was returned. */
        readonly query: string
        readonly claimNames: ReadonlyArray<string>
        /** Current time in ms since 1970. */
        readonly now: number
      } & RequestSecrets
    ) => Effect.Effect<VerifiedPerson, SignOnRefused | Failure>
    /** Verifies signature, issuer, audience and times of a log-out token. */
    readonly verifyLogout: (options: {
      readonly client: OidcClient
      readonly token: string
      /** Current time in ms since 1970. */
      readonly now: number
    }) => Effect.Effect<Claims, SignOnRefused | Failure>
    /** Returns the URL at which the identity provider ends its session; undefined if it has none. */
    readonly endSessionUrl: (options: {
      readonly client: OidcClient
      readonly idToken: string | undefined
      readonly returnURL: string
    }) => Effect.Effect<string | undefined, Failure>
  }
>()("@lectern/core/sso/OidcProtocol") {
  static readonly layer = Layer.sync(OidcProtocol, () => {
    const unavailable = Effect.fail(
      new OidcUnavailable({
        message: "This instance of Lectern does not support OpenID Connect: its host provides no OidcProtocol"
      })
    )
    return OidcProtocol.of({
      problemOf: () => Effect.undefined,
      authorizationUrl: () => unavailable,
      exchange: () => unavailable,
      verifyLogout: () => unavailable,
      endSessionUrl: () => unavailable
    })
  })
}
