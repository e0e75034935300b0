/** The subdomain of an organization: its `hostname`, asked for by that name. */
import { Schema } from "effect"
import { OrganizationId } from "./Organization.ts"

/** The resource. An organization's subdomain is always active. */
export const Subdomain = Schema.Struct({
  object: Schema.Literal("subdomain"),
  subdomain: Schema.String,
  target: Schema.Struct({ type: Schema.Literal("organization"), organization: OrganizationId }),
  isActive: Schema.Boolean,
  urls: Schema.Struct({ location: Schema.String })
})
export type Subdomain = typeof Subdomain.Type

export class SubdomainNotFound extends Schema.TaggedError<SubdomainNotFound>()(
  "SubdomainNotFound",
  { message: Schema.String },
  { httpApiStatus: 404 }
) {}
