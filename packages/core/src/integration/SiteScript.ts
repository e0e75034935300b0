/** Script of an integration on the pages of a site. */
import { Schema } from "effect"

export const SiteScript = Schema.Struct({
  /** Public URL of the script. */
  script: Schema.String,
  /** Content security policy that pages need for the script. */
  contentSecurityPolicy: Schema.optionalKey(Schema.String),
  /** True if the script may set cookies, of which visitors must be informed. */
  cookies: Schema.Boolean
})
export interface SiteScript extends Schema.Schema.Type<typeof SiteScript> {}
