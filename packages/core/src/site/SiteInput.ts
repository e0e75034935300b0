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
  spaceId: SpaceId,
  title: Schema.optionalKey(Schema.NullOr(SectionTitle)),
  icon: Schema.optionalKey(Icon),
  /** Path segment. Default: derived from the title. */
  path: Schema.optionalKey(SitePath),
  condition: Schema.optionalKey(Schema.NullOr(ConditionText)),
  description: Schema.optionalKey(Schema.NullOr(Text.atMost(256)))
})
export type SectionCreate = typeof SectionCreate.Type

export const SectionPatch = Schema.Struct({
  title: Schema.optionalKey(SectionTitle),
  path: Schema.optionalKey(ChosenPath),
  defaultSiteSpace: Schema.optionalKey(SiteSpaceId),
  condition: Schema.optionalKey(Schema.NullOr(ConditionText)),
  icon: Schema.optionalKey(Icon),
  description: Schema.optionalKey(Schema.NullOr(Text.atMost(256)))
})
export type SectionPatch = typeof SectionPatch.Type

export const GroupCreate = Schema.Struct({
  title: GroupTitle,
  icon: Schema.optionalKey(Icon),
  sections: Schema.optionalKey(Schema.Array(SiteSectionId).check(Schema.isMaxLength(500)))
})
export type GroupCreate = typeof GroupCreate.Type

export const GroupPatch = Schema.Struct({
  title: Schema.optionalKey(GroupTitle),
  icon: Schema.optionalKey(Icon)
})
export type GroupPatch = typeof GroupPatch.Type

export const GroupSection = Schema.Struct({ sectionId: SiteSectionId })
export type GroupSection = typeof GroupSection.Type

export const SiteSpaceCreate = Schema.Struct({
  spaceId: SpaceId,
  /** Section for the space. Default: the default section, or the root of a site without sections. */
  sectionId: Schema.optionalKey(SiteSectionId),
  /** Path segment. Default: derived from the title of the space. */
  path: Schema.optionalKey(SitePath),
  condition: Schema.optionalKey(Schema.NullOr(ConditionText))
})
export type SiteSpaceCreate = typeof SiteSpaceCreate.Type

export const SiteSpacePatch = Schema.Struct({
  path: Schema.optionalKey(ChosenPath),
  condition: Schema.optionalKey(Schema.NullOr(ConditionText)),
  spaceId: Schema.optionalKey(SpaceId)
})
export type SiteSpacePatch = typeof SiteSpacePatch.Type

/** Only false is supported, since site spaces have no drafts. */
export const SiteSpaceDuplicate = Schema.Struct({ draft: Schema.optionalKey(Schema.Literal(false)) })
export type SiteSpaceDuplicate = typeof SiteSpaceDuplicate.Type

const position = <S extends Schema.Top>(reference: S) =>
  Schema.Struct({ before: Schema.optionalKey(reference), after: Schema.optionalKey(reference) })

/** A part of a site: the part to move, or the part next to which it moves. */
export const ItemPointer = Schema.Struct({
  type: Schema.Literals(["site-space", "site-section", "site-section-group"]),
  id: Schema.String
})
export type ItemPointer = typeof ItemPointer.Type

/**
 * `after`: the preceding neighbour; `before`: the following one. Without either the item moves to the end of its level.
 */
export const Sort = Schema.Struct({ item: ItemPointer, position: position(ItemPointer) })
export type Sort = typeof Sort.Type

const GroupPointer = Schema.Struct({ type: Schema.Literal("site-section-group"), id: SiteSectionGroupId })

const move = <S extends Schema.Top>(reference: S) =>
  Schema.Struct({ position: Schema.optionalKey(position(reference)) })

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
