import { SiteSearches } from "@lectern/core/publishing/SiteSearches"
import { OrganizationSearches } from "@lectern/core/search/OrganizationSearches"
import { Searches } from "@lectern/core/search/Searches"
import { Effect } from "effect"
import { group } from "./Group.ts"

export const SearchHttp = group(
  "search",
  Effect.fnUntraced(function* (handlers) {
    const searches = yield* Searches
    const organizationSearches = yield* OrganizationSearches
    const siteSearches = yield* SiteSearches
    return handlers({
      organization: ({ params, query: { query, ...page } }) =>
        organizationSearches.search(params.organizationId, query, page),
      prewarm: ({ params }) => siteSearches.prewarm(params.organizationId, params.siteId),
      site: ({ params, query, payload }) => siteSearches.search(params.organizationId, params.siteId, payload, query),
      space: ({ params, query: { query, ...page } }) => searches.search(params.spaceId, query, page)
    })
  })
)
