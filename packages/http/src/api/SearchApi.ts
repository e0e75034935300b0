/** Search in the main content of a space. */
import { SearchPageResult, SearchQueryText } from "@lectern/core/search/SearchResult"
import { SpaceId } from "@lectern/core/space/Space"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { listOf, PageQuery } from "./Lists.ts"
import { Authentication, Failures } from "./Middleware.ts"

export const SearchApi = HttpApiGroup.make("search")
  .annotateMerge(OpenApi.annotations({ title: "Search", description: "Finds pages of a space by their words." }))
  .add(
    HttpApiEndpoint.get("space", "/spaces/:spaceId/search", {
      params: { spaceId: SpaceId },
      query: { ...PageQuery, query: SearchQueryText },
      success: listOf(SearchPageResult)
    })
  )
  .middleware(Authentication)
  .middleware(Failures)
