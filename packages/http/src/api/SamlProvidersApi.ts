/** SAML identity providers of an organization. */
import { SamlProvider, SamlProviderCreate, SamlProviderPatch } from "@lectern/core/sso/SamlProvider"
import { SsoLogins } from "@lectern/core/sso/SignOnProvider"
import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { listOf, PageQuery } from "./Lists.ts"
import { Authentication, Failures } from "./Middleware.ts"
import * as Operation from "./Operation.ts"
import { organizationId } from "./Parameters.ts"

const organization = { organizationId }
const listPath = "/orgs/:organizationId/saml"
const itemPath = `${listPath}/:samlProviderId` as const
const params = {
  ...organization,
  samlProviderId: Schema.String.annotateKey({ description: "The id of the SAML provider." })
}

export const SamlProvidersApi = HttpApiGroup.make("samlProviders")
  .annotateMerge(OpenApi.annotations({ title: "Sign-on", description: "SAML providers for single sign-on." }))
  .add(
    Operation.get("list", listPath, {
      description: "Lists the SAML providers of an organization, oldest first.",
      scopes: ["organization:read"],
      params: organization,
      query: PageQuery,
      success: listOf(SamlProvider)
    }),
    Operation.post("create", listPath, {
      description: "Creates a SAML provider.",
      scopes: ["organization:write"],
      params: organization,
      payload: SamlProviderCreate,
      success: SamlProvider.pipe(HttpApiSchema.status(201))
    }),
    Operation.get("get", itemPath, {
      description: "Returns one SAML provider.",
      scopes: ["organization:read"],
      params,
      success: SamlProvider
    }),
    Operation.patch("update", itemPath, {
      description: "Changes a SAML provider.",
      scopes: ["organization:write"],
      params,
      payload: SamlProviderPatch,
      success: SamlProvider
    }),
    Operation.delete("remove", itemPath, {
      description: "Deletes a SAML provider and revokes its sessions.",
      scopes: ["organization:write"],
      params,
      success: HttpApiSchema.NoContent
    }),
    Operation.get("logins", "/orgs/:organizationId/sso", {
      description: "Lists the active identity providers for signing on.",
      scopes: ["organization:read"],
      params: organization,
      success: SsoLogins
    })
  )
  .middleware(Authentication)
  .middleware(Failures)
