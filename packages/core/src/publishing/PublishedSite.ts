/** All data of a site that a renderer needs. */
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
    /** Customizations of site spaces, by id. Of more than 50, only those that differ from the site's. */
    siteSpaces: Schema.Record(Schema.String, Customization)
  }),
  /** Scripts of the integrations on the site. */
  scripts: Schema.Array(SiteScript)
})
export interface PublishedSite extends Schema.Schema.Type<typeof PublishedSite> {}
