/**
 * A domain of e-mail addresses whose people belong to an organization, once that is proved by a TXT record of the domain, or
 * the operator vouches for it. Until then it is a note.
 *
 * Limits: 100 in an organization (see `Organization`); a domain counts as it is written, without those below it.
 */
import { Schema } from "effect"
import { Organization } from "../organization/Organization.ts"

/** The resource, as administrators see it. */
export const EmailDomain = Schema.Struct({
  object: Schema.Literal("email-domain"),
  domain: Schema.String,
  proved: Schema.Boolean,
  /** The record that proves it. */
  proof: Schema.Struct({ type: Schema.Literal("TXT"), name: Schema.String, value: Schema.String }),
  /** Why it was not proved just now. */
  problem: Schema.optionalKey(Schema.String)
})
export type EmailDomain = typeof EmailDomain.Type

export const OrganizationsOfDomain = Schema.Struct({ organizations: Schema.Array(Organization) })
export type OrganizationsOfDomain = typeof OrganizationsOfDomain.Type

export class EmailDomainNotFound extends Schema.TaggedError<EmailDomainNotFound>()(
  "EmailDomainNotFound",
  { message: Schema.String },
  { httpApiStatus: 404 }
) {}
