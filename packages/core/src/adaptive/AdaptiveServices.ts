/** Services of adaptive content: schemas of visitor claims. */
import { offer, type Services } from "../Services.ts"
import { AdaptiveSchemas } from "./AdaptiveSchemas.ts"

export const adaptiveServices = {
  layers: [AdaptiveSchemas.layer],
  jobs: [],
  offered: {
    adaptiveSchemas: offer(AdaptiveSchemas, "apart")
  }
} as const satisfies Services
