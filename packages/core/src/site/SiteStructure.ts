/**
 * The structure of a site: either a list of site spaces, or sections, optionally in groups, with site spaces as their
 * variants. It is one immutable value. Each change is a pure function that returns the next value or an error (see
 * `SectionChanges`, `SiteSpaceChanges`, `StructureMoves`).
 *
 * Invariants: every non-empty level has exactly one default (the site spaces of the root, all sections, the site spaces
 * of each section); paths are unique among siblings regardless of case, and all sections are siblings in any group,
 * since groups have no path segment; a space occurs once on a level; ids are unique.
 *
 * Limits: 1,000 site spaces, 500 sections and 100 groups of a site; paths of 1 to 100 characters of `[A-Za-z0-9._~-]`.
 */
import { Schema } from "effect"
import * as Text from "../schema/Text.ts"
import { SpaceId } from "../space/Space.ts"

export const maxSiteSpaces = 1_000
export const maxSections = 500
export const maxGroups = 100

/** Id of a site space: the membership of a space in a site, not the id of the space. */
export const SiteSpaceId = Schema.String.pipe(Schema.brand("SiteSpaceId"))
export type SiteSpaceId = typeof SiteSpaceId.Type
/** Id of a section of a site. */
export const SiteSectionId = Schema.String.pipe(Schema.brand("SiteSectionId"))
export type SiteSectionId = typeof SiteSectionId.Type
/** Id of a group of sections. */
export const SiteSectionGroupId = Schema.String.pipe(Schema.brand("SiteSectionGroupId"))
export type SiteSectionGroupId = typeof SiteSectionGroupId.Type

/** One segment of a URL. */
export const SitePath = Text.between(1, 100).check(
  Schema.isPattern(/^(?!\.{1,2}$)[A-Za-z0-9._~-]+$/, {
    message: "Expected a path of letters, digits and . _ ~ -, and not . or .."
  })
)

export const SiteSpaceEntry = Schema.Struct({
  id: SiteSpaceId,
  space: SpaceId,
  path: SitePath,
  condition: Schema.optionalKey(Schema.String)
})
export type SiteSpaceEntry = typeof SiteSpaceEntry.Type

export const SectionEntry = Schema.Struct({
  id: SiteSectionId,
  title: Schema.String,
  description: Schema.optionalKey(Schema.String),
  icon: Schema.optionalKey(Schema.String),
  path: SitePath,
  condition: Schema.optionalKey(Schema.String),
  siteSpaces: Schema.Array(SiteSpaceEntry),
  /** Null if the section is empty. */
  default: Schema.NullOr(SiteSpaceId)
})
export type SectionEntry = typeof SectionEntry.Type

export const GroupEntry = Schema.Struct({
  id: SiteSectionGroupId,
  title: Schema.String,
  icon: Schema.optionalKey(Schema.String),
  sections: Schema.Array(SectionEntry)
})
export type GroupEntry = typeof GroupEntry.Type

export const SiteStructure = Schema.Union([
  Schema.Struct({
    type: Schema.Literal("siteSpaces"),
    siteSpaces: Schema.Array(SiteSpaceEntry),
    default: Schema.NullOr(SiteSpaceId),
    /** Empty groups, kept for future sections. */
    groups: Schema.Array(GroupEntry)
  }),
  Schema.Struct({
    type: Schema.Literal("sections"),
    items: Schema.Array(Schema.Union([SectionEntry, GroupEntry])),
    default: SiteSectionId
  })
])
export type SiteStructure = typeof SiteStructure.Type

/** A section or a group, which are siblings at the top. */
export type Item = SectionEntry | GroupEntry

export const empty: SiteStructure = { type: "siteSpaces", siteSpaces: [], default: null, groups: [] }

export const isGroup = (item: Item): item is GroupEntry => "sections" in item

/** Returns a path in lower case: equal for equivalent paths. */
export const foldPath = (path: string): string => path.toLowerCase()

/** Returns a path derived from a title, or `fallback` if the title has no usable characters. */
export const derivedPath = (title: string, fallback: string): string =>
  title
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 100)
    .replace(/^-+|-+$/g, "") || fallback

/** Returns the path, with a number appended if it is taken. */
export const freePath = (path: string, usedPaths: ReadonlySet<string>): string => {
  for (let i = 1; ; i++) {
    const suffix = i === 1 ? "" : `-${i}`
    const numberedPath = path.slice(0, 100 - suffix.length) + suffix
    if (!usedPaths.has(foldPath(numberedPath))) return numberedPath
  }
}

export const foldedPaths = (level: ReadonlyArray<{ readonly path: string }>): ReadonlySet<string> =>
  new Set(level.map(({ path }) => foldPath(path)))

/** Returns the sections and groups at the top, in order. */
export const itemsOf = (structure: SiteStructure): ReadonlyArray<Item> =>
  structure.type === "sections" ? structure.items : structure.groups

export interface SectionLocation {
  readonly section: SectionEntry
  readonly group: GroupEntry | undefined
}

/** Returns the sections of items in order, with their groups. */
export const sectionsIn = (items: ReadonlyArray<Item>): ReadonlyArray<SectionLocation> =>
  items.flatMap((item): ReadonlyArray<SectionLocation> =>
    isGroup(item) ? item.sections.map((section) => ({ section, group: item })) : [{ section: item, group: undefined }]
  )

export const sections = (structure: SiteStructure): ReadonlyArray<SectionLocation> => sectionsIn(itemsOf(structure))

export interface SiteSpaceLocation {
  readonly siteSpace: SiteSpaceEntry
  readonly section: SectionEntry | undefined
}

/** Returns the site spaces by section, in order, with their sections. */
export const siteSpaces = (structure: SiteStructure): ReadonlyArray<SiteSpaceLocation> =>
  structure.type === "siteSpaces"
    ? structure.siteSpaces.map((siteSpace) => ({ siteSpace, section: undefined }))
    : sections(structure).flatMap(({ section }) => section.siteSpaces.map((siteSpace) => ({ siteSpace, section })))

/** Returns the distinct spaces on the site. */
export const spaces = (structure: SiteStructure): ReadonlyArray<SpaceId> => [
  ...new Set(siteSpaces(structure).map(({ siteSpace }) => siteSpace.space))
]

export const findSection = (structure: SiteStructure, id: string): SectionEntry | undefined =>
  sections(structure).find(({ section }) => section.id === id)?.section

export const findSiteSpace = (structure: SiteStructure, id: string): SiteSpaceLocation | undefined =>
  siteSpaces(structure).find(({ siteSpace }) => siteSpace.id === id)

export const findGroup = (structure: SiteStructure, id: string): GroupEntry | undefined =>
  itemsOf(structure).find((item): item is GroupEntry => isGroup(item) && item.id === id)

/** Raised if the site has no such site space. */
export class SiteSpaceNotFound extends Schema.TaggedError<SiteSpaceNotFound>()(
  "SiteSpaceNotFound",
  { message: Schema.String },
  { httpApiStatus: 404 }
) {}

/** Raised if the site has no such section. */
export class SiteSectionNotFound extends Schema.TaggedError<SiteSectionNotFound>()(
  "SiteSectionNotFound",
  { message: Schema.String },
  { httpApiStatus: 404 }
) {}

/** Raised if the site has no such group of sections. */
export class SectionGroupNotFound extends Schema.TaggedError<SectionGroupNotFound>()(
  "SectionGroupNotFound",
  { message: Schema.String },
  { httpApiStatus: 404 }
) {}

/** Raised if a sibling has this path, regardless of case. */
export class PathTaken extends Schema.TaggedError<PathTaken>()(
  "PathTaken",
  { message: Schema.String },
  { httpApiStatus: 409 }
) {}

/** Raised if the space is on this level already. */
export class SpaceTwice extends Schema.TaggedError<SpaceTwice>()(
  "SpaceTwice",
  { message: Schema.String },
  { httpApiStatus: 409 }
) {}

/** Raised if the site would have more than 1,000 site spaces, 500 sections or 100 groups of sections. */
export class StructureTooLarge extends Schema.TaggedError<StructureTooLarge>()(
  "StructureTooLarge",
  { message: Schema.String },
  { httpApiStatus: 409 }
) {}
