/** All that a renderer needs of a site, in one answer. */
import { Schema } from "effect"
import { Customization } from "../customization/Customization.ts"
import { Site } from "../site/Site.ts"
import { Structure } from "../site/SiteResources.ts"

/** What an integration adds to the pages of a site. */
const Script = Schema.Struct({
  script: Schema.String,
  contentSecurityPolicy: Schema.optionalKey(Schema.String),
  cookies: Schema.Boolean
})

export const PublishedSite = Schema.Struct({
  object: Schema.Literal("published-content-site"),
  site: Site,
  structure: Structure,
  customizations: Schema.Struct({
    site: Customization,
    /** By site space: those that differ. */
    siteSpaces: Schema.Record(Schema.String, Customization)
  }),
  scripts: Schema.Array(Script)
})
export type PublishedSite = typeof PublishedSite.Type
