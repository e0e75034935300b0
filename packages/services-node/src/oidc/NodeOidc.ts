/**
 * Implements `OidcProtocol` with `openid-client` and `jose`, which are loaded at the first sign-on.
 *
 * Accepted are signatures with RSA (PKCS #1 and PSS), ECDSA and Ed25519 by keys of the provider. Rejected are unsigned
 * tokens, tokens with a shared key (HMAC) and encrypted tokens. The issuer of the discovery document must equal the
 * configured one exactly, so that a multi-tenant provider can't stand for one of its tenants.
 *
 * Defaults and limits: 10 seconds for a request; discovery documents of 200 issuers cached for 10 minutes, failures for
 * 10 seconds; keys for 5 minutes, or until a token names an unknown one; a clock tolerance of one minute. See
 * `OidcFetch` for those of requests.
 */
import { AllowedHosts } from "@lectern/core/fetch/Addresses"
import { IdentityProviderFailed, OidcProtocol } from "@lectern/core/sso/OidcProtocol"
import { SignOnRefused } from "@lectern/core/sso/SignOnRecord"
import { Cache, Effect, Exit, Layer } from "effect"
import type { DiscoveredProvider } from "./OidcMessages.ts"
import { objectionTo } from "./OidcFetch.ts"

export interface NodeOidcOptions {
  /** Private names, addresses and ranges (such as `10.0.0.0/8`) of identity providers. Default: none. */
  readonly allowedPrivateHosts?: AllowedHosts | ReadonlyArray<string>
  /** Maximum time of a request to an identity provider (ms). Default: 10,000. */
  readonly timeout?: number
}

const messagesModule = Effect.promise(() => import("./OidcMessages.ts"))

const attempt = <A>(run: () => Promise<A>) =>
  Effect.flatMap(messagesModule, ({ failureOf }) => Effect.tryPromise({ try: run, catch: failureOf }))

/** Fails without a refusal, for steps that involve no response of the identity provider. */
const unrefused = <A, R>(step: Effect.Effect<A, SignOnRefused | IdentityProviderFailed, R>) =>
  Effect.catchTag(step, "SignOnRefused", ({ message }) => Effect.fail(new IdentityProviderFailed({ message })))

const layer = ({ allowedPrivateHosts, timeout = 10_000 }: NodeOidcOptions = {}) =>
  Layer.effect(
    OidcProtocol,
    Effect.gen(function* () {
      const allowed = AllowedHosts.from(allowedPrivateHosts)

      /** The key is the issuer, after `trusted ` if its host may be private. */
      const discovered = yield* Cache.makeWith<string, DiscoveredProvider, SignOnRefused | IdentityProviderFailed>(
        (key) => {
          const isTrusted = key.startsWith(trustedPrefix)
          const issuer = isTrusted ? key.slice(trustedPrefix.length) : key
          return Effect.flatMap(messagesModule, ({ discover }) =>
            attempt(() => discover(issuer, { allowedHosts: allowed, isTrusted, timeout }))
          )
        },
        {
          capacity: 200,
          timeToLive: (exit) => (Exit.isSuccess(exit) ? "10 minutes" : "10 seconds")
        }
      )
      const find = ({ issuer, isTrusted }: { readonly issuer: string; readonly isTrusted: boolean }) =>
        unrefused(Cache.get(discovered, isTrusted ? trustedPrefix + issuer : issuer))

      return OidcProtocol.of({
        problemOf: (issuer) => Effect.sync(() => objectionTo(allowed, new URL(issuer))),

        authorizationUrl: Effect.fnUntraced(function* (options) {
          const provider = yield* find(options.client)
          const { authorizationUrl } = yield* messagesModule
          return yield* unrefused(attempt(() => authorizationUrl(provider, options)))
        }),

        exchange: Effect.fnUntraced(function* (options) {
          const provider = yield* find(options.client)
          const { exchange } = yield* messagesModule
          return yield* attempt(() => exchange(provider, options))
        }),

        verifyLogout: Effect.fnUntraced(function* (options) {
          const provider = yield* find(options.client)
          const { verifyLogout } = yield* messagesModule
          return yield* attempt(() => verifyLogout(provider, options))
        }),

        endSessionUrl: Effect.fnUntraced(function* ({ client, idToken, returnURL }) {
          const provider = yield* find(client)
          const { endSessionUrl } = yield* messagesModule
          return endSessionUrl(provider, { clientID: client.clientID, idToken, returnURL })
        })
      })
    })
  )

const trustedPrefix = "trusted "

export const NodeOidc = { layer }
