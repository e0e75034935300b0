/** Lists the service of OpenAPI specs and their versions, and the job that processes a spec. */
import { offer, type Services } from "../Services.ts"
import { processSpec } from "./OpenApiProcessing.ts"
import { OpenApiSpecs } from "./OpenApiSpecs.ts"

export const openApiServices = {
  jobs: [processSpec],
  offered: {
    openApiSpecs: offer(OpenApiSpecs, "outsideTransaction")
  }
} as const satisfies Services
