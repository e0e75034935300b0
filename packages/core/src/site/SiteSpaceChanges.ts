/** Changes of the site spaces in a site's structure, as pure functions that enforce its rules (see `SiteStructure`). */
import { Result } from "effect"
import type { SpaceId } from "../space/Space.ts"
import {
  derivedPath,
  findSection,
  findSiteSpace,
  foldPath,
  foldedPaths,
  freePath,
  maxSiteSpaces,
  PathTaken,
  type SiteSectionId,
  SiteSectionNotFound,
  type SiteSpaceEntry,
  type SiteSpaceId,
  SiteSpaceNotFound,
  siteSpaces,
  type SiteStructure,
  SpaceTwice,
  StructureTooLarge
} from "./SiteStructure.ts"
import {
  type Changed,
  changeSection,
  withSiteSpaces,
  levelOf,
  sectionMissing,
  siteSpaceMissing,
  tooLarge,
  spaceTwice,
  pathTaken,
  withOptional
} from "./StructureLevels.ts"

/** A space to add to a site. Its path is derived from the title. */
export interface NewSiteSpace {
  readonly id: SiteSpaceId
  readonly space: SpaceId
  readonly title: string
}

export const entryOf = ({ id, space, title }: NewSiteSpace, level: ReadonlyArray<SiteSpaceEntry>): SiteSpaceEntry => ({
  id,
  space,
  path: freePath(derivedPath(title, "space"), foldedPaths(level))
})

/** Adds a site space at the end of the section. Default: the default section, or the root. */
export const addSiteSpace = (
  structure: SiteStructure,
  siteSpace: NewSiteSpace,
  section?: SiteSectionId
): Changed<SiteSectionNotFound | SpaceTwice | StructureTooLarge> => {
  const targetSection = section ?? (structure.type === "sections" ? structure.default : undefined)
  const sectionEntry = targetSection === undefined ? undefined : findSection(structure, targetSection)
  if (targetSection !== undefined && sectionEntry === undefined) return sectionMissing(targetSection)
  const level = levelOf(structure, sectionEntry)
  if (level.some(({ space }) => space === siteSpace.space)) return spaceTwice()
  if (siteSpaces(structure).length >= maxSiteSpaces) return tooLarge("site spaces", maxSiteSpaces)
  return Result.succeed(
    withSiteSpaces(structure, targetSection, (siteSpacesBefore) => [
      ...siteSpacesBefore,
      entryOf(siteSpace, siteSpacesBefore)
    ])
  )
}

export const removeSiteSpace = (structure: SiteStructure, id: SiteSpaceId): Changed<SiteSpaceNotFound> => {
  const location = findSiteSpace(structure, id)
  if (location === undefined) return siteSpaceMissing(id)
  return Result.succeed(
    withSiteSpaces(structure, location.section?.id, (level) => level.filter((entry) => entry.id !== id))
  )
}

/** Changes a site space. `null` removes an optional value; omitted fields stay unchanged. */
export const patchSiteSpace = (
  structure: SiteStructure,
  id: SiteSpaceId,
  { condition, ...patch }: { readonly path?: string; readonly condition?: string | null; readonly space?: SpaceId }
): Changed<SiteSpaceNotFound | PathTaken | SpaceTwice> => {
  const location = findSiteSpace(structure, id)
  if (location === undefined) return siteSpaceMissing(id)
  const siblings = levelOf(structure, location.section).filter((entry) => entry.id !== id)
  if (patch.path !== undefined && foldedPaths(siblings).has(foldPath(patch.path))) return pathTaken(patch.path)
  if (patch.space !== undefined && siblings.some(({ space }) => space === patch.space)) return spaceTwice()
  return Result.succeed(
    withSiteSpaces(structure, location.section?.id, (level) =>
      level.map((entry) => (entry.id === id ? withOptional({ ...entry, ...patch }, { condition }) : entry))
    )
  )
}

/** Sets the default of a section, or of the root (null). */
export const setDefaultSiteSpace = (
  structure: SiteStructure,
  section: SiteSectionId | null,
  id: SiteSpaceId
): Changed<SiteSectionNotFound | SiteSpaceNotFound> => {
  const sectionEntry = section === null ? undefined : findSection(structure, section)
  if (section !== null && sectionEntry === undefined) return sectionMissing(section)
  if (!levelOf(structure, sectionEntry).some((entry) => entry.id === id)) return siteSpaceMissing(id)
  if (sectionEntry !== undefined) {
    return Result.succeed(
      sectionEntry.default === id
        ? structure
        : changeSection(structure, sectionEntry.id, (entry) => ({ ...entry, default: id }))
    )
  }
  return Result.succeed(
    structure.type === "sections" || structure.default === id ? structure : { ...structure, default: id }
  )
}

/** A removed site space with its former position. */
export interface RemovedSiteSpace {
  /** Section of the site space. Null for the root. */
  readonly section: SiteSectionId | null
  readonly siteSpace: SiteSpaceEntry
  /** Preceding and following site spaces; null if no such site space exists. */
  readonly after: SiteSpaceId | null
  readonly before: SiteSpaceId | null
  /** Set for a former default of its level: the site space that replaced it; null for none. */
  readonly heir?: SiteSpaceId | null
}

const defaultOf = (structure: SiteStructure, section: SiteSectionId | null): SiteSpaceId | null =>
  section === null
    ? structure.type === "siteSpaces"
      ? structure.default
      : null
    : (findSection(structure, section)?.default ?? null)

/** Removes a space from all levels. Empty sections stay. */
export const removeSpace = (
  structure: SiteStructure,
  space: SpaceId
): { readonly structure: SiteStructure; readonly removed: ReadonlyArray<RemovedSiteSpace> } => {
  const removedSiteSpaces = siteSpaces(structure).filter(({ siteSpace }) => siteSpace.space === space)
  const remaining = removedSiteSpaces.reduce(
    (remainingStructure, { section, siteSpace }) =>
      withSiteSpaces(remainingStructure, section?.id, (level) => level.filter((entry) => entry.id !== siteSpace.id)),
    structure
  )
  return {
    structure: remaining,
    removed: removedSiteSpaces.map(({ section: sectionEntry, siteSpace }) => {
      const section = sectionEntry?.id ?? null
      const level = levelOf(structure, sectionEntry)
      const index = level.findIndex(({ id }) => id === siteSpace.id)
      const wasDefault = defaultOf(structure, section) === siteSpace.id
      const neighbors = { after: level[index - 1]?.id ?? null, before: level[index + 1]?.id ?? null }
      return { section, siteSpace, ...neighbors, ...(wasDefault && { heir: defaultOf(remaining, section) }) }
    })
  }
}

/**
 * Restores removed site spaces at their former positions: next to a former neighbour, or at the end. Skips a site space
 * if its section no longer exists, its space is on the level already, or the site is full. A former default becomes the
 * default again, unless another one was chosen in the meantime.
 */
export const restore = (structure: SiteStructure, removed: ReadonlyArray<RemovedSiteSpace>): SiteStructure =>
  removed.reduce((nextStructure, { section, siteSpace, after, before: following, heir }) => {
    const sectionEntry = section === null ? undefined : findSection(nextStructure, section)
    if (section === null ? nextStructure.type === "sections" : sectionEntry === undefined) return nextStructure
    if (findSiteSpace(nextStructure, siteSpace.id) !== undefined) return nextStructure
    const level = levelOf(nextStructure, sectionEntry)
    if (level.some(({ space }) => space === siteSpace.space)) return nextStructure
    if (siteSpaces(nextStructure).length >= maxSiteSpaces) return nextStructure
    const path = freePath(siteSpace.path, foldedPaths(level))
    const placeOf = (id: SiteSpaceId | null) => level.findIndex((entry) => entry.id === id)
    const [afterIndex, followingIndex] = [placeOf(after), placeOf(following)]
    const wasFirst = after === null && following !== null
    const index = wasFirst
      ? 0
      : afterIndex !== -1
        ? afterIndex + 1
        : followingIndex !== -1
          ? followingIndex
          : level.length
    const restoredStructure = withSiteSpaces(nextStructure, sectionEntry?.id, (siteSpacesBefore) =>
      siteSpacesBefore.toSpliced(index, 0, { ...siteSpace, path })
    )
    const isDefault = heir != null && (defaultOf(nextStructure, section) === heir || placeOf(heir) === -1)
    return isDefault
      ? Result.getOrElse(setDefaultSiteSpace(restoredStructure, section, siteSpace.id), () => restoredStructure)
      : restoredStructure
  }, structure)
