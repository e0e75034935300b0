/** Removes a site with all its rows (see `SiteDependents`), and clears it as the default site of its organization. */
import { Context, Effect, Layer } from "effect"
import { concepts } from "../Concepts.ts"
import { OrganizationTable } from "../organization/Organization.ts"
import { cannotConflict, Storage, type StorageError } from "../storage/Storage.ts"
import type { SiteRow } from "./Site.ts"
import { SiteAddresses } from "./SiteAddresses.ts"
import { SiteStore } from "./store/SiteStore.ts"

const dependentRows = concepts.flatMap(({ siteDependents }) => siteDependents)

export class SiteRemoval extends Context.Service<
  SiteRemoval,
  {
    /** Removes a site. Called inside a transaction. */
    readonly remove: (site: SiteRow) => Effect.Effect<void, StorageError>
  }
>()("@lectern/core/site/SiteRemoval") {
  static readonly layer = Layer.effect(
    SiteRemoval,
    Effect.gen(function* () {
      const storage = yield* Storage
      const store = yield* SiteStore
      const addresses = yield* SiteAddresses
      const organizations = storage.repository(OrganizationTable)

      return SiteRemoval.of({
        remove: Effect.fnUntraced(function* (site) {
          for (const remove of dependentRows) yield* remove(storage, site.id)
          yield* addresses.removeAll(site.id)
          const organization = yield* organizations.get({ id: site.organization })
          if (organization?.defaultContent?.site === site.id) {
            yield* organizations.update({ id: site.organization }, { defaultContent: undefined }).pipe(cannotConflict)
          }
          yield* store.remove(site)
        })
      })
    })
  )
}
