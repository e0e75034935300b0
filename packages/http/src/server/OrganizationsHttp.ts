import { EmailDomains } from "@lectern/core/email-domain/EmailDomains"
import { Organizations } from "@lectern/core/organization/Organizations"
import { Effect } from "effect"
import { group } from "./Group.ts"

export const OrganizationsHttp = group(
  "organizations",
  Effect.fnUntraced(function* (handlers) {
    const organizations = yield* Organizations
    const domains = yield* EmailDomains
    return handlers({
      list: ({ query }) => organizations.list(query),
      create: ({ payload }) => organizations.create(payload),
      get: ({ params }) => organizations.get(params.organizationId),
      update: ({ params, payload }) => organizations.update(params.organizationId, payload),
      join: ({ params }) => domains.join(params.organizationId)
    })
  })
)

export const EmailDomainsHttp = group(
  "emailDomains",
  Effect.fnUntraced(function* (handlers) {
    const domains = yield* EmailDomains
    return handlers({
      organizations: ({ params }) => domains.organizations(params.emailDomain),
      list: ({ params, query }) => domains.list(params.organizationId, query),
      prove: ({ params }) => domains.prove(params.organizationId, params.emailDomain)
    })
  })
)

export const SubdomainsHttp = group(
  "subdomains",
  Effect.fnUntraced(function* (handlers) {
    const organizations = yield* Organizations
    return handlers({ get: ({ params }) => organizations.subdomain(params.subdomain) })
  })
)
