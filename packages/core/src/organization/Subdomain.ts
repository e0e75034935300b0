/** Subdomain of an organization: its `hostname`, under the name that the hosted service's API uses. */
import { Schema } from "effect"
import { OrganizationId } from "./Organization.ts"

/** A subdomain as an API resource. The subdomain of an organization is always active. */
export const Subdomain = Schema.Struct({
  object: Schema.Literal("subdomain"),
  subdomain: Schema.String,
  target: Schema.Struct({ type: Schema.Literal("organization"), organization: OrganizationId }),
  isActive: Schema.Boolean,
  urls: Schema.Struct({ location: Schema.String })
})
export interface Subdomain extends Schema.Schema.Type<typeof Subdomain> {}

export class SubdomainNotFound extends Schema.TaggedError<SubdomainNotFound>()(
  "SubdomainNotFound",
  { message: Schema.String },
  { httpApiStatus: 404 }
) {}
