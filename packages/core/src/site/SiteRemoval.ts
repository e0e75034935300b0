/**
 * Removes a site with everything that is kept with it, and takes it back as its organization's default site. A
 * concept that keeps something with sites adds its table here.
 */
import { Context, Effect, Layer } from "effect"
import { AccessFacts } from "../access/AccessFacts.ts"
import { GrantTable } from "../grant/Grant.ts"
import { AdaptiveSchemaTable } from "../adaptive/SiteAdaptiveSchema.ts"
import { CustomizationTable } from "../customization/Customization.ts"
import { OrganizationTable } from "../organization/Organization.ts"
import { PublishingAuthTable } from "../publishing/PublishingAuth.ts"
import { ShareLinkTable } from "../publishing/ShareLink.ts"
import { RedirectTable } from "../redirect/Redirect.ts"
import { cannotConflict, Storage, type StorageError } from "../storage/Storage.ts"
import type { SiteRow } from "./Site.ts"
import { SiteAddresses } from "./SiteAddresses.ts"
import { FormerPlaceTable } from "./FormerPlace.ts"
import { SiteStore } from "./store/SiteStore.ts"

const tables = [
  AdaptiveSchemaTable,
  CustomizationTable,
  FormerPlaceTable,
  PublishingAuthTable,
  RedirectTable,
  ShareLinkTable
] as const

export class SiteRemoval extends Context.Service<
  SiteRemoval,
  {
    /** Part of the transaction around it. */
    readonly remove: (site: SiteRow) => Effect.Effect<void, StorageError>
  }
>()("@lectern/core/site/SiteRemoval") {
  static readonly layer = Layer.effect(
    SiteRemoval,
    Effect.gen(function* () {
      const storage = yield* Storage
      const store = yield* SiteStore
      const addresses = yield* SiteAddresses
      const facts = yield* AccessFacts
      const grants = storage.repository(GrantTable)
      const organizations = storage.repository(OrganizationTable)

      return SiteRemoval.of({
        remove: Effect.fnUntraced(function* (site) {
          for (const table of tables) yield* storage.repository(table).remove({ site: site.id })
          yield* addresses.forget(site.id)
          yield* grants.remove({ content: site.id })
          const organization = yield* organizations.get({ id: site.organization })
          if (organization?.defaultContent?.site === site.id) {
            yield* organizations.update({ id: site.organization }, { defaultContent: undefined }).pipe(cannotConflict)
          }
          yield* facts.changed(site.organization)
          yield* store.remove(site)
        })
      })
    })
  ).pipe(Layer.provide([AccessFacts.layer, SiteAddresses.layer, SiteStore.layer]))
}
