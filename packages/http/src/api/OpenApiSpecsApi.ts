/** OpenAPI specs of an organization, and the content of their versions. */
import { OpenApiSpec, OpenApiSpecCreate, OpenApiSpecPatch, OpenApiSpecPut } from "@lectern/core/openapi/OpenApiSpec"
import { OpenApiContent, OpenApiRawContent, OpenApiVersion } from "@lectern/core/openapi/OpenApiVersion"
import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { listOf, PageQuery } from "./Lists.ts"
import { Authentication, Failures } from "./Middleware.ts"
import * as Operation from "./Operation.ts"
import { organizationId } from "./Parameters.ts"

const listPath = "/orgs/:organizationId/openapi"
const itemPath = `${listPath}/:specSlug` as const
const params = { organizationId, specSlug: Schema.String.annotateKey({ description: "The slug of the OpenAPI spec." }) }
const version = `${itemPath}/versions/:versionId` as const
/** `latest` instead of an id selects the newest version. */
const versionParams = {
  ...params,
  versionId: Schema.String.annotateKey({ description: "The id of the version; `latest` is the newest." })
}

export const OpenApiSpecsApi = HttpApiGroup.make("openApiSpecs")
  .annotateMerge(
    OpenApi.annotations({ title: "OpenAPI specs", description: "OpenAPI specs of an organization, by slug." })
  )
  .add(
    Operation.get("list", listPath, {
      description: "Lists the OpenAPI specs of an organization.",
      scopes: ["openapi:read"],
      params: { organizationId },
      query: PageQuery,
      success: listOf(OpenApiSpec)
    }),
    Operation.post("create", listPath, {
      description: "Creates an OpenAPI spec.",
      scopes: ["openapi:write"],
      params: { organizationId },
      payload: OpenApiSpecCreate,
      success: OpenApiSpec.pipe(HttpApiSchema.status(201))
    }),
    Operation.get("get", itemPath, {
      description: "Returns one OpenAPI spec.",
      scopes: ["openapi:read"],
      params,
      success: OpenApiSpec
    }),
    Operation.put("put", itemPath, {
      description: "Creates an OpenAPI spec, or a new version of one.",
      scopes: ["openapi:write"],
      params,
      payload: OpenApiSpecPut,
      success: OpenApiSpec
    }),
    Operation.patch("update", itemPath, {
      description: "Changes the settings of an OpenAPI spec.",
      scopes: ["openapi:write"],
      params,
      payload: OpenApiSpecPatch,
      success: OpenApiSpec
    }),
    Operation.delete("remove", itemPath, {
      description: "Deletes an OpenAPI spec.",
      scopes: ["openapi:write"],
      params,
      success: HttpApiSchema.NoContent
    }),
    Operation.get("versions", `${itemPath}/versions`, {
      description: "Lists the versions of an OpenAPI spec.",
      scopes: ["openapi:read"],
      params,
      query: PageQuery,
      success: listOf(OpenApiVersion)
    }),
    Operation.get("version", version, {
      description: "Returns one version of an OpenAPI spec.",
      scopes: ["openapi:read"],
      params: versionParams,
      success: OpenApiVersion
    }),
    Operation.get("content", `${version}/content`, {
      description: "Returns the OpenAPI document of a version, parsed and bundled.",
      scopes: ["openapi:read"],
      params: versionParams,
      success: OpenApiContent
    }),
    Operation.get("rawContent", `${version}/content/raw`, {
      description: "Returns the OpenAPI document of a version as it was submitted.",
      scopes: ["openapi:read"],
      params: versionParams,
      success: OpenApiRawContent
    })
  )
  .middleware(Authentication)
  .middleware(Failures)

/** The newest version of a public spec, readable without a token. */
export const PublishedSpecsApi = HttpApiGroup.make("publishedSpecs")
  .annotateMerge(
    OpenApi.annotations({ title: "Published specs", description: "Public OpenAPI specs, readable without a token." })
  )
  .add(
    Operation.get("get", "/openapi/:organizationId/:specSlug", {
      description: "Returns the newest version of a public OpenAPI spec.",
      scopes: [],
      conditions: "held",
      params,
      success: Schema.Record(Schema.String, Schema.Json)
    })
  )
  .middleware(Failures)
