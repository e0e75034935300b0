/** All that a renderer needs of a site, in one answer. */
import { Schema } from "effect"
import { Customization } from "../customization/Customization.ts"
import { SiteScript } from "../integration/SiteScript.ts"
import { Site } from "../site/Site.ts"
import { Structure } from "../site/SiteResources.ts"

export const PublishedSite = Schema.Struct({
  object: Schema.Literal("published-content-site"),
  site: Site,
  structure: Structure,
  customizations: Schema.Struct({
    site: Customization,
    /** By site space: those that differ. */
    siteSpaces: Schema.Record(Schema.String, Customization)
  }),
  /** Those of the integrations on the site. */
  scripts: Schema.Array(SiteScript)
})
export type PublishedSite = typeof PublishedSite.Type
