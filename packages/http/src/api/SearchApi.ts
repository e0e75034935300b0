/** Search in the content of a space, an organization or a site. */
import { SearchPageResult, SearchQueryText, SearchSpaceResult } from "@lectern/core/search/SearchResult"
import { SiteSearchQuery } from "@lectern/core/publishing/SiteSearch"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { listOf, PageQuery } from "./Lists.ts"
import { Authentication, Failures } from "./Middleware.ts"
import * as Operation from "./Operation.ts"
import { organizationId, spaceId } from "./Parameters.ts"
import { siteParams, sitePath } from "./SitesApi.ts"

const query = { ...PageQuery, query: SearchQueryText.annotateKey({ description: "The words to search for." }) }

export const SearchApi = HttpApiGroup.make("search")
  .annotateMerge(
    OpenApi.annotations({
      title: "Search",
      description: "Full-text search in a space, a site or an organization."
    })
  )
  .add(
    Operation.get("space", "/spaces/:spaceId/search", {
      description: "Searches the pages of a space.",
      scopes: ["space:content:read"],
      params: { spaceId },
      query,
      success: listOf(SearchPageResult)
    }),
    Operation.get("organization", "/orgs/:organizationId/search", {
      description: "Searches the pages of all spaces of an organization that the user may view.",
      scopes: ["space:content:read"],
      params: { organizationId },
      query,
      success: listOf(SearchSpaceResult)
    }),
    Operation.post("prewarm", `${sitePath}/search/prewarm`, {
      description: "Checks that a site may be searched. No preparation is needed.",
      scopes: ["site:metadata:read", "space:content:read"],
      params: siteParams,
      success: HttpApiSchema.NoContent
    }),
    Operation.post("site", `${sitePath}/search`, {
      description: "Searches the pages of all spaces of a site.",
      scopes: ["site:metadata:read", "space:content:read"],
      params: siteParams,
      query: PageQuery,
      payload: SiteSearchQuery,
      success: listOf(SearchSpaceResult)
    })
  )
  .middleware(Authentication)
  .middleware(Failures)
