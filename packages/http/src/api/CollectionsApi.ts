/** Collections. */
import { Collection, CollectionCreate, CollectionId, CollectionPatch } from "@lectern/core/collection/Collection"
import { Move, Transfer } from "@lectern/core/collection/Position"
import { OrganizationId } from "@lectern/core/organization/Organization"
import { Space } from "@lectern/core/space/Space"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { listOf, PageQuery } from "./Lists.ts"
import { Authentication, Failures } from "./Middleware.ts"

const params = { collectionId: CollectionId }
const one = "/collections/:collectionId"

export const CollectionsApi = HttpApiGroup.make("collections")
  .annotateMerge(
    OpenApi.annotations({
      title: "Collections",
      description: "Groups of spaces, with an order and levels of their own."
    })
  )
  .add(
    HttpApiEndpoint.get("list", "/orgs/:organizationId/collections", {
      params: { organizationId: OrganizationId },
      query: { ...PageQuery, nested: Schema.optionalKey(Schema.Boolean) },
      success: listOf(Collection)
    }),
    HttpApiEndpoint.post("create", "/orgs/:organizationId/collections", {
      params: { organizationId: OrganizationId },
      payload: CollectionCreate,
      success: Collection.pipe(HttpApiSchema.status(201))
    }),
    HttpApiEndpoint.get("get", one, { params, success: Collection }),
    HttpApiEndpoint.patch("update", one, { params, payload: CollectionPatch, success: Collection }),
    HttpApiEndpoint.delete("remove", one, { params, success: HttpApiSchema.NoContent }),
    HttpApiEndpoint.get("listSpaces", `${one}/spaces`, { params, query: PageQuery, success: listOf(Space) }),
    HttpApiEndpoint.post("move", `${one}/move`, { params, payload: Move, success: Collection }),
    HttpApiEndpoint.post("transfer", `${one}/transfer`, { params, payload: Transfer, success: Collection })
  )
  .middleware(Authentication)
  .middleware(Failures)
