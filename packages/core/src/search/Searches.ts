/**
 * Searches the pages of a space, of an organization, or of a published site, best first (see `PageSearch`). Pages of
 * several spaces are ranked together. Results contain only content that the actor may read.
 *
 * Limits: the oldest 1,000 spaces of an organization, and the first 1,000 spaces of a site.
 */
import { Context, Effect, Layer } from "effect"
import type { CurrentActor } from "../access/Actor.ts"
import type { Forbidden } from "../access/Forbidden.ts"
import type { OrganizationId, OrganizationNotFound } from "../organization/Organization.ts"
import { Organizations } from "../organization/Organizations.ts"
import type { InvalidCursor, ListPage } from "../paging/Paging.ts"
import { anonymousVisitor } from "../publishing/Admission.ts"
import { scopeOf, selectSiteSpaces, SiteSearchQuery } from "../publishing/SiteSearch.ts"
import { accepting, type InvalidInput } from "../schema/Input.ts"
import type { SiteId, SiteNotFound } from "../site/Site.ts"
import { isReadable, siteNotFound, SitePolicy } from "../site/SitePolicy.ts"
import { presentStructureSpaces } from "../site/SitePresenter.ts"
import { SiteViews } from "../site/SiteViews.ts"
import { SiteStore } from "../site/store/SiteStore.ts"
import { type SpaceId, type SpaceNotFound, SpaceTable } from "../space/Space.ts"
import { readable } from "../space/ReadableSpaces.ts"
import { SpacePolicy } from "../space/SpacePolicy.ts"
import type { PageParams } from "../storage/PageParams.ts"
import { Storage, type StorageError } from "../storage/Storage.ts"
import { makePageSearch } from "./PageSearch.ts"
import type { SearchPageResult, SearchSpaceResult } from "./SearchResult.ts"
import { groupBySpace, maxSpaces } from "./SpacesSearch.ts"

const acceptSiteQuery = accepting(SiteSearchQuery)

export class Searches extends Context.Service<
  Searches,
  {
    /**
     * Searches the pages of a space. Returns the pages that contain any word of the query, the best first, at most
     * 1,000. Each result lists the sections that contain the words.
     *
     * @param query Words to find.
     * @throws {Forbidden}
     * @throws {InvalidCursor}
     * @throws {SpaceNotFound}
     * @example
     * ```ts
     * const { items } = await lectern.search.space(space.id, "refunds", { limit: 10 })
     * for (const { title, path, sections = [] } of items) console.log(title, path, sections.length)
     * ```
     */
    readonly space: (
      space: SpaceId,
      query: string,
      params: PageParams
    ) => Effect.Effect<
      ListPage<SearchPageResult>,
      SpaceNotFound | Forbidden | InvalidCursor | StorageError,
      CurrentActor
    >
    /**
     * Searches the spaces of an organization that the actor may read. Returns the matching pages, grouped by space.
     *
     * @param query Words to find.
     * @throws {Forbidden}
     * @throws {InvalidCursor}
     * @throws {OrganizationNotFound}
     */
    readonly organization: (
      organization: OrganizationId,
      query: string,
      params: PageParams
    ) => Effect.Effect<
      ListPage<SearchSpaceResult>,
      OrganizationNotFound | Forbidden | InvalidCursor | StorageError,
      CurrentActor
    >
    /**
     * Searches a published site. Returns the matching pages, grouped by space.
     *
     * @throws {Forbidden}
     * @throws {InvalidCursor}
     * @throws {InvalidInput}
     * @throws {SiteNotFound}
     */
    readonly site: (
      organization: OrganizationId,
      site: SiteId,
      query: SiteSearchQuery,
      params: PageParams
    ) => Effect.Effect<
      ListPage<SearchSpaceResult>,
      SiteNotFound | Forbidden | InvalidInput | InvalidCursor | StorageError,
      CurrentActor
    >
    /** Checks the permission to search a site, and does nothing else. */
    readonly prewarm: (
      organization: OrganizationId,
      site: SiteId
    ) => Effect.Effect<void, SiteNotFound | Forbidden | StorageError, CurrentActor>
  }
>()("@lectern/core/search/Searches") {
  static readonly layer = Layer.effect(
    Searches,
    Effect.gen(function* () {
      const organizations = yield* Organizations
      const spacePolicy = yield* SpacePolicy
      const sitePolicy = yield* SitePolicy
      const views = yield* SiteViews
      const store = yield* SiteStore
      const spaces = (yield* Storage).repository(SpaceTable)
      const pages = yield* makePageSearch

      const requireSite = Effect.fnUntraced(function* (organization: OrganizationId, id: SiteId) {
        const authorizedSite = yield* sitePolicy.require(organization, id, "see what is published of this site")
        return isReadable(authorizedSite) ? authorizedSite : yield* siteNotFound(id)
      })

      return Searches.of({
        space: Effect.fnUntraced(function* (id, query, params) {
          const authorized = yield* spacePolicy.require(id, "read this space")
          return (yield* pages.find([authorized], query, `search of ${id} for ${query}`, params)).list
        }),

        organization: Effect.fn("Searches.organization")(function* (organization, query, params) {
          const { member } = yield* organizations.require(organization, "see this organization")
          const rows = yield* spaces.list({ where: readable(organization, member), limit: maxSpaces })
          const readableSpaces = yield* spacePolicy.readable(rows)
          const titles = new Map(rows.map(({ id, title }) => [id, title]))
          return groupBySpace(
            yield* pages.find(readableSpaces, query, `search of ${organization} for ${query}`, params),
            titles
          )
        }),

        site: Effect.fn("Searches.site")(function* (organization, id, rawInput, params) {
          const query = yield* acceptSiteQuery(rawInput)
          const authorizedSite = yield* requireSite(organization, id)
          const presentation = yield* views.presentation(authorizedSite, {
            visitor: authorizedSite.visitor ?? anonymousVisitor
          })
          const selectedSiteSpaces = selectSiteSpaces(
            presentStructureSpaces(authorizedSite, presentation).map(({ siteSpace }) => siteSpace),
            scopeOf(query)
          )
          const titles = new Map(selectedSiteSpaces.slice(0, maxSpaces).map(({ space, title }) => [space.id, title]))
          const { rows } = yield* store.spaces(authorizedSite.site)
          // Only readable spaces are searched, since a member may see the site without being allowed to read all its
          // spaces.
          const readableSpaces = yield* spacePolicy.readable(
            [...titles.keys()].flatMap((space) => rows.get(space) ?? [])
          )
          const results = yield* pages.find(readableSpaces, query.query, `search of ${id} for ${query.query}`, params)
          return groupBySpace(results, titles)
        }),

        prewarm: (organization, id) => Effect.asVoid(requireSite(organization, id))
      })
    })
  )
}
