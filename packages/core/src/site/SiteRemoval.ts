/** Removes a site with all its rows (see `SiteDependents`), and clears it as the default site of its organization. */
import { Effect } from "effect"
import { concepts } from "../Concepts.ts"
import { OrganizationTable } from "../organization/Organization.ts"
import { cannotConflict, Storage } from "../storage/Storage.ts"
import type { SiteRow } from "./Site.ts"
import { SiteAddresses } from "./SiteAddresses.ts"
import { SiteStore } from "./store/SiteStore.ts"

const dependentRows = concepts.flatMap(({ siteDependents }) => siteDependents)

export const makeSiteRemoval = Effect.gen(function* () {
  const storage = yield* Storage
  const store = yield* SiteStore
  const addresses = yield* SiteAddresses
  const organizations = storage.repository(OrganizationTable)

  return {
    /** Removes a site. Called inside a transaction. */
    remove: Effect.fnUntraced(function* (site: SiteRow) {
      for (const remove of dependentRows) yield* remove(storage, site.id)
      yield* addresses.removeAll(site.id)
      const organization = yield* organizations.get({ id: site.organization })
      if (organization?.defaultContent?.site === site.id) {
        yield* organizations.update({ id: site.organization }, { defaultContent: undefined }).pipe(cannotConflict)
      }
      yield* store.remove(site)
    })
  }
})
