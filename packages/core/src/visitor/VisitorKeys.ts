/**
 * The key that signs the tokens of a site's visitors: the site's own key, with which its owner signs, or the key of the
 * integration that signs in visitors.
 */
import { Context, Effect, Layer } from "effect"
import type { Visitor } from "../access/Actor.ts"
import { Ids } from "../identity/Ids.ts"
import { Instance } from "../identity/Instance.ts"
import { Secrets } from "../identity/Secrets.ts"
import { IntegrationsUrl, endpointUrls, signOffPath, signOnPath } from "../integration/IntegrationEndpoints.ts"
import { ActiveIntegrations, mayUse, type ActiveIntegration } from "../integration/ActiveIntegrations.ts"
import * as SigningSecrets from "../integration/SigningSecrets.ts"
import * as HeaderUrl from "../schema/HeaderUrl.ts"
import type { SiteId, SiteRow } from "../site/Site.ts"
import type { CachedSite } from "../site/store/SiteStore.ts"
import { cannotConflict, Storage, type StorageError } from "../storage/Storage.ts"
import * as Admission from "../publishing/Admission.ts"
import { type PublishingAuthRow, PublishingAuthTable } from "../publishing/PublishingAuth.ts"

export interface VisitorKey {
  /** Id of the key. Visitors whose token was signed with a key of another id are no longer admitted. */
  readonly id: string
  readonly secret: Effect.Effect<string, StorageError>
}

/** URLs at which visitors sign in and out, if the site has them. */
export interface SignOnUrls {
  readonly login?: string
  readonly logout?: string
}

export class VisitorKeys extends Context.Service<
  VisitorKeys,
  {
    /** Returns the key of a site; undefined if the integration that signs in visitors is not active. */
    readonly keyFor: (cachedSite: CachedSite) => Effect.Effect<VisitorKey | undefined, StorageError>
    /** Returns true if a visitor who was admitted would still be admitted. */
    readonly isAdmitted: (cachedSite: CachedSite, visitor: Pick<Visitor, "via">) => Effect.Effect<boolean, StorageError>
    /** Returns the earliest installed integration on a site that can sign in visitors, whether it is used or not. */
    readonly signOnIntegrationOf: (
      site: Pick<SiteRow, "id" | "organization">
    ) => Effect.Effect<ActiveIntegration | undefined, StorageError>
    readonly urls: (cachedSite: CachedSite) => Effect.Effect<SignOnUrls, StorageError>
    /** Creates a sealed key for a site, to be stored. */
    readonly make: (site: SiteId) => Effect.Effect<Pick<PublishingAuthRow, "keyId" | "key">>
    /** Stores the first key of a site. Called inside the transaction that creates the site. */
    readonly createKey: (site: SiteId) => Effect.Effect<void, StorageError>
  }
>()("@lectern/core/visitor/VisitorKeys") {
  static readonly layer = Layer.effect(
    VisitorKeys,
    Effect.gen(function* () {
      const instance = yield* Instance
      const secrets = yield* Secrets
      const activeIntegrations = yield* ActiveIntegrations
      const integrationsUrl = yield* IntegrationsUrl
      const ids = yield* Ids
      const auths = (yield* Storage).repository(PublishingAuthTable)

      const make = (site: SiteId) =>
        Effect.all({
          keyId: ids.next,
          key: Effect.flatMap(ids.secret, (key) => secrets.seal(PublishingAuthTable, { site }, "key", key))
        })

      const signOnIntegrationOf = ({ id, organization }: Pick<SiteRow, "id" | "organization">) =>
        Effect.map(activeIntegrations.list(organization, "site", id), (integrations) =>
          integrations.find((active) => mayUse(active, "site:visitor:auth"))
        )

      const keyFor = Effect.fnUntraced(function* ({ site, auth }: CachedSite) {
        if (auth === undefined) return undefined
        if (auth.backend === "custom") {
          return { id: auth.keyId, secret: secrets.open(PublishingAuthTable, auth, "key") }
        }
        const installation = (yield* signOnIntegrationOf(site))?.installation
        if (installation === undefined) return undefined
        return {
          id: installation.id,
          secret: Effect.sync(() => SigningSecrets.ofPlacement(instance, installation.id, "site", site.id))
        }
      })

      return VisitorKeys.of({
        keyFor,
        signOnIntegrationOf,
        make,

        createKey: Effect.fnUntraced(function* (site) {
          yield* auths.insert({ site, backend: "custom", ...(yield* make(site)) }).pipe(cannotConflict)
        }),

        isAdmitted: Effect.fnUntraced(function* (cachedSite, visitor) {
          const key = cachedSite.site.visibility === "visitor-auth" ? yield* keyFor(cachedSite) : undefined
          return Admission.isAdmitted(cachedSite, visitor, key?.id)
        }),

        urls: Effect.fnUntraced(function* ({ site, auth }) {
          const signOnIntegration = auth?.backend === "integration" ? yield* signOnIntegrationOf(site) : undefined
          if (signOnIntegration === undefined) {
            return {
              ...(auth?.fallbackURL !== undefined && { login: HeaderUrl.headerUrl(auth.fallbackURL) }),
              ...(auth?.logoutURL !== undefined && { logout: HeaderUrl.headerUrl(auth.logoutURL) })
            }
          }
          const { publicEndpoint } = endpointUrls(integrationsUrl, {
            integration: signOnIntegration.integration.key,
            installation: signOnIntegration.installation.id,
            placement: { kind: "site", content: site.id }
          })
          return { login: `${publicEndpoint}${signOnPath}`, logout: `${publicEndpoint}${signOffPath}` }
        })
      })
    })
  )
}
