/** Spaces. */
import { Opening } from "@lectern/core/access/Ceiling"
import { Move, Transfer } from "@lectern/core/collection/Position"
import { OrganizationId } from "@lectern/core/organization/Organization"
import { Space, SpaceCreate, SpaceId, SpacePatch } from "@lectern/core/space/Space"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { listOf, PageQuery } from "./Lists.ts"
import { Authentication, Failures } from "./Middleware.ts"

const params = { spaceId: SpaceId }
const Created = Space.pipe(HttpApiSchema.status(201))

export const SpacesApi = HttpApiGroup.make("spaces")
  .annotateMerge(OpenApi.annotations({ title: "Spaces", description: "Each holds the content of one documentation." }))
  .add(
    HttpApiEndpoint.get("list", "/orgs/:organizationId/spaces", {
      params: { organizationId: OrganizationId },
      query: PageQuery,
      success: listOf(Space)
    }),
    HttpApiEndpoint.post("create", "/orgs/:organizationId/spaces", {
      params: { organizationId: OrganizationId },
      payload: SpaceCreate,
      success: Created
    }),
    HttpApiEndpoint.get("get", "/spaces/:spaceId", {
      params,
      query: { shareKey: Schema.optionalKey(Schema.String) },
      success: Space
    }),
    HttpApiEndpoint.patch("update", "/spaces/:spaceId", { params, payload: SpacePatch, success: Space }),
    HttpApiEndpoint.delete("remove", "/spaces/:spaceId", { params, success: HttpApiSchema.NoContent }),
    HttpApiEndpoint.post("duplicate", "/spaces/:spaceId/duplicate", { params, payload: Opening, success: Created }),
    HttpApiEndpoint.post("restore", "/spaces/:spaceId/restore", { params, payload: Opening, success: Space }),
    HttpApiEndpoint.post("move", "/spaces/:spaceId/move", { params, payload: Move, success: Space }),
    HttpApiEndpoint.post("transfer", "/spaces/:spaceId/transfer", { params, payload: Transfer, success: Space })
  )
  .middleware(Authentication)
  .middleware(Failures)
