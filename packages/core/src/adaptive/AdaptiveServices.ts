/** Services of adaptive content: the schemas of what is said of visitors. */
import type { Services } from "../Services.ts"
import { AdaptiveSchemas } from "./AdaptiveSchemas.ts"

export const adaptiveServices = {
  layers: [AdaptiveSchemas.layer],
  jobs: [],
  offered: { adaptiveSchemas: AdaptiveSchemas }
} as const satisfies Services
