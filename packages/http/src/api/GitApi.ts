/** Synchronization of a space with a Git repository. */
import { GitExportRequest, GitImportRequest, GitSyncState } from "@lectern/exchange/git/GitSync"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication, Failures } from "./Middleware.ts"
import * as Operation from "./Operation.ts"
import { spaceId } from "./Parameters.ts"

const git = "/spaces/:spaceId/git"
const params = { spaceId }

export const GitApi = HttpApiGroup.make("git")
  .annotateMerge(
    OpenApi.annotations({
      title: "Git",
      description: "Imports from and exports to Git repositories, in the background."
    })
  )
  .add(
    Operation.post("import", `${git}/import`, {
      description: "Imports a branch of a Git repository into a space.",
      scopes: ["space:git:sync"],
      params,
      payload: GitImportRequest,
      success: HttpApiSchema.NoContent
    }),
    Operation.post("export", `${git}/export`, {
      description: "Exports the content of a space to a branch of a Git repository.",
      scopes: ["space:git:sync"],
      params,
      payload: GitExportRequest,
      success: HttpApiSchema.NoContent
    }),
    Operation.get("info", `${git}/info`, {
      description: "Returns the repository that a space was last synchronized with.",
      scopes: ["space:git:sync", "space:content:read"],
      params,
      success: GitSyncState
    })
  )
  .middleware(Authentication)
  .middleware(Failures)
