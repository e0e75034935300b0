/**
 * A site space whose space is in the trash, with its position on the site. Restoring the space restores the site space.
 */
import { Schema } from "effect"
import { SpaceId } from "../space/Space.ts"
import * as Table from "../storage/Table.ts"
import { SiteId } from "./Site.ts"
import { SiteSectionId, SiteSpaceEntry, SiteSpaceId } from "./SiteStructure.ts"

export const TrashedSiteSpaceRow = Schema.Struct({
  site: SiteId,
  siteSpace: SiteSpaceId,
  space: SpaceId,
  /** Section of the site space; null for the root. */
  section: Schema.NullOr(SiteSectionId),
  entry: SiteSpaceEntry,
  /** Preceding and following site spaces; null if no such site space exists. */
  after: Schema.NullOr(SiteSpaceId),
  before: Schema.NullOr(SiteSpaceId),
  /** Set for a former default of its level: the site space that replaced it; null for none. */
  heir: Schema.optionalKey(Schema.NullOr(SiteSpaceId))
})
export type TrashedSiteSpaceRow = typeof TrashedSiteSpaceRow.Type

export const TrashedSiteSpaceTable = Table.make("trashedSiteSpace", TrashedSiteSpaceRow, {
  key: ["site", "siteSpace"],
  indexes: [["space"]]
})
