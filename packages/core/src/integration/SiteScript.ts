/** The script of an integration on the pages of a site. */
import { Schema } from "effect"

export const SiteScript = Schema.Struct({
  /** Where it is loaded from, by anyone. */
  script: Schema.String,
  /** What the pages have to allow for it. */
  contentSecurityPolicy: Schema.optionalKey(Schema.String),
  /** Whether it may set cookies, of which visitors should know. */
  cookies: Schema.Boolean
})
export type SiteScript = typeof SiteScript.Type
