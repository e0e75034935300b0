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
  entry: SiteSpaceEntry,
  /** What it stood behind, and in front of; null where there was nothing. */
  after: Schema.NullOr(SiteSpaceId),
  before: Schema.NullOr(SiteSpaceId),
  /** Where it was the default of its level: what took its place as that, null where nothing was left. */
  heir: Schema.optionalKey(Schema.NullOr(SiteSpaceId))
})
export type FormerPlaceRow = typeof FormerPlaceRow.Type

export const FormerPlaceTable = Table.make("formerSitePlace", FormerPlaceRow, {
  key: ["site", "siteSpace"],
  indexes: [["space"]]
})
