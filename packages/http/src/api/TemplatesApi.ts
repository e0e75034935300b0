/** Templates: content that a space begins with. */
import { SpaceId } from "@lectern/core/space/Space"
import { TemplateApplication } from "@lectern/core/template/Template"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication, Failures } from "./Middleware.ts"

export const TemplatesApi = HttpApiGroup.make("templates")
  .annotateMerge(OpenApi.annotations({ title: "Templates", description: "Content that a space begins with." }))
  .add(
    HttpApiEndpoint.post("apply", "/spaces/:spaceId/content/template", {
      params: { spaceId: SpaceId },
      payload: TemplateApplication,
      success: HttpApiSchema.Created
    })
  )
  .middleware(Authentication)
  .middleware(Failures)
