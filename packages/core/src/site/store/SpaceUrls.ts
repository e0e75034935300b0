/**
 * Finds the URL at which a space is published: on the first of its sites that shows it, or on the site of the visitor.
 */
import { Effect } from "effect"
import { conditionHolds, isReadableOnSite } from "../../publishing/Admission.ts"
import type { SpaceId, SpaceRow } from "../../space/Space.ts"
import type { SiteId } from "../Site.ts"
import { sitesUrl } from "../SiteAddress.ts"
import * as SitePaths from "../SitePaths.ts"
import { siteUrlOf } from "../SitePresenter.ts"
import { TopLevelNames } from "../../content/pages/TopLevelNames.ts"
import { type CachedSite, SiteStore } from "./SiteStore.ts"
import { siteSpaces } from "../SiteStructure.ts"

/** Returns true for entries that a visitor without claims sees. */
const isVisible: SitePaths.IsVisible = (entry) => conditionHolds({}, entry)

/** Base of a space's page paths on a site; undefined if a visitor without claims does not see the space. */
interface SpaceBase {
  readonly revision: SpaceRow["revision"]
  readonly base: string | undefined
}

export const makeSpaceUrls = Effect.gen(function* () {
  const store = yield* SiteStore
  const topNames = yield* TopLevelNames
  const sites = yield* sitesUrl
  /** Positions of spaces, cached with their site, since lists read many of them. */
  const cachedBases = new WeakMap<CachedSite, Map<SpaceId, SpaceBase>>()

  const computeBase = Effect.fnUntraced(function* (cachedSite: CachedSite, { id, revision }: SpaceRow) {
    const location = siteSpaces(cachedSite.site.structure).find(
      ({ siteSpace, section }) =>
        siteSpace.space === id && isVisible(siteSpace) && (section === undefined || isVisible(section))
    )
    const base =
      location &&
      SitePaths.base(cachedSite.paths, location.siteSpace.id, yield* topNames.namesOf({ revision }), isVisible).join(
        "/"
      )
    const spaces = cachedBases.get(cachedSite) ?? new Map<SpaceId, SpaceBase>()
    cachedBases.set(cachedSite, spaces.set(id, { revision, base }))
    return base
  })

  return {
    /**
     * Returns the URL. With the key of a share link, sites of that link are included. `visited`: only the site with
     * this id.
     */
    published: Effect.fnUntraced(function* (space: SpaceRow, shareKey?: string, visitedSite?: SiteId) {
      for (const id of yield* store.sitesWithSpace(space.organization, space.id)) {
        if (visitedSite !== undefined && id !== visitedSite) continue
        const cachedSite = yield* store.get(id)
        const url = cachedSite && siteUrlOf(cachedSite, sites, shareKey)
        if (url === undefined || !isReadableOnSite(space, cachedSite!.site.visibility)) continue
        const cachedBase = cachedBases.get(cachedSite!)?.get(space.id)
        const base = cachedBase?.revision === space.revision ? cachedBase.base : yield* computeBase(cachedSite!, space)
        if (base !== undefined) return base === "" ? url : `${url}${base}/`
      }
      return undefined
    })
  }
})
