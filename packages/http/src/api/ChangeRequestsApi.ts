/** Change requests and their conflicts. */
import {
  ChangeRequest,
  ChangeRequestCreate,
  ChangeRequestPatch,
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
import { Keep } from "@lectern/core/content/merge/Conflict"
import { OrganizationId } from "@lectern/core/organization/Organization"
import { SpaceId } from "@lectern/core/space/Space"
import { Schema } from "effect"
import { ChangeRequestContributor } from "@lectern/core/comment/Comment"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { listOf, PageQuery } from "./Lists.ts"
import { Authentication, Failures } from "./Middleware.ts"

/** An id, or the number within the space. */
const params = { spaceId: SpaceId, changeRequestId: Schema.String }
const one = "/spaces/:spaceId/change-requests/:changeRequestId"

const query = {
  ...PageQuery,
  status: Schema.optionalKey(Schema.Array(StatusFilter).check(Schema.isMaxLength(10))),
  contributor: Schema.optionalKey(Schema.String)
}

export const ChangeRequestsApi = HttpApiGroup.make("changeRequests")
  .annotateMerge(
    OpenApi.annotations({ title: "Change requests", description: "Proposed edits: written, discussed, merged." })
  )
  .add(
    HttpApiEndpoint.get("list", "/spaces/:spaceId/change-requests", {
      params: { spaceId: SpaceId },
      query,
      success: listOf(ChangeRequest)
    }),
    HttpApiEndpoint.get("listInOrganization", "/orgs/:organizationId/change-requests", {
      params: { organizationId: OrganizationId },
      query,
      success: listOf(ChangeRequest)
    }),
    HttpApiEndpoint.post("create", "/spaces/:spaceId/change-requests", {
      params: { spaceId: SpaceId },
      payload: ChangeRequestCreate,
      success: ChangeRequest.pipe(HttpApiSchema.status(201))
    }),
    HttpApiEndpoint.get("get", one, { params, success: ChangeRequest }),
    HttpApiEndpoint.patch("update", one, { params, payload: ChangeRequestPatch, success: ChangeRequest }),
    HttpApiEndpoint.post("merge", `${one}/merge`, { params, success: MergeResult }),
    HttpApiEndpoint.post("pull", `${one}/update`, { params, success: UpdateResult }),
    HttpApiEndpoint.post("write", `${one}/content`, {
      params,
      /** `compat=true`, the default, answers the change request alone. */
      query: { compat: Schema.optionalKey(Schema.Boolean) },
      payload: ContentChangeBatch,
      success: [ChangeRequest, ContentUpdate]
    }),
    HttpApiEndpoint.get("contributors", `${one}/contributors`, {
      params,
      query: PageQuery,
      success: listOf(ChangeRequestContributor)
    }),
    HttpApiEndpoint.get("changes", `${one}/changes`, {
      params,
      query: { limit: PageQuery.limit },
      success: ChangeRequestChanges
    }),
    HttpApiEndpoint.get("pageChanges", `${one}/changes/page/:pageId`, {
      params: { ...params, pageId: Schema.String },
      query: { limit: PageQuery.limit },
      success: PageChanges
    }),
    HttpApiEndpoint.post("resolve", `${one}/conflicts/:conflictId`, {
      params: { ...params, conflictId: Schema.String },
      payload: Schema.Struct({ keep: Keep }),
      success: ChangeRequest
    })
  )
  .middleware(Authentication)
  .middleware(Failures)
