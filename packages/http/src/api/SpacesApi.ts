/** Operations on spaces. */
import { AccessReset } from "@lectern/core/access/AccessCeiling"
import { Move, Transfer } from "@lectern/core/collection/Position"
import { DeletedSpace, Space, SpaceCreate, SpacePatch } from "@lectern/core/space/Space"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { listOf, PageQuery } from "./Lists.ts"
import { Authentication, Failures } from "./Middleware.ts"
import * as Operation from "./Operation.ts"
import { organizationId, ShareKeyQuery, spaceId } from "./Parameters.ts"

const params = { spaceId }
const Created = Space.pipe(HttpApiSchema.status(201))

export const SpacesApi = HttpApiGroup.make("spaces")
  .annotateMerge(
    OpenApi.annotations({ title: "Spaces", description: "Spaces contain the pages and files of a documentation." })
  )
  .add(
    Operation.get("list", "/orgs/:organizationId/spaces", {
      description: "Lists the spaces of an organization that the user may see.",
      scopes: ["space:metadata:read"],
      params: { organizationId },
      query: PageQuery,
      success: listOf(Space)
    }),
    Operation.get("listDeleted", "/orgs/:organizationId/deleted-spaces", {
      description: "Lists the spaces in the trash that the user may restore, latest deletion first.",
      scopes: ["space:metadata:read"],
      params: { organizationId },
      query: PageQuery,
      success: listOf(DeletedSpace)
    }),
    Operation.post("create", "/orgs/:organizationId/spaces", {
      description: "Creates a space, empty or from a template.",
      scopes: ["space:metadata:write"],
      params: { organizationId },
      payload: SpaceCreate,
      success: Created
    }),
    Operation.get("get", "/spaces/:spaceId", {
      description: "Returns one space.",
      scopes: ["space:metadata:read", "space:content:read"],
      params,
      query: ShareKeyQuery,
      success: Space
    }),
    Operation.patch("update", "/spaces/:spaceId", {
      description: "Changes the settings of a space.",
      scopes: ["space:metadata:write"],
      params,
      payload: SpacePatch,
      success: Space
    }),
    Operation.delete("remove", "/spaces/:spaceId", {
      description: "Moves a space to the trash. It can be restored for 7 days.",
      scopes: ["space:metadata:write"],
      params,
      success: HttpApiSchema.NoContent
    }),
    Operation.post("duplicate", "/spaces/:spaceId/duplicate", {
      description: "Duplicates a space with its content, without its history.",
      scopes: ["space:metadata:write"],
      params,
      payload: AccessReset,
      success: Created
    }),
    Operation.post("restore", "/spaces/:spaceId/restore", {
      description: "Restores a space from the trash.",
      scopes: ["space:metadata:write"],
      params,
      payload: AccessReset,
      success: Space
    }),
    Operation.post("move", "/spaces/:spaceId/move", {
      description: "Moves a space into a collection, to the top level, or to another position among its siblings.",
      scopes: ["space:metadata:write"],
      params,
      payload: Move,
      success: Space
    }),
    Operation.post("transfer", "/spaces/:spaceId/transfer", {
      description: "Transfers a space to another organization.",
      scopes: ["space:metadata:write"],
      params,
      payload: Transfer,
      success: Space
    })
  )
  .middleware(Authentication)
  .middleware(Failures)
