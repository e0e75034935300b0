/**
 * Declares the events of sites, and that the former position of a trashed space on a site is deleted with the space or
 * the site.
 */
import { concept } from "../Concept.ts"
import { event } from "../event/EventKind.ts"
import * as RemoveSpaceDependents from "../space/RemoveSpaceDependents.ts"
import { TrashedSiteSpaceTable } from "./TrashedSiteSpace.ts"
import { SiteId } from "./Site.ts"
import * as SiteDependents from "./SiteDependents.ts"

const site = { site: SiteId }

export const siteConcept = concept({
  events: [
    event("site_created", site),
    /** Settings of the site, share links, redirects or customization changed. */
    event("site_updated", site),
    event("site_structure_updated", site),
    event("site_published", site),
    event("site_unpublished", site),
    event("site_deleted", site)
  ],
  spaceDependents: [RemoveSpaceDependents.rowsWhere(TrashedSiteSpaceTable, (space) => ({ space }))],
  siteDependents: [SiteDependents.rowsWhere(TrashedSiteSpaceTable, (site) => ({ site }))]
})
