/** Lists the service that reads and replaces the schema of a site's visitor claims (see `AdaptiveSchemas`). */
import { offer, type Services } from "../Services.ts"
import { AdaptiveSchemas } from "./AdaptiveSchemas.ts"

export const adaptiveServices = {
  jobs: [],
  offered: {
    "sites.adaptiveSchema": offer(AdaptiveSchemas, "outsideTransaction")
  }
} as const satisfies Services
