/**
 * All OpenID Connect providers by id: those of organizations, which are stored, and those of the server, which the
 * operator configures. Users sign in with both in the same way (see `OidcSignOn`).
 */
import { Effect, Redacted } from "effect"
import { PublicUrl } from "../identity/PublicUrl.ts"
import { Secrets } from "../identity/Secrets.ts"
import { Hasher } from "../storage/Hasher.ts"
import { Storage } from "../storage/Storage.ts"
import type { OidcClient } from "./OidcProtocol.ts"
import {
  type ActiveOidcProvider,
  isActive,
  OidcProviderNotFound,
  OidcProviderPending,
  OidcProviderTable
} from "./OidcProvider.ts"
import { serviceOf } from "./OidcProviderPresenter.ts"
import { ServerProviders, trustedProviders, type TrustedServerProvider } from "./ServerProvider.ts"
import { SignOnProviderId } from "./SignOnProvider.ts"

/** Provider of an organization, or of the server. The latter has no `organization`. */
export type RegisteredProvider = ActiveOidcProvider | TrustedServerProvider

export const isOfServer = (provider: RegisteredProvider): provider is TrustedServerProvider =>
  provider.organization === undefined

export const makeOidcRegistry = Effect.gen(function* () {
  const storage = yield* Storage
  const secrets = yield* Secrets
  const publicUrl = yield* PublicUrl
  const ofServer = trustedProviders(yield* ServerProviders, yield* Hasher)
  const providers = storage.repository(OidcProviderTable)

  const openSecret = Effect.fnUntraced(function* (provider: RegisteredProvider) {
    if (isOfServer(provider)) return provider.clientSecret
    const text = yield* secrets.open(OidcProviderTable, provider, "clientSecret")
    return text === undefined ? undefined : Redacted.make(text)
  })

  return {
    /** Returns an active provider. */
    find: Effect.fnUntraced(function* (id: string) {
      const configured = ofServer.get(id)
      if (configured !== undefined) return configured
      const row = yield* providers.get({ id: SignOnProviderId.make(id) })
      if (row === undefined) {
        return yield* new OidcProviderNotFound({ message: "This OpenID Connect provider does not exist" })
      }
      if (isActive(row)) return row
      return yield* new OidcProviderPending({
        message: "This OpenID Connect provider is incomplete: an administrator of the organization must complete it"
      })
    }),

    /** Returns Lectern as a client of a provider, with its client secret. */
    clientOf: Effect.fnUntraced(function* (provider: RegisteredProvider) {
      const clientSecret = yield* openSecret(provider)
      const client: OidcClient = {
        issuer: provider.issuer,
        clientID: provider.clientID,
        ...(clientSecret !== undefined && { clientSecret }),
        redirectURL: serviceOf(publicUrl, provider).redirectURL,
        isTrusted: isOfServer(provider)
      }
      return client
    })
  }
})
