/** Services of adaptive content: the schemas of what is said of visitors. */
import { offer, type Services } from "../Services.ts"
import { AdaptiveSchemas } from "./AdaptiveSchemas.ts"

export const adaptiveServices = {
  layers: [AdaptiveSchemas.layer],
  jobs: [],
  offered: {
    adaptiveSchemas: offer(AdaptiveSchemas, "apart")
  }
} as const satisfies Services
