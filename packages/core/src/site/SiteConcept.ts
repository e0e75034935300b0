/**
 * Declares the events of sites, and that the former position of a trashed space on a site is deleted with the space or
 * the site.
 */
import { Schema } from "effect"
import { concept } from "../Concept.ts"
import { event } from "../event/EventKind.ts"
import * as RemoveSpaceDependents from "../space/RemoveSpaceDependents.ts"
import { ClaimKind } from "./AddressClaim.ts"
import { TrashedSiteSpaceTable } from "./TrashedSiteSpace.ts"
import { SiteId } from "./Site.ts"
import * as SiteDependents from "./SiteDependents.ts"

const site = { site: SiteId }
const address = { ...site, kind: ClaimKind, name: Schema.String }

export const siteConcept = concept({
  events: [
    event("site_created", site),
    /** Settings of the site, share links, redirects or customization changed. */
    event("site_updated", site),
    event("site_structure_updated", site),
    event("site_published", site),
    event("site_unpublished", site),
    event("site_deleted", site),
    /** Emitted if the site gets a claimed hostname or proxy after its proof. */
    event("site_address_proved", address),
    /** Emitted if a claimed hostname or proxy was not proved within 30 days, and is no longer checked. */
    event("site_address_unproved", address)
  ],
  spaceDependents: [RemoveSpaceDependents.rowsWhere(TrashedSiteSpaceTable, (space) => ({ space }))],
  siteDependents: [SiteDependents.rowsWhere(TrashedSiteSpaceTable, (site) => ({ site }))]
})
