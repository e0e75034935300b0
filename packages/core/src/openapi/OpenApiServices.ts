/** Lists the service of OpenAPI specs and their versions, and the job that processes a spec. */
import { offer, type Services } from "../Services.ts"
import { processSpec } from "./OpenApiProcessing.ts"
import { OpenApiSpecs } from "./OpenApiSpecs.ts"

export const openApiServices = {
  jobs: [processSpec],
  offered: {
    openApiSpecs: offer(OpenApiSpecs, {
      list: "outsideTransaction",
      get: "outsideTransaction",
      create: "outsideTransaction",
      put: "outsideTransaction",
      update: "outsideTransaction",
      remove: "outsideTransaction",
      versions: "outsideTransaction",
      version: "outsideTransaction",
      content: "outsideTransaction",
      contentJson: "outsideTransaction",
      raw: "outsideTransaction",
      rawJson: "outsideTransaction",
      published: "internal"
    })
  }
} as const satisfies Services
