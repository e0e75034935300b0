/** Operations on collections. */
import { Collection, CollectionCreate, CollectionPatch } from "@lectern/core/collection/Collection"
import { Move, Transfer } from "@lectern/core/collection/Position"
import { Space } from "@lectern/core/space/Space"
import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { listOf, PageQuery } from "./Lists.ts"
import { Authentication, Failures } from "./Middleware.ts"
import * as Operation from "./Operation.ts"
import { collectionId, organizationId } from "./Parameters.ts"

const params = { collectionId }
const itemPath = "/collections/:collectionId"

export const CollectionsApi = HttpApiGroup.make("collections")
  .annotateMerge(
    OpenApi.annotations({
      title: "Collections",
      description: "Ordered groups of spaces, with access levels."
    })
  )
  .add(
    Operation.get("list", "/orgs/:organizationId/collections", {
      description: "Lists the collections of an organization that the user may see.",
      scopes: ["space:metadata:read"],
      params: { organizationId },
      query: {
        ...PageQuery,
        nested: Schema.optionalKey(Schema.Boolean).annotateKey({
          description: "`false`: only top-level collections. Default: `true`."
        })
      },
      success: listOf(Collection)
    }),
    Operation.post("create", "/orgs/:organizationId/collections", {
      description: "Creates a collection.",
      scopes: ["space:metadata:write"],
      params: { organizationId },
      payload: CollectionCreate,
      success: Collection.pipe(HttpApiSchema.status(201))
    }),
    Operation.get("get", itemPath, {
      description: "Returns one collection.",
      scopes: ["space:metadata:read"],
      params,
      success: Collection
    }),
    Operation.patch("update", itemPath, {
      description: "Changes the title or the settings of a collection.",
      scopes: ["space:metadata:write"],
      params,
      payload: CollectionPatch,
      success: Collection
    }),
    Operation.delete("remove", itemPath, {
      description: "Deletes a collection. Its contents move to the parent.",
      scopes: ["space:metadata:write"],
      params,
      success: HttpApiSchema.NoContent
    }),
    Operation.get("listSpaces", `${itemPath}/spaces`, {
      description: "Lists the spaces that are directly in a collection.",
      scopes: ["space:metadata:read"],
      params,
      query: PageQuery,
      success: listOf(Space)
    }),
    Operation.post("move", `${itemPath}/move`, {
      description: "Moves a collection into another one, to the top level, or to another position among its siblings.",
      scopes: ["space:metadata:write"],
      params,
      payload: Move,
      success: Collection
    }),
    Operation.post("transfer", `${itemPath}/transfer`, {
      description: "Transfers a collection with its contents to another organization.",
      scopes: ["space:metadata:write"],
      params,
      payload: Transfer,
      success: Collection
    })
  )
  .middleware(Authentication)
  .middleware(Failures)
