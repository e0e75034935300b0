/** Lists the services that record visitor events of sites and compute sums, and the job that removes old events. */
import { offer, type Services } from "../Services.ts"
import { removeOldInsights } from "./InsightsRetention.ts"
import { SiteInsights } from "./SiteInsights.ts"
import { SiteInsightsSums } from "./SiteInsightsSums.ts"

export const insightsServices = {
  jobs: [removeOldInsights],
  offered: {
    siteInsights: offer(SiteInsights, "outsideTransaction"),
    siteInsightsSums: offer(SiteInsightsSums, "outsideTransaction")
  }
} as const satisfies Services
