/** Organizations, and the owners of subdomains and e-mail domains. */
import { EmailDomain, OrganizationsOfDomain } from "@lectern/core/email-domain/EmailDomain"
import { Organization, OrganizationCreate, OrganizationPatch } from "@lectern/core/organization/Organization"
import { Subdomain } from "@lectern/core/organization/Subdomain"
import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { listOf, PageQuery } from "./Lists.ts"
import { Authentication, Failures } from "./Middleware.ts"
import * as Operation from "./Operation.ts"
import { organizationId } from "./Parameters.ts"

const emailDomain = Schema.String.annotateKey({ description: "The domain, such as `example.com`." })
const params = { organizationId }

export const OrganizationsApi = HttpApiGroup.make("organizations")
  .annotateMerge(
    OpenApi.annotations({
      title: "Organizations",
      description: "Organizations own spaces, sites and all other resources."
    })
  )
  .add(
    Operation.get("list", "/orgs", {
      description: "Lists the organizations of the user, oldest first.",
      scopes: ["organization:read"],
      query: PageQuery,
      success: listOf(Organization)
    }),
    Operation.post("create", "/orgs", {
      description: "Creates an organization with the user as its administrator.",
      scopes: ["organization:write"],
      payload: OrganizationCreate,
      success: Organization.pipe(HttpApiSchema.status(201))
    }),
    Operation.get("get", "/orgs/:organizationId", {
      description: "Returns an organization.",
      scopes: ["organization:read"],
      params,
      success: Organization
    }),
    Operation.patch("update", "/orgs/:organizationId", {
      description: "Changes the settings of an organization.",
      scopes: ["organization:write"],
      params,
      payload: OrganizationPatch,
      success: Organization
    }),
    Operation.post("join", "/orgs/:organizationId/join", {
      description: "Joins an organization that has verified the domain of your e-mail address.",
      scopes: ["user:write"],
      params,
      success: HttpApiSchema.NoContent
    })
  )
  .middleware(Authentication)
  .middleware(Failures)

export const EmailDomainsApi = HttpApiGroup.make("emailDomains")
  .annotateMerge(
    OpenApi.annotations({
      title: "E-mail domains",
      description: "E-mail domains whose users may join an organization."
    })
  )
  .add(
    Operation.get("organizations", "/email-domains/:emailDomain/orgs", {
      description: "Lists the organizations with a verified e-mail domain that you belong to or may join.",
      scopes: ["organization:read"],
      params: { emailDomain },
      success: OrganizationsOfDomain
    }),
    Operation.get("list", "/orgs/:organizationId/email-domains", {
      description: "Lists the e-mail domains of an organization, with the DNS records for verification.",
      scopes: ["organization:read"],
      params,
      query: PageQuery,
      success: listOf(EmailDomain)
    }),
    Operation.patch("prove", "/orgs/:organizationId/email-domains/:emailDomain", {
      description: "Verifies an e-mail domain now.",
      scopes: ["organization:write"],
      params: { ...params, emailDomain },
      success: EmailDomain
    })
  )
  .middleware(Authentication)
  .middleware(Failures)

export const SubdomainsApi = HttpApiGroup.make("subdomains")
  .annotateMerge(OpenApi.annotations({ title: "Subdomains", description: "Organizations by hostname." }))
  .add(
    Operation.get("get", "/subdomains/:subdomain", {
      description: "Returns the organization of a hostname.",
      scopes: ["organization:read"],
      params: { subdomain: Schema.String.annotateKey({ description: "The hostname of the organization." }) },
      success: Subdomain
    })
  )
  .middleware(Authentication)
  .middleware(Failures)
