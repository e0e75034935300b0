/**
 * The port that speaks SAML 2.0: it writes what goes to an identity provider, and of what comes back
 * it tells what is signed and nothing else. Whether that is what was asked for, and for whom, are
 * rules of the core (see `AssertionRules`).
 *
 * XML signatures take what only Node has: `@lectern/services-node` has the adapter. Without one,
 * nobody signs on, and whoever tries is told so.
 */
import { Context, Effect, Layer, Schema } from "effect"
import type { Assertion } from "./Assertion.ts"
import type { SignOnRefused } from "./SignOnRecord.ts"

/** Lectern, as one identity provider knows it. */
export interface ServiceProvider {
  readonly entityID: string
  readonly acsURL: string
}

/** This instance can't do it: its host has given it nothing that can. */
export class SamlUnavailable extends Schema.TaggedError<SamlUnavailable>()(
  "SamlUnavailable",
  { message: Schema.String },
  { httpApiStatus: 503 }
) {}

export class SamlProtocol extends Context.Service<
  SamlProtocol,
  {
    /**
     * Why signatures can't be checked with a certificate (as `verify` takes it), in a sentence; undefined
     * where they can, and where nobody here could say.
     */
    readonly problemOf: (certificate: string) => Effect.Effect<string | undefined>
    /** Description of Lectern for an identity provider, as XML that it may read instead of being told. */
    readonly metadata: (service: ServiceProvider) => Effect.Effect<string, SamlUnavailable>
    /** The URL at which a browser signs on: the identity provider's, with an unsigned request (HTTP-Redirect). */
    readonly requestUrl: (options: {
      readonly service: ServiceProvider
      readonly ssoURL: string
      readonly requestId: string
    }) => Effect.Effect<string, SamlUnavailable>
    /**
     * The one assertion of a response, as it is signed. Refused are: what is no response of SAML 2.0
     * or no success; no assertion, several, or an encrypted one; an assertion that is not signed by
     * itself with one of the certificates, by SHA-256 or better; signatures that stand, or point,
     * anywhere else.
     */
    readonly verify: (options: {
      /** As it was posted: base64. */
      readonly response: string
      readonly service: ServiceProvider
      /** PEM or base64 of DER, one or several. */
      readonly certificate: string
    }) => Effect.Effect<Assertion, SignOnRefused | SamlUnavailable>
  }
>()("@lectern/core/sso/SamlProtocol") {
  static readonly layer = Layer.sync(SamlProtocol, () => {
    const unavailable = Effect.fail(
      new SamlUnavailable({ message: "This instance of Lectern speaks no SAML: its host has given it no SamlProtocol" })
    )
    return SamlProtocol.of({
      problemOf: () => Effect.undefined,
      metadata: () => unavailable,
      requestUrl: () => unavailable,
      verify: () => unavailable
    })
  })
}
