/**
 * A domain of e-mail addresses of an organization, proved by a TXT record or confirmed by the operator. An unproved
 * domain has no effect.
 *
 * Limits: 100 in an organization (see `Organization`). Subdomains are separate domains.
 */
import { Schema } from "effect"
import { Organization } from "../organization/Organization.ts"

/** An e-mail domain as an API resource, for administrators. */
export const EmailDomain = Schema.Struct({
  object: Schema.Literal("email-domain"),
  domain: Schema.String,
  proved: Schema.Boolean,
  /** The TXT record that proves the domain. */
  proof: Schema.Struct({ type: Schema.Literal("TXT"), name: Schema.String, value: Schema.String }),
  /** Reason for which the check in this request failed. Absent if the domain is proved. */
  problem: Schema.optionalKey(Schema.String)
})
export interface EmailDomain extends Schema.Schema.Type<typeof EmailDomain> {}

export const OrganizationsOfDomain = Schema.Struct({ organizations: Schema.Array(Organization) })
export interface OrganizationsOfDomain extends Schema.Schema.Type<typeof OrganizationsOfDomain> {}

/** Raised if the organization does not list the domain. */
export class EmailDomainNotFound extends Schema.TaggedError<EmailDomainNotFound>()(
  "EmailDomainNotFound",
  { message: Schema.String },
  { httpApiStatus: 404 }
) {}
