/** Search in the main content of a space, of an organization, and of all that is on a site. */
import { OrganizationId } from "@lectern/core/organization/Organization"
import { SearchPageResult, SearchQueryText, SearchSpaceResult } from "@lectern/core/search/SearchResult"
import { SpaceId } from "@lectern/core/space/Space"
import { SiteSearchQuery } from "@lectern/core/publishing/SiteSearch"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { listOf, PageQuery } from "./Lists.ts"
import { Authentication, Failures } from "./Middleware.ts"
import { siteParams, sitePath } from "./SitesApi.ts"

export const SearchApi = HttpApiGroup.make("search")
  .annotateMerge(
    OpenApi.annotations({
      title: "Search",
      description: "Finds pages of a space, a site or an organization by their words."
    })
  )
  .add(
    HttpApiEndpoint.get("space", "/spaces/:spaceId/search", {
      params: { spaceId: SpaceId },
      query: { ...PageQuery, query: SearchQueryText },
      success: listOf(SearchPageResult)
    }),
    HttpApiEndpoint.get("organization", "/orgs/:organizationId/search", {
      params: { organizationId: OrganizationId },
      query: { ...PageQuery, query: SearchQueryText },
      success: listOf(SearchSpaceResult)
    }),
    HttpApiEndpoint.post("prewarm", `${sitePath}/search/prewarm`, {
      params: siteParams,
      success: HttpApiSchema.NoContent
    }),
    HttpApiEndpoint.post("site", `${sitePath}/search`, {
      params: siteParams,
      query: PageQuery,
      payload: SiteSearchQuery,
      success: listOf(SearchSpaceResult)
    })
  )
  .middleware(Authentication)
  .middleware(Failures)
