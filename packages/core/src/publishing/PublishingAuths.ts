/** Reads and changes the sign-in of a site's visitors. A site has a key from its creation. */
import { Context, Effect, Layer } from "effect"
import type { CurrentActor } from "../access/Actor.ts"
import type { OtherAction } from "../audit/AuditActions.ts"
import { makeAuditTrail } from "../audit/AuditTrail.ts"
import { changesOf } from "../audit/Changes.ts"
import type { Forbidden } from "../access/Forbidden.ts"
import { Secrets } from "../identity/Secrets.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import { accepting, type InvalidInput } from "../schema/Input.ts"
import * as HeaderUrl from "../schema/HeaderUrl.ts"
import type { SiteId, SiteNotFound, SiteRow } from "../site/Site.ts"
import { makeSiteChanges, Unchanged } from "../site/SiteChanges.ts"
import { SiteStore } from "../site/store/SiteStore.ts"
import { SitePolicy } from "../site/SitePolicy.ts"
import { applyPatch } from "../storage/Row.ts"
import { hasChanges, type Patch, Storage, type StorageError } from "../storage/Storage.ts"
import {
  NoVisitorIntegration,
  type PublishingAuth,
  PublishingAuthPatch,
  type PublishingAuthRow,
  PublishingAuthTable
} from "./PublishingAuth.ts"
import { VisitorKeys } from "../visitor/VisitorKeys.ts"

const acceptPatch = accepting(PublishingAuthPatch)

type Failure = SiteNotFound | Forbidden | StorageError

export class PublishingAuths extends Context.Service<
  PublishingAuths,
  {
    /**
     * Returns the sign-in settings of a site's visitors, with the key for their tokens.
     *
     * @throws {Forbidden}
     * @throws {SiteNotFound}
     */
    readonly get: (organization: OrganizationId, site: SiteId) => Effect.Effect<PublishingAuth, Failure, CurrentActor>
    /**
     * Changes the sign-in of a site's visitors.
     *
     * @throws {Forbidden}
     * @throws {InvalidInput}
     * @throws {NoVisitorIntegration} If the backend is `integration` and no active integration can sign in visitors.
     * @throws {SiteNotFound}
     */
    readonly update: (
      organization: OrganizationId,
      site: SiteId,
      patch: PublishingAuthPatch
    ) => Effect.Effect<PublishingAuth, Failure | InvalidInput | NoVisitorIntegration, CurrentActor>
    /**
     * Replaces the key. Tokens signed with the old key become invalid.
     *
     * @throws {Forbidden}
     * @throws {SiteNotFound}
     */
    readonly regenerate: (
      organization: OrganizationId,
      site: SiteId
    ) => Effect.Effect<PublishingAuth, Failure, CurrentActor>
  }
>()("@lectern/core/publishing/PublishingAuths") {
  static readonly layer = Layer.effect(
    PublishingAuths,
    Effect.gen(function* () {
      const storage = yield* Storage
      const policy = yield* SitePolicy
      const siteChanges = yield* makeSiteChanges
      const store = yield* SiteStore
      const secrets = yield* Secrets
      const keys = yield* VisitorKeys
      const trail = yield* makeAuditTrail
      const auths = storage.repository(PublishingAuthTable)

      const present = Effect.fnUntraced(function* (row: PublishingAuthRow, site: SiteRow) {
        const { backend, fallbackURL, logoutURL } = row
        const signOnIntegration = yield* keys.signOnIntegrationOf(site)
        return {
          object: "publishing-auth",
          backend,
          privateKey: yield* secrets.open(PublishingAuthTable, row, "key"),
          ...(fallbackURL !== undefined && { fallbackURL: HeaderUrl.headerUrl(fallbackURL) }),
          ...(logoutURL !== undefined && { logoutURL: HeaderUrl.headerUrl(logoutURL) }),
          ...(signOnIntegration !== undefined && { integration: signOnIntegration.integration.name })
        } satisfies PublishingAuth
      })

      const change = (organization: OrganizationId, id: SiteId, action: OtherAction, patch: Patch<PublishingAuthRow>) =>
        siteChanges.settings(
          organization,
          id,
          "see the secrets of this site",
          Effect.fnUntraced(function* ({ site }) {
            if (patch.backend === "integration" && (yield* keys.signOnIntegrationOf(site)) === undefined) {
              return yield* new NoVisitorIntegration({
                message: "No integration that signs visitors on is at work on this site: install one, and configure it"
              })
            }
            const previousAuth = (yield* auths.get({ site: id }))!
            if (!hasChanges(previousAuth, patch)) return new Unchanged(yield* present(previousAuth, site))
            yield* auths.update({ site: id }, patch)
            if (patch.backend !== undefined || patch.keyId !== undefined) yield* store.audienceChanged(id)
            const row = applyPatch(PublishingAuthTable, previousAuth, patch)
            yield* trail.record({
              organization,
              action,
              target: { type: "site", id, label: site.title },
              changes: changesOf(previousAuth, row, ["backend", "fallbackURL", "logoutURL"])
            })
            return yield* present(row, site)
          })
        )

      return PublishingAuths.of({
        get: Effect.fn("PublishingAuths.get")(function* (organization, site) {
          const authorizedSite = yield* policy.require(organization, site, "see the secrets of this site")
          return yield* present(authorizedSite.auth!, authorizedSite.site)
        }),

        update: Effect.fn("PublishingAuths.update")(function* (organization, site, rawInput) {
          const { backend, fallbackURL, logoutURL } = yield* acceptPatch(rawInput)
          return yield* change(organization, site, "publishing_auth_updated", {
            ...(backend !== undefined && { backend }),
            ...(fallbackURL !== undefined && { fallbackURL: fallbackURL ?? undefined }),
            ...(logoutURL !== undefined && { logoutURL: logoutURL ?? undefined })
          })
        }),

        regenerate: Effect.fn("PublishingAuths.regenerate")(function* (organization, site) {
          // Only a change of the backend requires an integration.
          return yield* change(organization, site, "visitor_key_regenerated", yield* keys.make(site)).pipe(
            Effect.catchTag("NoVisitorIntegration", Effect.die)
          )
        })
      })
    })
  )
}
