/** Services of OpenAPI specs. */
import type { Services } from "../Services.ts"
import { processSpec } from "./OpenApiProcessing.ts"
import { OpenApiSpecPolicy } from "./OpenApiSpecPolicy.ts"
import { OpenApiSpecs } from "./OpenApiSpecs.ts"
import { OpenApiVersions } from "./OpenApiVersions.ts"

export const openApiServices = {
  layers: [OpenApiSpecPolicy.layer, OpenApiSpecs.layer, OpenApiVersions.layer],
  jobs: [processSpec],
  offered: { openApiSpecs: OpenApiSpecs, openApiVersions: OpenApiVersions }
} as const satisfies Services
