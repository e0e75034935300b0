/** A hostname that a site has of its own. Where its DNS and its certificate stand is the operator's affair. */
import { Schema } from "effect"
import { PendingAddress } from "./AddressClaim.ts"
import { SiteId } from "./Site.ts"

/** The resource. */
export const CustomHostname = Schema.Struct({
  object: Schema.Literal("custom-hostname"),
  hostname: Schema.String,
  target: Schema.Struct({ type: Schema.Literal("site"), site: SiteId }),
  isActive: Schema.Boolean,
  /** Absent until it is proved. */
  status: Schema.optionalKey(Schema.Literal("dns_passed")),
  /** How to prove it, where that is to be done. */
  pending: Schema.optionalKey(PendingAddress),
  urls: Schema.Struct({ location: Schema.String })
})
export type CustomHostname = typeof CustomHostname.Type

/** There is nothing to prove. */
export class HostnameProven extends Schema.TaggedError<HostnameProven>()(
  "HostnameProven",
  { message: Schema.String },
  { httpApiStatus: 409 }
) {}

export class CustomHostnameNotFound extends Schema.TaggedError<CustomHostnameNotFound>()(
  "CustomHostnameNotFound",
  { message: Schema.String },
  { httpApiStatus: 404 }
) {}
