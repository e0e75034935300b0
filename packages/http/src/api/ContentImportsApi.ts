/** Imports of content by a URL. The answer comes when it is done: a minute at most. */
import { ContentImport, ContentImported } from "@lectern/core/content/import/ContentImport"
import { SpaceId } from "@lectern/core/space/Space"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication, Failures } from "./Middleware.ts"

const success = ContentImported.pipe(HttpApiSchema.status(201))

export const ContentImportsApi = HttpApiGroup.make("contentImports")
  .annotateMerge(
    OpenApi.annotations({
      title: "Imports of content",
      description: "Pages of a web site, of Markdown, HTML and Word documents, and of archives of those."
    })
  )
  .add(
    HttpApiEndpoint.post("space", "/spaces/:spaceId/content/import", {
      params: { spaceId: SpaceId },
      payload: ContentImport,
      success
    }),
    HttpApiEndpoint.post("changeRequest", "/spaces/:spaceId/change-requests/:changeRequestId/content/import", {
      params: { spaceId: SpaceId, changeRequestId: Schema.String },
      payload: ContentImport,
      success
    })
  )
  .middleware(Authentication)
  .middleware(Failures)
