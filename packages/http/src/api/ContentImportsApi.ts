/** Imports of content from a URL. The response follows after the import, within a minute. */
import { ContentImport, ContentImportResult } from "@lectern/exchange/import/ContentImport"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication, Failures } from "./Middleware.ts"
import * as Operation from "./Operation.ts"
import { changeRequestId, spaceId } from "./Parameters.ts"

const success = ContentImportResult.pipe(HttpApiSchema.status(201))

export const ContentImportsApi = HttpApiGroup.make("contentImports")
  .annotateMerge(
    OpenApi.annotations({
      title: "Imports of content",
      description: "Pages from web sites, Markdown, HTML and Word documents, and archives of them."
    })
  )
  .add(
    Operation.post("space", "/spaces/:spaceId/content/import", {
      description: "Imports pages from elsewhere into a space.",
      scopes: ["space:content:write"],
      params: { spaceId },
      payload: ContentImport,
      success
    }),
    Operation.post("changeRequest", "/spaces/:spaceId/change-requests/:changeRequestId/content/import", {
      description: "Imports pages from elsewhere into a change request.",
      scopes: ["space:content:write"],
      conditions: "seen",
      params: { spaceId, changeRequestId },
      payload: ContentImport,
      success
    })
  )
  .middleware(Authentication)
  .middleware(Failures)
