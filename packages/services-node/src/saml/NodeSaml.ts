/**
 * `SamlProtocol` over `@node-saml/node-saml`, which knows XML signatures. What it takes is loaded
 * when someone first signs on: a server on which nobody does pays nothing for it.
 *
 * Taken are RSA signatures with SHA-256 or SHA-512 by keys of 2,048 bits or more, over exclusive
 * canonical XML. Refused are SHA-1, keys that are shared (HMAC), encrypted assertions, and XML with a
 * document type. The dates in a certificate are not looked at: an organization trusts the very
 * certificate that it has entered.
 */
import { SamlProtocol } from "@lectern/core/sso/SamlProtocol"
import { SignOnRefused } from "@lectern/core/sso/SignOnRecord"
import { Effect, Layer } from "effect"
import { problemOf } from "./SamlCertificates.ts"

const loaded = Effect.promise(() => import("./SamlMessages.ts"))

const layer = Layer.succeed(
  SamlProtocol,
  SamlProtocol.of({
    problemOf: (certificate) => Effect.sync(() => problemOf(certificate)),
    metadata: (service) => Effect.map(loaded, ({ metadata }) => metadata(service)),
    requestUrl: (options) => Effect.flatMap(loaded, ({ requestUrl }) => Effect.promise(() => requestUrl(options))),
    verify: (options) =>
      Effect.flatMap(loaded, ({ verify }) =>
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
