/** The identity providers that an organization's people sign on with. */
import { OrganizationId } from "@lectern/core/organization/Organization"
import { SamlProvider, SamlProviderCreate, SamlProviderPatch, SsoLogins } from "@lectern/core/sso/SamlProvider"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { listOf, PageQuery } from "./Lists.ts"
import { Authentication, Failures } from "./Middleware.ts"

const organization = { organizationId: OrganizationId }
const all = "/orgs/:organizationId/saml"
const one = `${all}/:samlProviderId` as const
const params = { ...organization, samlProviderId: Schema.String }

export const SamlProvidersApi = HttpApiGroup.make("samlProviders")
  .annotateMerge(
    OpenApi.annotations({ title: "Sign-on", description: "SAML providers, and how to sign on with them." })
  )
  .add(
    HttpApiEndpoint.get("list", all, { params: organization, query: PageQuery, success: listOf(SamlProvider) }),
    HttpApiEndpoint.post("create", all, {
      params: organization,
      payload: SamlProviderCreate,
      success: SamlProvider.pipe(HttpApiSchema.status(201))
    }),
    HttpApiEndpoint.get("get", one, { params, success: SamlProvider }),
    HttpApiEndpoint.patch("update", one, { params, payload: SamlProviderPatch, success: SamlProvider }),
    HttpApiEndpoint.delete("remove", one, { params, success: HttpApiSchema.NoContent }),
    HttpApiEndpoint.get("logins", "/orgs/:organizationId/sso", { params: organization, success: SsoLogins })
  )
  .middleware(Authentication)
  .middleware(Failures)
