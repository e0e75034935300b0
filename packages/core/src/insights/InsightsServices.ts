/** Services of what renderers tell of visits. */
import type { Services } from "../Services.ts"
import { SiteInsights } from "./SiteInsights.ts"

export const insightsServices = {
  layers: [SiteInsights.layer],
  jobs: [],
  offered: { siteInsights: SiteInsights }
} as const satisfies Services
