/** Changes of the sections in a site's structure, as pure functions that enforce its rules (see `SiteStructure`). */
import { Result } from "effect"
import {
  derivedPath,
  findSection,
  foldPath,
  foldedPaths,
  freePath,
  itemsOf,
  maxSections,
  maxSiteSpaces,
  PathTaken,
  type SectionEntry,
  sections,
  type SiteSectionId,
  SiteSectionNotFound,
  siteSpaces,
  type SiteStructure,
  StructureTooLarge
} from "./SiteStructure.ts"
import { entryOf, type NewSiteSpace } from "./SiteSpaceChanges.ts"
import {
  type Changed,
  withItems,
  mapSections,
  changeSection,
  sectionMissing,
  tooLarge,
  pathTaken,
  withOptional
} from "./StructureLevels.ts"

export interface NewSection {
  readonly id: SiteSectionId
  readonly title: string
  readonly icon?: string
  /** The first space of the section. */
  readonly siteSpace: NewSiteSpace
}

/** Adds a section at the end. The first section of a site includes the site spaces of the root. */
export const addSection = (
  structure: SiteStructure,
  { id, title, icon, siteSpace }: NewSection
): Changed<StructureTooLarge> => {
  if (sections(structure).length >= maxSections) return tooLarge("sections", maxSections)
  if (siteSpaces(structure).length >= maxSiteSpaces) return tooLarge("site spaces", maxSiteSpaces)
  const [root, chosen] = structure.type === "siteSpaces" ? [structure.siteSpaces, structure.default] : [[], null]
  const isListed = root.some(({ space }) => space === siteSpace.space)
  const siblings = isListed ? root : [...root, entryOf(siteSpace, root)]
  const paths = foldedPaths(sections(structure).map(({ section }) => section))
  const section: SectionEntry = {
    id,
    title,
    ...(icon !== undefined && { icon }),
    path: freePath(derivedPath(title, "section"), paths),
    siteSpaces: siblings,
    default: chosen ?? siblings[0]!.id
  }
  return Result.succeed(withItems(structure, [...itemsOf(structure), section]))
}

/** Changes a section. `null` removes an optional value; omitted fields stay unchanged. */
export const patchSection = (
  structure: SiteStructure,
  id: SiteSectionId,
  {
    title,
    path,
    ...optional
  }: {
    readonly title?: string
    readonly path?: string
    readonly condition?: string | null
    readonly icon?: string | null
    readonly description?: string | null
  }
): Changed<SiteSectionNotFound | PathTaken> => {
  if (findSection(structure, id) === undefined) return sectionMissing(id)
  const otherSections = sections(structure).flatMap(({ section }) => (section.id === id ? [] : section))
  if (path !== undefined && foldedPaths(otherSections).has(foldPath(path))) return pathTaken(path)
  return Result.succeed(
    changeSection(structure, id, (section) =>
      withOptional({ ...section, ...(title !== undefined && { title }), ...(path !== undefined && { path }) }, optional)
    )
  )
}

/** Removes a section and the site spaces in it. */
export const removeSection = (structure: SiteStructure, id: SiteSectionId): Changed<SiteSectionNotFound> => {
  if (findSection(structure, id) === undefined) return sectionMissing(id)
  return Result.succeed(
    withItems(
      structure,
      mapSections(itemsOf(structure), (section) => (section.id === id ? undefined : section))
    )
  )
}

export const setDefaultSection = (structure: SiteStructure, id: SiteSectionId): Changed<SiteSectionNotFound> =>
  structure.type === "siteSpaces" || findSection(structure, id) === undefined
    ? sectionMissing(id)
    : Result.succeed(structure.default === id ? structure : { ...structure, default: id })
