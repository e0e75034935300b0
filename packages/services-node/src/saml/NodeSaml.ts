/**
 * Implements `SamlProtocol` with `@node-saml/node-saml`, which verifies XML signatures. The library is loaded at the
 * first sign-on, so a server without single sign-on never loads it.
 *
 * Accepted are RSA signatures with SHA-256 or SHA-512, keys of at least 2,048 bits, and exclusive canonical XML.
 * Rejected are SHA-1, shared keys (HMAC), encrypted assertions, and XML with a document type. The dates of a
 * certificate are ignored, since an organization trusts the exact certificate that it has entered.
 */
import { SamlProtocol } from "@lectern/core/sso/SamlProtocol"
import { SignOnRefused } from "@lectern/core/sso/SignOnRecord"
import { Effect, Layer } from "effect"
import { problemOf } from "./SamlCertificates.ts"

const messagesModule = Effect.promise(() => import("./SamlMessages.ts"))

const layer = Layer.succeed(
  SamlProtocol,
  SamlProtocol.of({
    problemOf: (certificate) => Effect.sync(() => problemOf(certificate)),
    metadata: (service) => Effect.map(messagesModule, ({ metadata }) => metadata(service)),
    requestUrl: (options) =>
      Effect.flatMap(messagesModule, ({ requestUrl }) => Effect.promise(() => requestUrl(options))),
    verify: (options) =>
      Effect.flatMap(messagesModule, ({ verify }) =>
        Effect.tryPromise({
          try: () => verify(options),
          catch: (thrown) => {
            if (thrown instanceof SignOnRefused) return thrown
            throw thrown
          }
        })
      )
  })
)

export const NodeSaml = { layer }
