/** A site space whose space is in the trash, with its place on the site: restoring the space puts it back there. */
import { Schema } from "effect"
import { SpaceId } from "../space/Space.ts"
import * as Table from "../storage/Table.ts"
import { SiteId } from "./Site.ts"
import { SiteSectionId, SiteSpaceEntry, SiteSpaceId } from "./SiteStructure.ts"

export const TrashedSiteSpaceRow = Schema.Struct({
  site: SiteId,
  siteSpace: SiteSpaceId,
  space: SpaceId,
  /** The section that it stood in; null at the root. */
  section: Schema.NullOr(SiteSectionId),
  entry: SiteSpaceEntry,
  /** Neighbours of the site space, behind and in front of which it stood; null where there was none. */
  after: Schema.NullOr(SiteSpaceId),
  before: Schema.NullOr(SiteSpaceId),
  /** For a former default of its level: the site space that became the default; null where none was left. */
  heir: Schema.optionalKey(Schema.NullOr(SiteSpaceId))
})
export type TrashedSiteSpaceRow = typeof TrashedSiteSpaceRow.Type

export const TrashedSiteSpaceTable = Table.make("trashedSiteSpace", TrashedSiteSpaceRow, {
  key: ["site", "siteSpace"],
  indexes: [["space"]]
})
