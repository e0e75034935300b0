/** Where a space stood that is in the trash: it is put back there when it is restored. */
import { Schema } from "effect"
import { SpaceId } from "../space/Space.ts"
import * as Table from "../storage/Table.ts"
import { SiteId } from "./Site.ts"
import { SiteSectionId, SiteSpaceEntry, SiteSpaceId } from "./SiteStructure.ts"

export const FormerPlaceRow = Schema.Struct({
  site: SiteId,
  siteSpace: SiteSpaceId,
  space: SpaceId,
  /** The section that it stood in; null at the root. */
  section: Schema.NullOr(SiteSectionId),
  entry: SiteSpaceEntry
})
export type FormerPlaceRow = typeof FormerPlaceRow.Type

export const FormerPlaceTable = Table.make("formerSitePlace", FormerPlaceRow, {
  key: ["site", "siteSpace"],
  indexes: [["space"]]
})
