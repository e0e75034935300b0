/**
 * Input for parts of a site.
 *
 * Limits: section title 2 to 128 characters, description 256, icon 50; group title 1 to 100, both in one line;
 * condition 1 to 1,024; 500 sections in one request.
 */
import { Schema } from "effect"
import { ConditionText } from "@lectern/document/condition/ConditionText"
import * as Text from "../schema/Text.ts"
import { SpaceId } from "../space/Space.ts"
import * as ServedNames from "./ServedNames.ts"
import { SitePath, SiteSectionGroupId, SiteSectionId, SiteSpaceId } from "./SiteStructure.ts"

export const SectionTitle = Text.line(2, 128)
const Icon = Schema.NullOr(Text.atMost(50))
/** A path that is not reserved for files that every site serves itself. */
const ChosenPath = SitePath.check(
  Schema.makeFilter((path: string) => (ServedNames.isReserved(path) ? ServedNames.refusal(path) : undefined))
)
const GroupTitle = Text.line(1, 100)

export const SectionCreate = Schema.Struct({
  /** Id of the first space of the section. */
  spaceId: SpaceId,
  /** Title in one line. Default: the title of the space. */
  title: Schema.optionalKey(Schema.NullOr(SectionTitle)),
  /** Name of an icon. Default: none. */
  icon: Schema.optionalKey(Icon),
  /** Path segment. Default: derived from the title. */
  path: Schema.optionalKey(SitePath),
  /** Expression that decides for each visitor if the section is visible. Default: visible for all. */
  condition: Schema.optionalKey(Schema.NullOr(ConditionText)),
  /** Description. Default: none. */
  description: Schema.optionalKey(Schema.NullOr(Text.atMost(256)))
})
export type SectionCreate = typeof SectionCreate.Type

export const SectionPatch = Schema.Struct({
  /** Title in one line. */
  title: Schema.optionalKey(SectionTitle),
  /** Path segment, unique on the site. */
  path: Schema.optionalKey(ChosenPath),
  /** Id of the site space that the section shows first. */
  defaultSiteSpace: Schema.optionalKey(SiteSpaceId),
  /** Expression that decides for each visitor if the section is visible. `null` removes it. */
  condition: Schema.optionalKey(Schema.NullOr(ConditionText)),
  /** Name of an icon. `null` removes it. */
  icon: Schema.optionalKey(Icon),
  /** Description. `null` removes it. */
  description: Schema.optionalKey(Schema.NullOr(Text.atMost(256)))
})
export type SectionPatch = typeof SectionPatch.Type

export const GroupCreate = Schema.Struct({
  /** Title in one line. */
  title: GroupTitle,
  /** Name of an icon. Default: none. */
  icon: Schema.optionalKey(Icon),
  /** Ids of sections to move into the group, in order. Default: none. */
  sections: Schema.optionalKey(Schema.Array(SiteSectionId).check(Schema.isMaxLength(500)))
})
export type GroupCreate = typeof GroupCreate.Type

export const GroupPatch = Schema.Struct({
  /** Title in one line. */
  title: Schema.optionalKey(GroupTitle),
  /** Name of an icon. `null` removes it. */
  icon: Schema.optionalKey(Icon)
})
export type GroupPatch = typeof GroupPatch.Type

export const GroupSection = Schema.Struct({
  /** Id of the section. */
  sectionId: SiteSectionId
})
export type GroupSection = typeof GroupSection.Type

export const SiteSpaceCreate = Schema.Struct({
  /** Id of the space. */
  spaceId: SpaceId,
  /** Section for the space. Default: the default section, or the root of a site without sections. */
  sectionId: Schema.optionalKey(SiteSectionId),
  /** Path segment. Default: derived from the title of the space. */
  path: Schema.optionalKey(SitePath),
  /** Expression that decides for each visitor if the space is visible. Default: visible for all. */
  condition: Schema.optionalKey(Schema.NullOr(ConditionText))
})
export type SiteSpaceCreate = typeof SiteSpaceCreate.Type

export const SiteSpacePatch = Schema.Struct({
  /** Path segment, unique among the site spaces of the section. */
  path: Schema.optionalKey(ChosenPath),
  /** Expression that decides for each visitor if the space is visible. `null` removes it. */
  condition: Schema.optionalKey(Schema.NullOr(ConditionText)),
  /** Id of a space that replaces the space. */
  spaceId: Schema.optionalKey(SpaceId)
})
export type SiteSpacePatch = typeof SiteSpacePatch.Type

/** Options of a copy. */
export const SiteSpaceDuplicate = Schema.Struct({
  /** Only false is supported, since site spaces have no drafts. */
  draft: Schema.optionalKey(Schema.Literal(false))
})
export type SiteSpaceDuplicate = typeof SiteSpaceDuplicate.Type

const position = <S extends Schema.Top>(reference: S) =>
  Schema.Struct({ before: Schema.optionalKey(reference), after: Schema.optionalKey(reference) })

/** A part of a site: the part to move, or the part next to which it moves. */
export const ItemPointer = Schema.Struct({
  type: Schema.Literals(["site-space", "site-section", "site-section-group"]),
  id: Schema.String
})
export type ItemPointer = typeof ItemPointer.Type

/** Move of a part of a site. */
export const Sort = Schema.Struct({
  /** Part to move. */
  item: ItemPointer,
  /**
   * `after`: the preceding neighbour; `before`: the following one. Without either, the part moves to the end of its
   * level.
   */
  position: position(ItemPointer)
})
export type Sort = typeof Sort.Type

const GroupPointer = Schema.Struct({ type: Schema.Literal("site-section-group"), id: SiteSectionGroupId })

const move = <S extends Schema.Top>(reference: S) =>
  Schema.Struct({
    /** `after`: the preceding neighbour; `before`: the following one. Default: the end. */
    position: Schema.optionalKey(position(reference))
  })

/** Older formats of positions, one for each kind of item. */
export const SiteSpaceMove = move(Schema.Struct({ type: Schema.Literal("site-space"), siteSpace: SiteSpaceId }))
export type SiteSpaceMove = typeof SiteSpaceMove.Type
export const SectionMove = move(
  Schema.Union([Schema.Struct({ type: Schema.Literal("site-section"), siteSection: SiteSectionId }), GroupPointer])
)
export type SectionMove = typeof SectionMove.Type
export const GroupMove = move(
  Schema.Union([Schema.Struct({ type: Schema.Literal("site-section"), id: SiteSectionId }), GroupPointer])
)
export type GroupMove = typeof GroupMove.Type
