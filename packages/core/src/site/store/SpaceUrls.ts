/**
 * Finds the URL that a space is published at: on the first of its sites that shows it; to a visitor, on the
 * site that it visits.
 */
import { Context, Effect } from "effect"
import { isShown, opensThrough } from "../../publishing/Admission.ts"
import type { SpaceRow } from "../../space/Space.ts"
import type { StorageError } from "../../storage/Storage.ts"
import type { SiteId } from "../Site.ts"
import { sitesUrl } from "../SiteAddress.ts"
import * as SitePaths from "../SitePaths.ts"
import { reachedAt } from "../SitePresenter.ts"
import { TopNames } from "../../content/pages/TopNames.ts"
import { SiteStore } from "./SiteStore.ts"
import { siteSpaces } from "../SiteStructure.ts"
import { wired } from "../../wiring/Wired.ts"

/** Entries that a visitor without claims sees. */
const visible: SitePaths.Visible = (entry) => isShown({}, entry)

export class SpaceUrls extends Context.Service<
  SpaceUrls,
  {
    /** The URL; with the key of a share link, also on the site that the link is of. */
    readonly published: (
      space: SpaceRow,
      shareKey?: string,
      visited?: SiteId
    ) => Effect.Effect<string | undefined, StorageError>
  }
>()("@lectern/core/site/store/SpaceUrls") {
  static readonly layer = wired(
    SpaceUrls,
    Effect.gen(function* () {
      const store = yield* SiteStore
      const topNames = yield* TopNames
      const sites = yield* sitesUrl

      return SpaceUrls.of({
        published: Effect.fnUntraced(function* (space, shareKey, visited) {
          for (const id of yield* store.ofSpace(space.organization, space.id)) {
            if (visited !== undefined && id !== visited) continue
            const kept = yield* store.get(id)
            const base = kept && reachedAt(kept, sites, shareKey)
            if (base === undefined || !opensThrough(space, kept!.site.visibility)) continue
            const found = siteSpaces(kept!.site.structure).find(
              ({ siteSpace, section }) =>
                siteSpace.space === space.id && visible(siteSpace) && (section === undefined || visible(section))
            )
            if (found === undefined) continue
            const path = SitePaths.base(kept!.paths, found.siteSpace.id, yield* topNames.of(space), visible).join("/")
            return path === "" ? base : `${base}${path}/`
          }
          return undefined
        })
      })
    }),
    [SiteStore.layer, TopNames.layer]
  )
}
