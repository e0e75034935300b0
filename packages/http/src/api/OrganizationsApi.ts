/** Organizations, and whose a subdomain or a domain of e-mail addresses is. */
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
  .annotateMerge(OpenApi.annotations({ title: "Organizations", description: "They own everything else." }))
  .add(
    Operation.get("list", "/orgs", {
      description: "Lists the organizations that the user belongs to, the oldest first.",
      scopes: ["organization:read"],
      query: PageQuery,
      success: listOf(Organization)
    }),
    Operation.post("create", "/orgs", {
      description: "Makes an organization with the user as its administrator.",
      scopes: ["organization:write"],
      payload: OrganizationCreate,
      success: Organization.pipe(HttpApiSchema.status(201))
    }),
    Operation.get("get", "/orgs/:organizationId", {
      description: "Shows an organization.",
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
      description: "Takes you into an organization that has proved the domain of your e-mail address.",
      scopes: ["user:write"],
      params,
      success: HttpApiSchema.NoContent
    })
  )
  .middleware(Authentication)
  .middleware(Failures)

export const EmailDomainsApi = HttpApiGroup.make("emailDomains")
  .annotateMerge(
    OpenApi.annotations({ title: "E-mail domains", description: "Domains whose addresses belong to an organization." })
  )
  .add(
    Operation.get("organizations", "/email-domains/:emailDomain/orgs", {
      description:
        "Lists the organizations that have proved an e-mail domain, of those that you belong to or may join.",
      scopes: ["organization:read"],
      params: { emailDomain },
      success: OrganizationsOfDomain
    }),
    Operation.get("list", "/orgs/:organizationId/email-domains", {
      description: "Lists the e-mail domains of an organization, and how to prove each.",
      scopes: ["organization:read"],
      params,
      query: PageQuery,
      success: listOf(EmailDomain)
    }),
    Operation.patch("prove", "/orgs/:organizationId/email-domains/:emailDomain", {
      description: "Looks for the proof of an e-mail domain now.",
      scopes: ["organization:write"],
      params: { ...params, emailDomain },
      success: EmailDomain
    })
  )
  .middleware(Authentication)
  .middleware(Failures)

export const SubdomainsApi = HttpApiGroup.make("subdomains")
  .annotateMerge(OpenApi.annotations({ title: "Subdomains", description: "The organizations by their hostnames." }))
  .add(
    Operation.get("get", "/subdomains/:subdomain", {
      description: "Shows the organization that a hostname belongs to.",
      scopes: ["organization:read"],
      params: { subdomain: Schema.String.annotateKey({ description: "The hostname of the organization." }) },
      success: Subdomain
    })
  )
  .middleware(Authentication)
  .middleware(Failures)
