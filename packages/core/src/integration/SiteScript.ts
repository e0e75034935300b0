/** The script of an integration on the pages of a site. */
import { Schema } from "effect"

export const SiteScript = Schema.Struct({
  /** URL of the script, for anyone. */
  script: Schema.String,
  /** Content security policy that the pages need for it. */
  contentSecurityPolicy: Schema.optionalKey(Schema.String),
  /** True where it may set cookies, of which visitors should know. */
  cookies: Schema.Boolean
})
export type SiteScript = typeof SiteScript.Type
