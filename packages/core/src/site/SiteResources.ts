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
  /** Path segment of the space on the site. */
  path: Schema.String,
  /** Id of the section. Absent at the root. */
  section: Schema.optionalKey(SiteSectionId),
  /** The space. */
  space: Space,
  /** Title of the space. */
  title: Schema.String,
  /** True for the site space that its level shows first. */
  default: Schema.Boolean,
  /** Expression that decides for each visitor if the space is visible. */
  condition: Schema.optionalKey(Schema.String),
  draft,
  /** Without effect, since Lectern has no plans. */
  hasAdvancedCustomizationFeature: Schema.Boolean,
  urls: Urls
})
export interface SiteSpace extends Schema.Schema.Type<typeof SiteSpace> {}

export const SiteSection = Schema.Struct({
  object: Schema.Literal("site-section"),
  id: SiteSectionId,
  /** Title. */
  title: Schema.String,
  /** Description. */
  description: Schema.optionalKey(Schema.String),
  /** True for the default section of the site. */
  default: Schema.Boolean,
  draft,
  /** Path segment of the section on the site. */
  path: Schema.String,
  /** Expression that decides for each visitor if the section is visible. */
  condition: Schema.optionalKey(Schema.String),
  /** Id of the group that contains the section. */
  sectionGroup: Schema.optionalKey(SiteSectionGroupId),
  /** Name of an icon. */
  icon: Schema.optionalKey(Schema.String),
  /** Site spaces of the section, in order. */
  siteSpaces: Schema.Array(SiteSpace),
  urls: Urls
})
export interface SiteSection extends Schema.Schema.Type<typeof SiteSection> {}

export const SiteSectionGroup = Schema.Struct({
  object: Schema.Literal("site-section-group"),
  id: SiteSectionGroupId,
  /** Title. */
  title: Schema.String,
  draft,
  /** Name of an icon. */
  icon: Schema.optionalKey(Schema.String),
  /** Sections of the group, in order. */
  sections: Schema.Array(SiteSection),
  /** Equal to `sections`. */
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
