/**
 * Finds pages on a whole published site: in each space of it that the scope names, the best of them.
 *
 * Limits: 50 spaces, those that stand first on the site; 20 pages of each; the best 50 of all these.
 */
import { Context, Effect } from "effect"
import type { CurrentActor } from "../access/Actor.ts"
import type { Forbidden } from "../access/Forbidden.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import { type InvalidCursor, type ListPage, Paging } from "../paging/Paging.ts"
import { accepting, type InvalidInput } from "../schema/Input.ts"
import { Searches } from "../search/Searches.ts"
import type { SearchPageResult } from "../search/SearchResult.ts"
import type { SiteId, SiteNotFound } from "../site/Site.ts"
import { siteNotFound, SitePolicy } from "../site/SitePolicy.ts"
import { presentStructureSpaces } from "../site/SitePresenter.ts"
import type { SiteSpace } from "../site/SiteResources.ts"
import { SiteViews } from "../site/SiteViews.ts"
import type { PageParams } from "../storage/PageParams.ts"
import type { StorageError } from "../storage/Storage.ts"
import { wired } from "../wiring/Wired.ts"
import { scopeOf, type SearchSpaceResult, SiteSearchQuery, type SiteSearchScope } from "./SiteSearch.ts"

const maxSpaces = 50
const pagesOfSpace = 20
const maxPages = 50

const accept = accepting(SiteSearchQuery)

export class SiteSearches extends Context.Service<
  SiteSearches,
  {
    /**
     * Lists the spaces of a published site in which the query is found, that with the best page first, each with its
     * best pages. Whoever asks finds what they may read of it.
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
  }
>()("@lectern/core/publishing/SiteSearches") {
  static readonly layer = wired(
    SiteSearches,
    Effect.gen(function* () {
      const policy = yield* SitePolicy
      const views = yield* SiteViews
      const searches = yield* Searches
      const paging = yield* Paging

      return SiteSearches.of({
        search: Effect.fn("SiteSearches.search")(function* (organization, id, wanted, params) {
          const query = yield* accept(wanted)
          const seen = yield* policy.require(organization, id, "see what is published of this site")
          if (!seen.site.published) return yield* siteNotFound(id)
          const shown = yield* views.of(seen, { as: seen.visitor ?? nobody })
          const wantedSpaces = within(
            presentStructureSpaces(seen, shown).map(({ siteSpace }) => siteSpace),
            scopeOf(query)
          )
          const spaces = new Map(wantedSpaces.map(({ space, title }) => [space.id, title]))
          const found = yield* Effect.forEach([...spaces].slice(0, maxSpaces), ([space, title]) =>
            searches.search(space, query.query, { limit: pagesOfSpace }).pipe(
              Effect.map(({ items }) => ({ space, title, items })),
              // A member may see the site and not the space.
              Effect.catchTag(["SpaceNotFound", "Forbidden"], () => Effect.succeed({ space, title, items: [] }))
            )
          )
          const best = found
            .flatMap(({ space, items }) => items.map((page) => ({ space, page })))
            .sort((a, b) => b.page.score - a.page.score)
            .slice(0, maxPages)
          const pages = new Map<string, Array<SearchPageResult>>()
          for (const [i, { space, page }] of best.entries()) {
            const there = pages.get(space) ?? []
            pages.set(space, there)
            there.push({ ...page, rank: i + 1 })
          }
          const results = Array.from(pages, ([space, pages]): SearchSpaceResult => {
            const { space: id, title } = found.find((one) => one.space === space)!
            return { type: "space", id, title, score: pages[0]!.score, pages }
          })
          return yield* paging.items(results, `search of ${id} for ${query.query}`, ({ id }) => id, params)
        })
      })
    }),
    [Paging.layer, Searches.layer, SitePolicy.layer, SiteViews.layer]
  )
}

const nobody = { claims: {}, kind: "" }

/** The site spaces that a scope names, of those that are shown. */
const within = (all: ReadonlyArray<SiteSpace>, scope: SiteSearchScope): ReadonlyArray<SiteSpace> => {
  switch (scope.mode) {
    case "all":
      return all
    case "specific": {
      const wanted = new Set(scope.siteSpaceIds)
      return all.filter(({ id }) => wanted.has(id))
    }
    case "default": {
      const current = all.find(({ id }) => id === scope.currentSiteSpace)
      const others = oneOfEach(all, current).filter((one) => one !== current)
      if (scope.restrictTo === "otherSiteSpaces") return others
      return [...(current ? [current] : []), ...(scope.restrictTo === "currentSiteSpace" ? [] : others)]
    }
  }
}

/** Of each section that in the language of the current site space, else the default; of its own section the current. */
const oneOfEach = (all: ReadonlyArray<SiteSpace>, current: SiteSpace | undefined): ReadonlyArray<SiteSpace> => {
  const bySection = Map.groupBy(all, ({ section = "" }) => section)
  const language = current?.space.language
  return Array.from(bySection.values(), (level) => {
    const inLanguage = language === undefined ? undefined : level.find(({ space }) => space.language === language)
    const chosen = level.find((one) => one === current) ?? inLanguage ?? level.find((one) => one.default)
    return chosen ?? level[0]!
  })
}
