import { Searches } from "@lectern/core/search/Searches"
import { Effect } from "effect"
import { group } from "./Group.ts"

export const SearchHttp = group(
  "search",
  Effect.fnUntraced(function* (handlers) {
    const searches = yield* Searches
    return handlers({
      organization: ({ params, query: { query, ...page } }) =>
        searches.organization(params.organizationId, query, page),
      prewarm: ({ params }) => searches.prewarm(params.organizationId, params.siteId),
      site: ({ params, query, payload }) => searches.site(params.organizationId, params.siteId, payload, query),
      space: ({ params, query: { query, ...page } }) => searches.space(params.spaceId, query, page)
    })
  })
)
