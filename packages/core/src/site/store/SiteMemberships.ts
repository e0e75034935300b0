/**
 * Removes a space from its sites and restores it. A trashed space leaves its sites, and its positions are stored.
 * Restoring the space restores the positions that still exist. A transferred or removed space leaves its sites
 * permanently.
 */
import { Effect } from "effect"
import { Events } from "../../event/Events.ts"
import type { SpaceId } from "../../space/Space.ts"
import { cannotConflict, Storage } from "../../storage/Storage.ts"
import { type TrashedSiteSpaceRow, TrashedSiteSpaceTable } from "../TrashedSiteSpace.ts"
import { SiteTable } from "../Site.ts"
import { SiteStore } from "./SiteStore.ts"
import { restore, removeSpace } from "../SiteSpaceChanges.ts"
import { structureUpdated } from "../StructureEvent.ts"

export const makeSiteMemberships = Effect.gen(function* () {
  const storage = yield* Storage
  const events = yield* Events
  const store = yield* SiteStore
  const sites = storage.repository(SiteTable)
  const trashedSiteSpaces = storage.repository(TrashedSiteSpaceTable)

  /** Removes spaces from all sites. Returns their positions. */
  const removeFromSites = Effect.fnUntraced(function* (spaces: ReadonlyArray<SpaceId>) {
    const trashedRows: Array<TrashedSiteSpaceRow> = []
    for (const site of yield* sites.list({ where: { spaces: { any: spaces } } })) {
      let structure = site.structure
      for (const space of spaces) {
        const without = removeSpace(structure, space)
        structure = without.structure
        for (const { siteSpace, ...position } of without.removed) {
          trashedRows.push({ site: site.id, siteSpace: siteSpace.id, space, entry: siteSpace, ...position })
        }
      }
      yield* events.emit(...structureUpdated(site, yield* store.restructure(site, structure)))
    }
    return trashedRows
  })

  return {
    /** Removes a trashed space from its sites, and stores its positions. Called inside a transaction. */
    leave: Effect.fnUntraced(function* (space: SpaceId) {
      for (const row of yield* removeFromSites([space])) {
        yield* trashedSiteSpaces.insert(row).pipe(cannotConflict)
      }
    }),

    restore: Effect.fnUntraced(function* (space: SpaceId) {
      const trashedRows = yield* trashedSiteSpaces.list({ where: { space } })
      if (trashedRows.length === 0) return
      yield* trashedSiteSpaces.remove({ space })
      for (const [id, rowsOfSite] of Map.groupBy(trashedRows, ({ site }) => site)) {
        const site = yield* sites.get({ id })
        if (site === undefined) continue
        const structure = restore(
          site.structure,
          rowsOfSite.map(({ entry, ...position }) => ({ ...position, siteSpace: entry }))
        )
        if (structure === site.structure) continue
        yield* events.emit(...structureUpdated(site, yield* store.restructure(site, structure)))
      }
    }),

    leavePermanently: Effect.fnUntraced(function* (spaces: ReadonlyArray<SpaceId>) {
      yield* removeFromSites(spaces)
      yield* trashedSiteSpaces.remove({ space: { in: spaces } })
    })
  }
})
