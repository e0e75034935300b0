/** Events and feedback about sites, sent by renderers, and their aggregates. */
import { AgentFeedbackInput, AgentFeedbackResponse, ContentFeedbackInput } from "@lectern/core/insights/AgentFeedback"
import { InsightsQuery, InsightsSums } from "@lectern/core/insights/InsightsQuery"
import { InsightsTrack } from "@lectern/core/insights/SiteInsightsEvent"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication, Failures, OptionalAuthentication } from "./Middleware.ts"
import * as Operation from "./Operation.ts"
import { siteParams, sitePath } from "./SitesApi.ts"

export const SiteInsightsApi = HttpApiGroup.make("siteInsights")
  .annotateMerge(
    OpenApi.annotations({
      title: "Site insights",
      description:
        "Events and feedback of a site's visitors, sent by renderers. Sites that are readable without a token need none here."
    })
  )
  .add(
    Operation.post("track", `${sitePath}/insights/events`, {
      description: "Records events of visitors of a site.",
      scopes: ["site:metadata:read"],
      params: siteParams,
      payload: InsightsTrack,
      success: HttpApiSchema.NoContent,
      siteTokens: true
    }),
    Operation.post("agentFeedback", `${sitePath}/agents/feedback`, {
      description: "Stores feedback of an agent about a page, a tool, a command or an endpoint of a site.",
      scopes: ["site:metadata:read"],
      params: siteParams,
      payload: AgentFeedbackInput,
      success: AgentFeedbackResponse.pipe(HttpApiSchema.status(201)),
      siteTokens: true
    }),
    Operation.post("contentFeedback", `${sitePath}/agent-feedback`, {
      description: "Stores feedback of an agent about a page of a site.",
      deprecated: true,
      scopes: ["site:metadata:read"],
      params: siteParams,
      payload: ContentFeedbackInput,
      success: HttpApiSchema.NoContent,
      siteTokens: true
    })
  )
  .middleware(OptionalAuthentication)
  .middleware(Failures)

export const SiteInsightsSumsApi = HttpApiGroup.make("siteInsightsSums")
  .annotateMerge(
    OpenApi.annotations({ title: "Sums of insights", description: "Aggregated events of a site's visitors." })
  )
  .add(
    Operation.post("aggregate", `${sitePath}/insights/events/aggregate`, {
      description: "Aggregates the events of a site's visitors.",
      scopes: ["site:metadata:read"],
      params: siteParams,
      payload: InsightsQuery,
      success: InsightsSums
    })
  )
  .middleware(Authentication)
  .middleware(Failures)
