/**
 * Searches all spaces of a published site that the scope selects, with one ranking.
 *
 * Limit: the first 1,000 spaces of the site.
 */
import { Context, Effect, Layer } from "effect"
import type { CurrentActor } from "../access/Actor.ts"
import type { Forbidden } from "../access/Forbidden.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import type { InvalidCursor, ListPage } from "../paging/Paging.ts"
import { accepting, type InvalidInput } from "../schema/Input.ts"
import { PageSearch } from "../search/PageSearch.ts"
import type { SearchSpaceResult } from "../search/SearchResult.ts"
import { groupBySpace, maxSpaces } from "../search/SpacesSearch.ts"
import type { SiteId, SiteNotFound } from "../site/Site.ts"
import { isReadable, siteNotFound, SitePolicy } from "../site/SitePolicy.ts"
import { presentStructureSpaces } from "../site/SitePresenter.ts"
import type { SiteSpace } from "../site/SiteResources.ts"
import { SiteViews } from "../site/SiteViews.ts"
import { SiteStore } from "../site/store/SiteStore.ts"
import { SpacePolicy } from "../space/SpacePolicy.ts"
import type { PageParams } from "../storage/PageParams.ts"
import type { StorageError } from "../storage/Storage.ts"
import { scopeOf, SiteSearchQuery, type SiteSearchScope } from "./SiteSearch.ts"

const accept = accepting(SiteSearchQuery)

export class SiteSearches extends Context.Service<
  SiteSearches,
  {
    /**
     * Lists the pages of a published site that match the query, by space (see `SpacesSearch`). Results contain only
     * content that the actor may read.
     */
    readonly search: (
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
>()("@lectern/core/publishing/SiteSearches") {
  static readonly layer = Layer.effect(
    SiteSearches,
    Effect.gen(function* () {
      const policy = yield* SitePolicy
      const views = yield* SiteViews
      const pages = yield* PageSearch
      const spacePolicy = yield* SpacePolicy
      const store = yield* SiteStore

      const require = Effect.fnUntraced(function* (organization: OrganizationId, id: SiteId) {
        const authorizedSite = yield* policy.require(organization, id, "see what is published of this site")
        return isReadable(authorizedSite) ? authorizedSite : yield* siteNotFound(id)
      })

      return SiteSearches.of({
        prewarm: (organization, id) => Effect.asVoid(require(organization, id)),

        search: Effect.fn("SiteSearches.search")(function* (organization, id, rawInput, params) {
          const query = yield* accept(rawInput)
          const authorizedSite = yield* require(organization, id)
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
        })
      })
    })
  )
}

const anonymousVisitor = { claims: {}, kind: "" }

/** Returns the visible site spaces that a scope selects. */
const selectSiteSpaces = (all: ReadonlyArray<SiteSpace>, scope: SiteSearchScope): ReadonlyArray<SiteSpace> => {
  switch (scope.mode) {
    case "all":
      return all
    case "specific": {
      const selectedIds = new Set(scope.siteSpaceIds)
      return all.filter(({ id }) => selectedIds.has(id))
    }
    case "default": {
      const ownSiteSpace = all.find(({ id }) => id === scope.currentSiteSpace)
      const otherSiteSpaces = onePerSection(all, ownSiteSpace).filter((siteSpace) => siteSpace !== ownSiteSpace)
      if (scope.restrictTo === "otherSiteSpaces") return otherSiteSpaces
      return [
        ...(ownSiteSpace ? [ownSiteSpace] : []),
        ...(scope.restrictTo === "currentSiteSpace" ? [] : otherSiteSpaces)
      ]
    }
  }
}

/**
 * Returns one site space of each section: the one in the language of the current site space, otherwise the default.
 * Returns the current site space for the current section.
 */
const onePerSection = (
  all: ReadonlyArray<SiteSpace>,
  ownSiteSpace: SiteSpace | undefined
): ReadonlyArray<SiteSpace> => {
  const siteSpacesBySection = Map.groupBy(all, ({ section = "" }) => section)
  const language = ownSiteSpace?.space.language
  return Array.from(siteSpacesBySection.values(), (siteSpaces) => {
    const siteSpaceInLanguage =
      language === undefined ? undefined : siteSpaces.find(({ space }) => space.language === language)
    const siteSpaceOfSection =
      siteSpaces.find((siteSpace) => siteSpace === ownSiteSpace) ??
      siteSpaceInLanguage ??
      siteSpaces.find((siteSpace) => siteSpace.default)
    return siteSpaceOfSection ?? siteSpaces[0]!
  })
}
