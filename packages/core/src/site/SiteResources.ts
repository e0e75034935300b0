/** Resources of the parts of a site. */
import { Schema } from "effect"
import { Space } from "../space/Space.ts"
import { SiteSectionGroupId, SiteSectionId, SiteSpaceId } from "./SiteStructure.ts"

/** Always false, since parts of a site have no drafts. */
const draft = Schema.Literal(false)

const Urls = Schema.Struct({ published: Schema.optionalKey(Schema.String) })

export const SiteSpace = Schema.Struct({
  object: Schema.Literal("site-space"),
  id: SiteSpaceId,
  path: Schema.String,
  section: Schema.optionalKey(SiteSectionId),
  space: Space,
  title: Schema.String,
  default: Schema.Boolean,
  condition: Schema.optionalKey(Schema.String),
  draft,
  hasAdvancedCustomizationFeature: Schema.Boolean,
  urls: Urls
})
export interface SiteSpace extends Schema.Schema.Type<typeof SiteSpace> {}

export const SiteSection = Schema.Struct({
  object: Schema.Literal("site-section"),
  id: SiteSectionId,
  title: Schema.String,
  description: Schema.optionalKey(Schema.String),
  default: Schema.Boolean,
  draft,
  path: Schema.String,
  condition: Schema.optionalKey(Schema.String),
  sectionGroup: Schema.optionalKey(SiteSectionGroupId),
  icon: Schema.optionalKey(Schema.String),
  siteSpaces: Schema.Array(SiteSpace),
  urls: Urls
})
export interface SiteSection extends Schema.Schema.Type<typeof SiteSection> {}

export const SiteSectionGroup = Schema.Struct({
  object: Schema.Literal("site-section-group"),
  id: SiteSectionGroupId,
  title: Schema.String,
  draft,
  icon: Schema.optionalKey(Schema.String),
  sections: Schema.Array(SiteSection),
  children: Schema.Array(SiteSection)
})
export interface SiteSectionGroup extends Schema.Schema.Type<typeof SiteSectionGroup> {}

export const Structure = Schema.Union([
  Schema.Struct({
    type: Schema.Literal("sections"),
    structure: Schema.Array(Schema.Union([SiteSection, SiteSectionGroup]))
  }),
  Schema.Struct({ type: Schema.Literal("siteSpaces"), structure: Schema.Array(SiteSpace) })
])
export type Structure = typeof Structure.Type
