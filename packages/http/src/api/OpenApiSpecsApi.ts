/** The OpenAPI specs of an organization, and what their versions hold. */
import { OpenApiSpec, OpenApiSpecCreate, OpenApiSpecPatch, OpenApiSpecPut } from "@lectern/core/openapi/OpenApiSpec"
import { OpenApiContent, OpenApiRawContent, OpenApiVersion } from "@lectern/core/openapi/OpenApiVersion"
import { OrganizationId } from "@lectern/core/organization/Organization"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { listOf, PageQuery } from "./Lists.ts"
import { Authentication, Failures } from "./Middleware.ts"

const all = "/orgs/:organizationId/openapi"
const one = `${all}/:specSlug` as const
const params = { organizationId: OrganizationId, specSlug: Schema.String }
const version = `${one}/versions/:versionId` as const
/** `latest` in place of an id is the last version. */
const versionParams = { ...params, versionId: Schema.String }

export const OpenApiSpecsApi = HttpApiGroup.make("openApiSpecs")
  .annotateMerge(OpenApi.annotations({ title: "OpenAPI specs", description: "Descriptions of APIs, by their slugs." }))
  .add(
    HttpApiEndpoint.get("list", all, {
      params: { organizationId: OrganizationId },
      query: PageQuery,
      success: listOf(OpenApiSpec)
    }),
    HttpApiEndpoint.post("create", all, {
      params: { organizationId: OrganizationId },
      payload: OpenApiSpecCreate,
      success: OpenApiSpec.pipe(HttpApiSchema.status(201))
    }),
    HttpApiEndpoint.get("get", one, { params, success: OpenApiSpec }),
    HttpApiEndpoint.put("put", one, { params, payload: OpenApiSpecPut, success: OpenApiSpec }),
    HttpApiEndpoint.patch("update", one, { params, payload: OpenApiSpecPatch, success: OpenApiSpec }),
    HttpApiEndpoint.delete("remove", one, { params, success: HttpApiSchema.NoContent }),
    HttpApiEndpoint.get("versions", `${one}/versions`, { params, query: PageQuery, success: listOf(OpenApiVersion) }),
    HttpApiEndpoint.get("version", version, { params: versionParams, success: OpenApiVersion }),
    HttpApiEndpoint.get("content", `${version}/content`, { params: versionParams, success: OpenApiContent }),
    HttpApiEndpoint.get("rawContent", `${version}/content/raw`, { params: versionParams, success: OpenApiRawContent })
  )
  .middleware(Authentication)
  .middleware(Failures)

/** The last version of a public spec, for everyone. */
export const PublishedSpecsApi = HttpApiGroup.make("publishedSpecs")
  .annotateMerge(OpenApi.annotations({ title: "Published specs", description: "Public specs, without a token." }))
  .add(
    HttpApiEndpoint.get("get", "/openapi/:organizationId/:specSlug", {
      params,
      success: Schema.Record(Schema.String, Schema.Json)
    })
  )
  .middleware(Failures)
