/** Operations on change requests and their conflicts. */
import {
  ChangeRequest,
  ChangeRequestCreate,
  ChangeRequestPatch,
  RevisionRevert,
  StatusFilter
} from "@lectern/core/change-request/ChangeRequest"
import {
  ChangeRequestChanges,
  ContentUpdate,
  MergeResult,
  UpdateResult
} from "@lectern/core/change-request/ChangeRequestResources"
import { ContentChangeBatch } from "@lectern/core/content/edits/ContentChange"
import { PageChanges } from "@lectern/core/content/pages/PageChange"
import { MergeBypass } from "@lectern/core/merge-rules/MergeRules"
import { Keep } from "@lectern/core/content/merge/Conflict"
import { Schema } from "effect"
import { ChangeRequestContributor } from "@lectern/core/comment/Comment"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { listOf, PageQuery } from "./Lists.ts"
import { Authentication, Failures } from "./Middleware.ts"
import * as Operation from "./Operation.ts"
import { changeRequestId, organizationId, pageId, revisionId, spaceId } from "./Parameters.ts"

/** The parameter is an id, or the number within the space. */
const params = { spaceId, changeRequestId }
const itemPath = "/spaces/:spaceId/change-requests/:changeRequestId"

const query = {
  ...PageQuery,
  status: Schema.optionalKey(Schema.Array(StatusFilter).check(Schema.isMaxLength(10))).annotateKey({
    description: "Only change requests with one of these statuses."
  }),
  contributor: Schema.optionalKey(Schema.String).annotateKey({
    description: "Only change requests that this user contributed to, by id."
  }),
  reviewer: Schema.optionalKey(Schema.String).annotateKey({
    description: "Only change requests that wait for a review by this user, by id."
  })
}

export const ChangeRequestsApi = HttpApiGroup.make("changeRequests")
  .annotateMerge(
    OpenApi.annotations({
      title: "Change requests",
      description: "Proposed edits that are written, discussed and merged."
    })
  )
  .add(
    Operation.get("list", "/spaces/:spaceId/change-requests", {
      description: "Lists the change requests of a space.",
      scopes: ["space:content:read"],
      params: { spaceId },
      query,
      success: listOf(ChangeRequest)
    }),
    Operation.get("listInOrganization", "/orgs/:organizationId/change-requests", {
      description: "Lists the change requests of all spaces of an organization.",
      scopes: ["space:content:read"],
      params: { organizationId },
      query,
      success: listOf(ChangeRequest)
    }),
    Operation.post("create", "/spaces/:spaceId/change-requests", {
      description: "Opens a change request on a space.",
      scopes: ["space:content:write"],
      params: { spaceId },
      payload: ChangeRequestCreate,
      success: ChangeRequest.pipe(HttpApiSchema.status(201))
    }),
    Operation.post("revert", "/spaces/:spaceId/revisions/:revisionId/revert", {
      description: "Opens a change request that returns a space, or some of its pages, to a revision.",
      scopes: ["space:content:write"],
      params: { spaceId, revisionId },
      payload: RevisionRevert,
      success: ChangeRequest.pipe(HttpApiSchema.status(201))
    }),
    Operation.get("get", itemPath, {
      description: "Returns one change request.",
      scopes: ["space:content:read"],
      params,
      success: ChangeRequest
    }),
    Operation.patch("update", itemPath, {
      description: "Changes the subject, the description or the status of a change request.",
      scopes: ["space:content:write"],
      params,
      payload: ChangeRequestPatch,
      success: ChangeRequest
    }),
    Operation.post("merge", `${itemPath}/merge`, {
      description: "Merges a change request into its space, or returns conflicts.",
      scopes: ["space:review"],
      conditions: "seen",
      params,
      payload: Schema.Struct({ bypass: Schema.optionalKey(MergeBypass) }),
      success: MergeResult
    }),
    Operation.post("pull", `${itemPath}/update`, {
      description: "Updates a change request with the current content of its space.",
      scopes: ["space:content:write"],
      conditions: "seen",
      params,
      success: UpdateResult
    }),
    Operation.post("write", `${itemPath}/content`, {
      description: "Applies a batch of changes to the content of a change request, atomically.",
      scopes: ["space:content:write"],
      conditions: "seen",
      params,
      /** `compat=true` (default) returns only the change request. */
      query: {
        compat: Schema.optionalKey(Schema.Boolean).annotateKey({
          description: "`true`: returns only the change request, as older clients expect. Default: `true`."
        })
      },
      payload: ContentChangeBatch,
      success: [ChangeRequest, ContentUpdate]
    }),
    Operation.get("contributors", `${itemPath}/contributors`, {
      description: "Lists the contributors of a change request.",
      scopes: ["space:content:read"],
      params,
      query: PageQuery,
      success: listOf(ChangeRequestContributor)
    }),
    Operation.get("changes", `${itemPath}/changes`, {
      description: "Lists the pages and files that a change request changes.",
      scopes: ["space:content:read"],
      params,
      query: { limit: PageQuery.limit },
      success: ChangeRequestChanges
    }),
    Operation.get("pageChanges", `${itemPath}/changes/page/:pageId`, {
      description: "Returns the changes of a change request to one page.",
      scopes: ["space:content:read"],
      params: { ...params, pageId },
      query: { limit: PageQuery.limit },
      success: PageChanges
    }),
    Operation.post("resolve", `${itemPath}/conflicts/:conflictId`, {
      description: "Resolves a conflict of a change request.",
      scopes: ["space:content:write"],
      conditions: "seen",
      params: { ...params, conflictId: Schema.String.annotateKey({ description: "The id of the conflict." }) },
      payload: Schema.Struct({ keep: Keep }),
      success: ChangeRequest
    })
  )
  .middleware(Authentication)
  .middleware(Failures)
