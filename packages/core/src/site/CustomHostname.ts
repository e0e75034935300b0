/** A custom hostname of a site. DNS and certificates are up to the operator. */
import { Schema } from "effect"
import { PendingAddress } from "./AddressClaim.ts"
import { SiteId } from "./Site.ts"

/** Hostname as returned by the interface. */
export const CustomHostname = Schema.Struct({
  object: Schema.Literal("custom-hostname"),
  hostname: Schema.String,
  target: Schema.Struct({ type: Schema.Literal("site"), site: SiteId }),
  isActive: Schema.Boolean,
  /** State of the DNS records. Absent until the hostname is proved. */
  status: Schema.optionalKey(Schema.Literal("dns_passed")),
  /** The required proof, if the hostname is not proved. */
  pending: Schema.optionalKey(PendingAddress),
  urls: Schema.Struct({ location: Schema.String })
})
export interface CustomHostname extends Schema.Schema.Type<typeof CustomHostname> {}

/** Raised if the hostname is proved already. */
export class HostnameProven extends Schema.TaggedError<HostnameProven>()(
  "HostnameProven",
  { message: Schema.String },
  { httpApiStatus: 409 }
) {}

/** Raised if no site has the hostname, or the actor may not see it. */
export class CustomHostnameNotFound extends Schema.TaggedError<CustomHostnameNotFound>()(
  "CustomHostnameNotFound",
  { message: Schema.String },
  { httpApiStatus: 404 }
) {}
