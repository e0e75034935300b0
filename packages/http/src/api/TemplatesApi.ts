/** Templates: initial content of a space. */
import { TemplateApplication } from "@lectern/core/template/Template"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication, Failures } from "./Middleware.ts"
import * as Operation from "./Operation.ts"
import { spaceId } from "./Parameters.ts"

export const TemplatesApi = HttpApiGroup.make("templates")
  .annotateMerge(OpenApi.annotations({ title: "Templates", description: "Initial content for spaces." }))
  .add(
    Operation.post("apply", "/spaces/:spaceId/content/template", {
      description: "Fills an empty space with the pages of a template.",
      scopes: ["space:content:write"],
      params: { spaceId },
      payload: TemplateApplication,
      success: HttpApiSchema.Created
    })
  )
  .middleware(Authentication)
  .middleware(Failures)
