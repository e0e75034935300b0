/** Services of visitor events and their sums. */
import { offer, type Services } from "../Services.ts"
import { removeOldInsights } from "./InsightsRetention.ts"
import { SiteInsights } from "./SiteInsights.ts"
import { SiteInsightsSums } from "./SiteInsightsSums.ts"

export const insightsServices = {
  layers: [SiteInsights.layer, SiteInsightsSums.layer],
  jobs: [removeOldInsights],
  offered: {
    siteInsights: offer(SiteInsights, "apart"),
    siteInsightsSums: offer(SiteInsightsSums, "apart")
  }
} as const satisfies Services
