/** Changes of the site spaces in a site's structure, as pure functions that enforce its rules (see `SiteStructure`). */
import { Result } from "effect"
import type { SpaceId } from "../space/Space.ts"
import {
  derivedPath,
  findSection,
  findSiteSpace,
  fold,
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
  twice,
  taken,
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
  const into = section ?? (structure.type === "sections" ? structure.default : undefined)
  const found = into === undefined ? undefined : findSection(structure, into)
  if (into !== undefined && found === undefined) return sectionMissing(into)
  const level = levelOf(structure, found)
  if (level.some(({ space }) => space === siteSpace.space)) return twice()
  if (siteSpaces(structure).length >= maxSiteSpaces) return tooLarge("site spaces", maxSiteSpaces)
  return Result.succeed(withSiteSpaces(structure, into, (before) => [...before, entryOf(siteSpace, before)]))
}

export const removeSiteSpace = (structure: SiteStructure, id: SiteSpaceId): Changed<SiteSpaceNotFound> => {
  const found = findSiteSpace(structure, id)
  if (found === undefined) return siteSpaceMissing(id)
  return Result.succeed(
    withSiteSpaces(structure, found.section?.id, (level) => level.filter((entry) => entry.id !== id))
  )
}

/** Changes a site space. `null` removes an optional value; omitted fields stay unchanged. */
export const patchSiteSpace = (
  structure: SiteStructure,
  id: SiteSpaceId,
  { condition, ...patch }: { readonly path?: string; readonly condition?: string | null; readonly space?: SpaceId }
): Changed<SiteSpaceNotFound | PathTaken | SpaceTwice> => {
  const found = findSiteSpace(structure, id)
  if (found === undefined) return siteSpaceMissing(id)
  const others = levelOf(structure, found.section).filter((entry) => entry.id !== id)
  if (patch.path !== undefined && foldedPaths(others).has(fold(patch.path))) return taken(patch.path)
  if (patch.space !== undefined && others.some(({ space }) => space === patch.space)) return twice()
  return Result.succeed(
    withSiteSpaces(structure, found.section?.id, (level) =>
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
  const found = section === null ? undefined : findSection(structure, section)
  if (section !== null && found === undefined) return sectionMissing(section)
  if (!levelOf(structure, found).some((entry) => entry.id === id)) return siteSpaceMissing(id)
  if (found !== undefined) {
    return Result.succeed(
      found.default === id ? structure : changeSection(structure, found.id, (entry) => ({ ...entry, default: id }))
    )
  }
  return Result.succeed(
    structure.type === "sections" || structure.default === id ? structure : { ...structure, default: id }
  )
}

/** A removed site space with its former position. */
export interface RemovedSiteSpace {
  /** Null for the root. */
  readonly section: SiteSectionId | null
  readonly siteSpace: SiteSpaceEntry
  /** Preceding and following neighbours; null for none. */
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
  const removed = siteSpaces(structure).filter(({ siteSpace }) => siteSpace.space === space)
  const left = removed.reduce(
    (before, { section, siteSpace }) =>
      withSiteSpaces(before, section?.id, (level) => level.filter((entry) => entry.id !== siteSpace.id)),
    structure
  )
  return {
    structure: left,
    removed: removed.map(({ section: of, siteSpace }) => {
      const section = of?.id ?? null
      const level = levelOf(structure, of)
      const at = level.findIndex(({ id }) => id === siteSpace.id)
      const wasDefault = defaultOf(structure, section) === siteSpace.id
      const beside = { after: level[at - 1]?.id ?? null, before: level[at + 1]?.id ?? null }
      return { section, siteSpace, ...beside, ...(wasDefault && { heir: defaultOf(left, section) }) }
    })
  }
}

/**
 * Restores removed site spaces at their former positions: next to a former neighbour, or at the end. Skips a site space
 * if its section no longer exists, its space is on the level already, or the site is full. A former default becomes the
 * default again, unless another one was chosen in the meantime.
 */
export const restore = (structure: SiteStructure, removed: ReadonlyArray<RemovedSiteSpace>): SiteStructure =>
  removed.reduce((into, { section, siteSpace, after, before: next, heir }) => {
    const found = section === null ? undefined : findSection(into, section)
    if (section === null ? into.type === "sections" : found === undefined) return into
    if (findSiteSpace(into, siteSpace.id) !== undefined) return into
    const level = levelOf(into, found)
    if (level.some(({ space }) => space === siteSpace.space)) return into
    if (siteSpaces(into).length >= maxSiteSpaces) return into
    const path = freePath(siteSpace.path, foldedPaths(level))
    const placeOf = (id: SiteSpaceId | null) => level.findIndex((entry) => entry.id === id)
    const [behind, inFront] = [placeOf(after), placeOf(next)]
    const wasFirst = after === null && next !== null
    const at = wasFirst ? 0 : behind !== -1 ? behind + 1 : inFront !== -1 ? inFront : level.length
    const back = withSiteSpaces(into, found?.id, (before) => before.toSpliced(at, 0, { ...siteSpace, path }))
    const isDefault = heir != null && (defaultOf(into, section) === heir || placeOf(heir) === -1)
    return isDefault ? Result.getOrElse(setDefaultSiteSpace(back, section, siteSpace.id), () => back) : back
  }, structure)
