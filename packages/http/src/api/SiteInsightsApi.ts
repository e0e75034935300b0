/** Operations by which renderers tell of a site's visitors. */
import { InsightsTrack } from "@lectern/core/insights/SiteInsightsEvent"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Failures, OptionalAuthentication } from "./Middleware.ts"
import { siteParams, sitePath } from "./SitesApi.ts"

export const SiteInsightsApi = HttpApiGroup.make("siteInsights")
  .annotateMerge(
    OpenApi.annotations({
      title: "Site insights",
      description:
        "What renderers tell of a site's visitors, for the integrations on it. No token is needed where none is to read."
    })
  )
  .add(
    HttpApiEndpoint.post("track", `${sitePath}/insights/events`, {
      params: siteParams,
      payload: InsightsTrack,
      success: HttpApiSchema.NoContent
    })
  )
  .middleware(OptionalAuthentication)
  .middleware(Failures)
