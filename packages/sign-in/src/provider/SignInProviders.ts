/**
 * Identity providers that the sign-in page lists: those of the server, and those of the only organization or of the
 * organization that the page's URL names. A server of several organizations shows no list of their providers to
 * strangers.
 */
import { OrganizationId, OrganizationTable } from "@lectern/core/organization/Organization"
import { OidcProviderTable } from "@lectern/core/sso/OidcProvider"
import { SamlProviderTable } from "@lectern/core/sso/SamlProvider"
import { ServerProviders } from "@lectern/core/sso/ServerProvider"
import { Storage, type StorageError } from "@lectern/core/storage/Storage"
import { Context, Effect, Layer } from "effect"
import { SignInWays } from "@lectern/core/token/SignInWays"

/** Provider with the path on this server at which a sign-in starts. */
export interface SignInProvider {
  readonly label: string
  /** True for a provider of the server. */
  readonly isOfServer: boolean
  readonly path: string
}

export class SignInProviders extends Context.Service<
  SignInProviders,
  {
    /**
     * Lists the providers: those of the server, then those of OpenID Connect and of SAML of the organization, oldest
     * first. `organization`: id in the URL of the page.
     */
    readonly list: (organization: string | undefined) => Effect.Effect<ReadonlyArray<SignInProvider>, StorageError>
  }
>()("@lectern/sign-in/provider/SignInProviders") {
  static readonly layer = Layer.effect(
    SignInProviders,
    Effect.gen(function* () {
      const storage = yield* Storage
      const ways = yield* SignInWays
      const serverProviders = ways.has("oidc") ? yield* ServerProviders : []
      const oidcProviders = storage.repository(OidcProviderTable)
      const samlProviders = storage.repository(SamlProviderTable)
      const organizations = storage.repository(OrganizationTable)

      const onlyOrganization = Effect.gen(function* () {
        const [first, second] = yield* organizations.list({ where: {}, limit: 2 })
        return second === undefined ? first?.id : undefined
      })

      return SignInProviders.of({
        list: Effect.fn("SignInProviders.list")(function* (named) {
          const organization = named === undefined ? yield* onlyOrganization : OrganizationId.make(named)
          const ofServer = serverProviders.map(({ id, title }) => ({
            label: title,
            path: `/oidc/${id}/start`,
            isOfServer: true
          }))
          if (organization === undefined) return ofServer
          const query = { where: { organization, status: "active" }, order: ["createdAt"] } as const
          const oidc = ways.has("oidc") ? yield* oidcProviders.list(query) : []
          const saml = ways.has("saml") ? yield* samlProviders.list(query) : []
          return [
            ...ofServer,
            ...oidc.map(({ id, label }) => ({ label, path: `/oidc/${id}/start`, isOfServer: false })),
            ...saml.map(({ id, label }) => ({ label, path: `/saml/${id}/start`, isOfServer: false }))
          ]
        })
      })
    })
  )
}
