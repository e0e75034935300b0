/** Lists the services of OpenAPI specs and their versions, and the job that processes a spec. */
import { offer, type Services } from "../Services.ts"
import { processSpec } from "./OpenApiProcessing.ts"
import { OpenApiSpecs } from "./OpenApiSpecs.ts"
import { OpenApiVersions } from "./OpenApiVersions.ts"

export const openApiServices = {
  jobs: [processSpec],
  offered: {
    openApiSpecs: offer(OpenApiSpecs, "outsideTransaction"),
    openApiVersions: offer(OpenApiVersions, "outsideTransaction")
  }
} as const satisfies Services
