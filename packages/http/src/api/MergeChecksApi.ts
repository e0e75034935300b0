/** Checks of change requests, which other programs set. */
import { CheckName } from "@lectern/core/merge-check/CheckName"
import { MergeCheck, MergeCheckSet } from "@lectern/core/merge-check/MergeCheck"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { listOf, PageQuery } from "./Lists.ts"
import { Authentication, Failures } from "./Middleware.ts"
import * as Operation from "./Operation.ts"
import { changeRequestId, spaceId } from "./Parameters.ts"

const listPath = "/spaces/:spaceId/change-requests/:changeRequestId/checks"
const params = { spaceId, changeRequestId }
const check = { ...params, checkName: CheckName.annotateKey({ description: "The name of the check." }) }

export const MergeChecksApi = HttpApiGroup.make("mergeChecks")
  .annotateMerge(
    OpenApi.annotations({
      title: "Checks",
      description: "Results of other programs for change requests, such as jobs of CI."
    })
  )
  .add(
    Operation.get("list", listPath, {
      description: "Lists the checks of a change request.",
      scopes: ["space:content:read"],
      params,
      query: PageQuery,
      success: listOf(MergeCheck)
    }),
    Operation.put("set", `${listPath}/:checkName`, {
      description: "Sets a check of a change request.",
      scopes: ["space:check:write"],
      params: check,
      payload: MergeCheckSet,
      success: MergeCheck
    }),
    Operation.delete("remove", `${listPath}/:checkName`, {
      description: "Removes a check of a change request.",
      scopes: ["space:check:write"],
      params: check,
      success: HttpApiSchema.NoContent
    })
  )
  .middleware(Authentication)
  .middleware(Failures)
