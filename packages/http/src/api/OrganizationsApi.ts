/** Organizations, and whose a subdomain or a domain of e-mail addresses is. */
import { EmailDomain, OrganizationsOfDomain } from "@lectern/core/email-domain/EmailDomain"
import {
  Organization,
  OrganizationCreate,
  OrganizationId,
  OrganizationPatch
} from "@lectern/core/organization/Organization"
import { Subdomain } from "@lectern/core/organization/Subdomain"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { listOf, PageQuery } from "./Lists.ts"
import { Authentication, Failures } from "./Middleware.ts"

const params = { organizationId: OrganizationId }

export const OrganizationsApi = HttpApiGroup.make("organizations")
  .annotateMerge(OpenApi.annotations({ title: "Organizations", description: "They own everything else." }))
  .add(
    HttpApiEndpoint.get("list", "/orgs", { query: PageQuery, success: listOf(Organization) }),
    HttpApiEndpoint.post("create", "/orgs", {
      payload: OrganizationCreate,
      success: Organization.pipe(HttpApiSchema.status(201))
    }),
    HttpApiEndpoint.get("get", "/orgs/:organizationId", { params, success: Organization }),
    HttpApiEndpoint.patch("update", "/orgs/:organizationId", {
      params,
      payload: OrganizationPatch,
      success: Organization
    }),
    HttpApiEndpoint.post("join", "/orgs/:organizationId/join", { params, success: HttpApiSchema.NoContent })
  )
  .middleware(Authentication)
  .middleware(Failures)

export const EmailDomainsApi = HttpApiGroup.make("emailDomains")
  .annotateMerge(
    OpenApi.annotations({ title: "E-mail domains", description: "Domains whose addresses belong to an organization." })
  )
  .add(
    HttpApiEndpoint.get("organizations", "/email-domains/:emailDomain/orgs", {
      params: { emailDomain: Schema.String },
      success: OrganizationsOfDomain
    }),
    HttpApiEndpoint.get("list", "/orgs/:organizationId/email-domains", {
      params,
      query: PageQuery,
      success: listOf(EmailDomain)
    }),
    HttpApiEndpoint.patch("prove", "/orgs/:organizationId/email-domains/:emailDomain", {
      params: { ...params, emailDomain: Schema.String },
      success: EmailDomain
    })
  )
  .middleware(Authentication)
  .middleware(Failures)

export const SubdomainsApi = HttpApiGroup.make("subdomains")
  .annotateMerge(OpenApi.annotations({ title: "Subdomains", description: "The organizations by their hostnames." }))
  .add(
    HttpApiEndpoint.get("get", "/subdomains/:subdomain", {
      params: { subdomain: Schema.String },
      success: Subdomain
    })
  )
  .middleware(Authentication)
  .middleware(Failures)
