/** Operations that keep a space in step with a Git repository. */
import { GitExportRequest, GitImportRequest, GitSyncState } from "@lectern/core/git/GitSync"
import { SpaceId } from "@lectern/core/space/Space"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication, Failures } from "./Middleware.ts"

const git = "/spaces/:spaceId/git"
const params = { spaceId: SpaceId }

export const GitApi = HttpApiGroup.make("git")
  .annotateMerge(
    OpenApi.annotations({ title: "Git", description: "Imports from and exports to repositories, in the background." })
  )
  .add(
    HttpApiEndpoint.post("import", `${git}/import`, {
      params,
      payload: GitImportRequest,
      success: HttpApiSchema.NoContent
    }),
    HttpApiEndpoint.post("export", `${git}/export`, {
      params,
      payload: GitExportRequest,
      success: HttpApiSchema.NoContent
    }),
    HttpApiEndpoint.get("info", `${git}/info`, { params, success: GitSyncState })
  )
  .middleware(Authentication)
  .middleware(Failures)
