/** OpenID Connect identity providers of an organization. */
import { OidcProvider, OidcProviderCreate, OidcProviderPatch } from "@lectern/core/sso/OidcProvider"
import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { listOf, PageQuery } from "./Lists.ts"
import { Authentication, Failures } from "./Middleware.ts"
import * as Operation from "./Operation.ts"
import { organizationId } from "./Parameters.ts"

const organization = { organizationId }
const listPath = "/orgs/:organizationId/oidc"
const itemPath = `${listPath}/:oidcProviderId` as const
const params = {
  ...organization,
  oidcProviderId: Schema.String.annotateKey({ description: "The id of the OpenID Connect provider." })
}

export const OidcProvidersApi = HttpApiGroup.make("oidcProviders")
  .annotateMerge(
    OpenApi.annotations({
      title: "OpenID Connect",
      description: "OpenID Connect providers for single sign-on."
    })
  )
  .add(
    Operation.get("list", listPath, {
      description: "Lists the OpenID Connect providers of an organization, oldest first.",
      scopes: ["organization:read"],
      params: organization,
      query: PageQuery,
      success: listOf(OidcProvider)
    }),
    Operation.post("create", listPath, {
      description: "Creates an OpenID Connect provider.",
      scopes: ["organization:write"],
      params: organization,
      payload: OidcProviderCreate,
      success: OidcProvider.pipe(HttpApiSchema.status(201))
    }),
    Operation.get("get", itemPath, {
      description: "Returns one OpenID Connect provider.",
      scopes: ["organization:read"],
      params,
      success: OidcProvider
    }),
    Operation.patch("update", itemPath, {
      description: "Changes an OpenID Connect provider.",
      scopes: ["organization:write"],
      params,
      payload: OidcProviderPatch,
      success: OidcProvider
    }),
    Operation.delete("remove", itemPath, {
      description: "Deletes an OpenID Connect provider and revokes its sessions.",
      scopes: ["organization:write"],
      params,
      success: HttpApiSchema.NoContent
    })
  )
  .middleware(Authentication)
  .middleware(Failures)
