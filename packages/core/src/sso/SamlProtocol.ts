/**
 * Port for SAML 2.0: creates requests to an identity provider, and verifies the signature of its responses.
 * `AssertionRules` checks whether a verified assertion is acceptable.
 *
 * XML signatures need Node: `@lectern/services-node` contains the adapter. The default adapter fails with
 * `SamlUnavailable`.
 */
import { Context, Effect, Layer, Schema } from "effect"
import type { Assertion } from "./Assertion.ts"
import type { SignOnRefused } from "./SignOnRecord.ts"

/** Lectern as a service provider of one identity provider. */
export interface ServiceProvider {
  readonly entityID: string
  readonly acsURL: string
}

/** Raised if the host has not installed an adapter for SAML. */
export class SamlUnavailable extends Schema.TaggedError<SamlUnavailable>()(
  "SamlUnavailable",
  { message: Schema.String },
  { httpApiStatus: 503 }
) {}

export class SamlProtocol extends Context.Service<
  SamlProtocol,
  {
    /**
     * Returns why a certificate (in the form of `verify`) cannot verify signatures; undefined if it can, and without an
     * adapter.
     */
    readonly problemOf: (certificate: string) => Effect.Effect<string | undefined>
    /** Returns the metadata of Lectern as XML, for import by an identity provider. */
    readonly metadata: (service: ServiceProvider) => Effect.Effect<string, SamlUnavailable>
    /**
     * Returns the URL of the identity provider with an unsigned request (HTTP-Redirect), to which the browser is sent.
     */
    readonly requestUrl: (options: {
      readonly service: ServiceProvider
      readonly ssoURL: string
      readonly requestId: string
    }) => Effect.Effect<string, SamlUnavailable>
    /**
     * Returns the signed assertion of a response. Rejects responses that are not SAML 2.0 or not successful; responses
     * without an assertion, with several, or with an encrypted one; assertions without a signature of their own by one
     * of the certificates with SHA-256 or better; signatures in or for any other position.
     */
    readonly verify: (options: {
      /** Base64 as received. */
      readonly response: string
      readonly service: ServiceProvider
      /** One or several certificates, as PEM or base64 of DER. */
      readonly certificate: string
    }) => Effect.Effect<Assertion, SignOnRefused | SamlUnavailable>
  }
>()("@lectern/core/sso/SamlProtocol") {
  static readonly layer = Layer.sync(SamlProtocol, () => {
    const unavailable = Effect.fail(
      new SamlUnavailable({
        message: "This instance of Lectern does not support SAML: its host provides no SamlProtocol"
      })
    )
    return SamlProtocol.of({
      problemOf: () => Effect.undefined,
      metadata: () => unavailable,
      requestUrl: () => unavailable,
      verify: () => unavailable
    })
  })
}
