/**
 * Views of the parts of a site: a member sees parts with spaces that they may see, a visitor the parts published for
 * them.
 *
 * Responses that renderers read for each page view are cached for actors who see the same parts, until the site, a
 * space on it, or a fact about access changes.
 *
 * Limits: the most recently used responses are cached, up to 10,000 site spaces in total.
 */
import { Context, Effect, Layer } from "effect"
import { TopLevelNames } from "../content/pages/TopLevelNames.ts"
import { levelOn } from "../access/Access.ts"
import type { Visitor } from "../access/Actor.ts"
import { appUrls } from "../identity/AppUrls.ts"
import { conditionHolds } from "../publishing/Admission.ts"
import { LruCache } from "../storage/LruCache.ts"
import type { Space, SpaceId, SpaceRow } from "../space/Space.ts"
import { presentSpace } from "../space/SpacePresenter.ts"
import type { StorageError } from "../storage/Storage.ts"
import { sitesUrl } from "./SiteAddress.ts"
import * as SitePaths from "./SitePaths.ts"
import { type AuthorizedSite, seesWhole } from "./SitePolicy.ts"
import { type Presentation, previewUrl, siteUrlOf } from "./SitePresenter.ts"
import { type SiteSpaceRows, SiteStore } from "./store/SiteStore.ts"
import { publishedSpaces, type ReadableSpaces } from "../visitor/AdmittedVisitors.ts"

/** Viewer of a site. */
export interface View {
  /** Key of a share link, which becomes part of URLs. */
  readonly shareKey?: string | undefined
  /** Shows the site as a visitor with these claims sees it. Default: as the actor sees it. */
  readonly visitor?: Pick<Visitor, "claims" | "kind"> | undefined
  /** Cache key of all other data in the response. */
  readonly extraKey?: string
}

const maxCachedSiteSpaces = 10_000
/** Memory of a response in addition to its site spaces, in units of one site space. */
const responseSize = 10

/** A response with the data that it was built from. */
interface CachedResponse {
  readonly paths: AuthorizedSite["paths"]
  readonly facts: AuthorizedSite["member"]["facts"]
  readonly spaces: SiteSpaceRows
  readonly extraKey: string | undefined
  readonly response: object
}

export class SiteViews extends Context.Service<
  SiteViews,
  {
    /** Returns the data to present a site. The structure in `authorizedSite` may be newer than the cached one. */
    readonly presentation: (authorizedSite: AuthorizedSite, view?: View) => Effect.Effect<Presentation, StorageError>
    /**
     * Returns a response for a view: a cached one if nothing changed, otherwise the result of `make`, which may read
     * data of the site (see `SiteStore`).
     */
    readonly cachedResponse: <A extends object>(
      name: string,
      authorizedSite: AuthorizedSite,
      view: View,
      make: (presentation: Presentation) => Effect.Effect<A, StorageError>
    ) => Effect.Effect<A, StorageError>
  }
>()("@lectern/core/site/SiteViews") {
  static readonly layer = Layer.effect(
    SiteViews,
    Effect.gen(function* () {
      const store = yield* SiteStore
      const topNames = yield* TopLevelNames
      const urls = yield* appUrls
      const sites = yield* sitesUrl
      const responses = new LruCache<string, CachedResponse>(maxCachedSiteSpaces)

      const namesIn = Effect.fnUntraced(function* (
        { paths }: AuthorizedSite,
        { rows }: SiteSpaceRows,
        isVisible: SitePaths.IsVisible | undefined,
        { read }: ReadableSpaces
      ) {
        const names = new Map<SpaceId, ReadonlySet<string>>()
        for (const { space } of SitePaths.firstSiteSpaces(paths, isVisible)) {
          const row = rows.get(space)
          if (row !== undefined) names.set(space, yield* topNames.namesOf(read(row) ?? row))
        }
        return names
      })

      /** Returns the URL of the site for the viewer. */
      const baseOf = (authorizedSite: AuthorizedSite, shareKey: string | undefined) =>
        authorizedSite.visitor?.preview === undefined
          ? siteUrlOf(authorizedSite, sites, shareKey)
          : previewUrl(authorizedSite.site, sites, authorizedSite.visitor.preview)

      const presentation = Effect.fnUntraced(function* (
        authorizedSite: AuthorizedSite,
        spaces: SiteSpaceRows,
        { shareKey, visitor = authorizedSite.visitor }: View
      ): Effect.fn.Return<Presentation, StorageError> {
        const spacesForReader = readableIn(authorizedSite)
        const isVisible = visitor && ((entry: { readonly condition?: string }) => conditionHolds(visitor.claims, entry))
        return {
          paths: authorizedSite.paths,
          base: baseOf(authorizedSite, shareKey),
          names: yield* namesIn(authorizedSite, spaces, isVisible, spacesForReader),
          spaces: new VisibleSpaces(spaces.rows, (stored) => {
            const { member } = authorizedSite
            const space = visitor === undefined ? stored : spacesForReader.read(stored)
            if (space === undefined) return undefined
            const level = visitor === undefined ? levelOn(member, space) : "read"
            const gitView = visitor && { showsGit: authorizedSite.editLinks.has(space.id) }
            return level && presentSpace({ space, member, level, visitor: gitView }, urls)
          }),
          ...(isVisible !== undefined && { isVisible }),
          isWhole: seesWhole(authorizedSite)
        }
      })

      return SiteViews.of({
        presentation: (authorizedSite, view = {}) =>
          Effect.flatMap(store.spaces(authorizedSite.site), (spaces) => presentation(authorizedSite, spaces, view)),

        cachedResponse: Effect.fnUntraced(function* <A extends object>(
          name: string,
          authorizedSite: AuthorizedSite,
          view: View,
          make: (presentation: Presentation) => Effect.Effect<A, StorageError>
        ) {
          const { site, paths, level, member } = authorizedSite
          const spaces = yield* store.spaces(site)
          const visitor = view.visitor ?? authorizedSite.visitor
          const viewerKey = visitor === undefined ? `member ${member.user ?? ""}` : `visitor ${visitor.kind}`
          const key = `${name} ${site.id} ${level} ${viewerKey} ${readableIn(authorizedSite).key} ${baseOf(authorizedSite, view.shareKey) ?? ""}`
          const cachedEntry = responses.get(key)
          const isSame =
            cachedEntry?.paths === paths && cachedEntry.facts === member.facts && cachedEntry.spaces === spaces
          if (isSame && cachedEntry.extraKey === view.extraKey) return cachedEntry.response as A
          const response = yield* make(yield* presentation(authorizedSite, spaces, view))
          // In a transaction `spaces` is a new object that never matches the cache, so a rollback is harmless.
          responses.set(
            key,
            { paths, facts: member.facts, spaces, extraKey: view.extraKey, response },
            responseSize + spaces.rows.size
          )
          return response
        })
      })
    })
  )
}

const readableIn = ({ spaces, site }: AuthorizedSite): ReadableSpaces => spaces ?? publishedSpaces(site)

/** The spaces that a viewer sees, each presented on first use. */
class VisibleSpaces {
  readonly #rows: ReadonlyMap<SpaceId, SpaceRow>
  readonly #present: (space: SpaceRow) => Space | undefined
  readonly #presented = new Map<SpaceId, Space | undefined>()

  constructor(rows: ReadonlyMap<SpaceId, SpaceRow>, present: (space: SpaceRow) => Space | undefined) {
    this.#rows = rows
    this.#present = present
  }

  get(id: SpaceId): Space | undefined {
    if (!this.#presented.has(id)) {
      const row = this.#rows.get(id)
      this.#presented.set(id, row && this.#present(row))
    }
    return this.#presented.get(id)
  }

  has(id: SpaceId): boolean {
    return this.get(id) !== undefined
  }
}
