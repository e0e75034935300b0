/** A hostname that a site has of its own. Where its DNS and its certificate stand is the operator's affair. */
import { Schema } from "effect"
import { SiteId } from "./Site.ts"

/** The resource. */
export const CustomHostname = Schema.Struct({
  object: Schema.Literal("custom-hostname"),
  hostname: Schema.String,
  target: Schema.Struct({ type: Schema.Literal("site"), site: SiteId }),
  isActive: Schema.Boolean,
  urls: Schema.Struct({ location: Schema.String })
})
export type CustomHostname = typeof CustomHostname.Type

export class CustomHostnameNotFound extends Schema.TaggedError<CustomHostnameNotFound>()(
  "CustomHostnameNotFound",
  { message: Schema.String },
  { httpApiStatus: 404 }
) {}
