/** Lists the service that records visitor events of sites and computes sums, and the job that removes old events. */
import { offer, type Services } from "../Services.ts"
import { removeOldInsights } from "./InsightsRetention.ts"
import { SiteInsights } from "./SiteInsights.ts"

export const insightsServices = {
  jobs: [removeOldInsights],
  offered: {
    "sites.insights": offer(SiteInsights, {
      track: "outsideTransaction",
      aggregate: "outsideTransaction",
      agentFeedback: "outsideTransaction",
      recordView: "internal"
    })
  }
} as const satisfies Services
