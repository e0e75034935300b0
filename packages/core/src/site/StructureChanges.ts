/** The changes of a site's structure, each a rule of what may stand where (see `SiteStructure`). */
import { Result } from "effect"
import type { SpaceId } from "../space/Space.ts"
import {
  derivedPath,
  findGroup,
  findSection,
  findSiteSpace,
  fold,
  foldedPaths,
  freePath,
  type GroupEntry,
  isGroup,
  type Item,
  itemsOf,
  maxGroups,
  maxSections,
  maxSiteSpaces,
  PathTaken,
  type SectionEntry,
  SectionGroupNotFound,
  sections,
  sectionsIn,
  type SiteSectionGroupId,
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

type Changed<E> = Result.Result<SiteStructure, E>

interface Identified<Id extends string> {
  readonly id: Id
}

/** The default of a level that was changed: where it is gone, what came next, else what came before. */
const promoted = <Id extends string>(
  before: ReadonlyArray<Identified<Id>>,
  chosen: Id | null,
  after: ReadonlyArray<Identified<Id>>
): Id | null => {
  const there = new Set(after.map(({ id }) => id))
  if (chosen !== null && there.has(chosen)) return chosen
  const at = before.findIndex(({ id }) => id === chosen)
  const next = before.slice(at + 1).find(({ id }) => there.has(id))
  const previous = before.slice(0, Math.max(at, 0)).findLast(({ id }) => there.has(id))
  return (next ?? previous ?? after[0])?.id ?? null
}

const nothing = { type: "siteSpaces", siteSpaces: [], default: null } as const

/** The structure with these items; without sections it is a list of site spaces, and has none yet. */
export const withItems = (structure: SiteStructure, items: ReadonlyArray<Item>): SiteStructure => {
  const after = sectionsIn(items).map(({ section }) => section)
  if (after.length === 0) {
    const groups = items.filter(isGroup)
    return structure.type === "siteSpaces" ? { ...structure, groups } : { ...nothing, groups }
  }
  const before = sections(structure).map(({ section }) => section)
  const chosen = structure.type === "sections" ? structure.default : null
  return { type: "sections", items, default: promoted(before, chosen, after)! }
}

/** Changes sections wherever they stand; one for which there is nothing goes. */
export const mapSections = (
  items: ReadonlyArray<Item>,
  change: (section: SectionEntry) => SectionEntry | undefined
): ReadonlyArray<Item> =>
  items.flatMap((item): ReadonlyArray<Item> => {
    if (isGroup(item)) return [{ ...item, sections: item.sections.flatMap((section) => change(section) ?? []) }]
    const changed = change(item)
    return changed === undefined ? [] : [changed]
  })

const changeSection = (structure: SiteStructure, id: string, change: (section: SectionEntry) => SectionEntry) =>
  withItems(
    structure,
    mapSections(itemsOf(structure), (section) => (section.id === id ? change(section) : section))
  )

/** The level with these site spaces: the section of this id, or the root (undefined). */
export const withSiteSpaces = (
  structure: SiteStructure,
  section: string | undefined,
  change: (level: ReadonlyArray<SiteSpaceEntry>) => ReadonlyArray<SiteSpaceEntry>
): SiteStructure => {
  if (section !== undefined) {
    return changeSection(structure, section, (entry) => {
      const after = change(entry.siteSpaces)
      return { ...entry, siteSpaces: after, default: promoted(entry.siteSpaces, entry.default, after) }
    })
  }
  if (structure.type === "sections") return structure
  const after = change(structure.siteSpaces)
  return { ...structure, siteSpaces: after, default: promoted(structure.siteSpaces, structure.default, after) }
}

const levelOf = (structure: SiteStructure, section: SectionEntry | undefined): ReadonlyArray<SiteSpaceEntry> =>
  section?.siteSpaces ?? (structure.type === "siteSpaces" ? structure.siteSpaces : [])

const sectionMissing = (id: string) =>
  Result.fail(new SiteSectionNotFound({ message: `There is no section ${id.slice(0, 100)} on this site` }))
const siteSpaceMissing = (id: string) =>
  Result.fail(new SiteSpaceNotFound({ message: `There is no site space ${id.slice(0, 100)} on this site` }))
const groupMissing = (id: string) =>
  Result.fail(new SectionGroupNotFound({ message: `There is no section group ${id.slice(0, 100)} on this site` }))
const tooLarge = (what: string, max: number) =>
  Result.fail(new StructureTooLarge({ message: `A site has at most ${max} ${what}` }))
export const twice = () => Result.fail(new SpaceTwice({ message: "The space stands here already" }))
const taken = (path: string) => Result.fail(new PathTaken({ message: `The path ${path} is taken by a sibling` }))

/** A space to be put on a site; the title is what its path is made of. */
export interface NewSiteSpace {
  readonly id: SiteSpaceId
  readonly space: SpaceId
  readonly title: string
}

const entryOf = ({ id, space, title }: NewSiteSpace, level: ReadonlyArray<SiteSpaceEntry>): SiteSpaceEntry => ({
  id,
  space,
  path: freePath(derivedPath(title, "space"), foldedPaths(level))
})

/** At the end of the section; without one, of the default section or of the root. */
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

/** `null` removes what may be absent; what is left out stays. */
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

/** Sets what is given, takes away what is null, and leaves the rest. */
const withOptional = <A extends object, P extends { readonly [K in keyof A]?: A[K] | null | undefined }>(
  entry: A,
  patch: P
): A => {
  const kept: Record<string, unknown> = { ...(entry as Record<string, unknown>) }
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete kept[key]
    else if (value !== undefined) kept[key] = value
  }
  return kept as A
}

export interface NewSection {
  readonly id: SiteSectionId
  readonly title: string
  readonly icon?: string
  /** The first space in it. */
  readonly siteSpace: NewSiteSpace
}

/** At the end. The first section takes in the site spaces that stand at the root. */
export const addSection = (
  structure: SiteStructure,
  { id, title, icon, siteSpace }: NewSection
): Changed<StructureTooLarge> => {
  if (sections(structure).length >= maxSections) return tooLarge("sections", maxSections)
  if (siteSpaces(structure).length >= maxSiteSpaces) return tooLarge("site spaces", maxSiteSpaces)
  const [root, chosen] = structure.type === "siteSpaces" ? [structure.siteSpaces, structure.default] : [[], null]
  const isThere = root.some(({ space }) => space === siteSpace.space)
  const held = isThere ? root : [...root, entryOf(siteSpace, root)]
  const paths = foldedPaths(sections(structure).map(({ section }) => section))
  const section: SectionEntry = {
    id,
    title,
    ...(icon !== undefined && { icon }),
    path: freePath(derivedPath(title, "section"), paths),
    siteSpaces: held,
    default: chosen ?? held[0]!.id
  }
  return Result.succeed(withItems(structure, [...itemsOf(structure), section]))
}

/** `null` removes what may be absent; what is left out stays. */
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
  const others = sections(structure).flatMap(({ section }) => (section.id === id ? [] : section))
  if (path !== undefined && foldedPaths(others).has(fold(path))) return taken(path)
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

export interface NewGroup {
  readonly id: SiteSectionGroupId
  readonly title: string
  readonly icon?: string
  /** Those that move into it, in this order. */
  readonly sections: ReadonlyArray<SiteSectionId>
}

/** At the end. */
export const addGroup = (
  structure: SiteStructure,
  { sections: wanted, ...group }: NewGroup
): Changed<SiteSectionNotFound | StructureTooLarge> => {
  const items = itemsOf(structure)
  if (items.filter(isGroup).length >= maxGroups) return tooLarge("section groups", maxGroups)
  const moved: Array<SectionEntry> = []
  for (const id of new Set(wanted)) {
    const section = findSection(structure, id)
    if (section === undefined) return sectionMissing(id)
    moved.push(section)
  }
  const left = mapSections(items, (section) => (moved.includes(section) ? undefined : section))
  return Result.succeed(withItems(structure, [...left, { ...group, sections: moved }]))
}

const changeGroup = (
  structure: SiteStructure,
  id: string,
  change: (group: GroupEntry) => ReadonlyArray<Item>
): SiteStructure =>
  withItems(
    structure,
    itemsOf(structure).flatMap((item) => (isGroup(item) && item.id === id ? change(item) : item))
  )

export const patchGroup = (
  structure: SiteStructure,
  id: SiteSectionGroupId,
  { title, icon }: { readonly title?: string; readonly icon?: string | null }
): Changed<SectionGroupNotFound> => {
  if (findGroup(structure, id) === undefined) return groupMissing(id)
  return Result.succeed(
    changeGroup(structure, id, (group) => [withOptional({ ...group, ...(title !== undefined && { title }) }, { icon })])
  )
}

/** Leaves the sections, ungrouped, in its place. */
export const removeGroup = (structure: SiteStructure, id: SiteSectionGroupId): Changed<SectionGroupNotFound> => {
  if (findGroup(structure, id) === undefined) return groupMissing(id)
  return Result.succeed(changeGroup(structure, id, (group) => group.sections))
}

/** To the end of the group, out of where it was; one that is in it stays where it is. */
export const addSectionToGroup = (
  structure: SiteStructure,
  id: SiteSectionGroupId,
  section: SiteSectionId
): Changed<SectionGroupNotFound | SiteSectionNotFound> => {
  const group = findGroup(structure, id)
  if (group === undefined) return groupMissing(id)
  const found = findSection(structure, section)
  if (found === undefined) return sectionMissing(section)
  if (group.sections.includes(found)) return Result.succeed(structure)
  const left = mapSections(itemsOf(structure), (entry) => (entry === found ? undefined : entry))
  return Result.succeed(
    withItems(
      structure,
      left.map((item) => (isGroup(item) && item.id === id ? { ...item, sections: [...item.sections, found] } : item))
    )
  )
}

/** Right behind the group, ungrouped. */
export const removeSectionFromGroup = (
  structure: SiteStructure,
  id: SiteSectionGroupId,
  section: SiteSectionId
): Changed<SectionGroupNotFound | SiteSectionNotFound> => {
  const group = findGroup(structure, id)
  if (group === undefined) return groupMissing(id)
  const found = group.sections.find((entry) => entry.id === section)
  if (found === undefined) return sectionMissing(section)
  return Result.succeed(
    changeGroup(structure, id, () => [{ ...group, sections: group.sections.filter((entry) => entry !== found) }, found])
  )
}

export const setDefaultSection = (structure: SiteStructure, id: SiteSectionId): Changed<SiteSectionNotFound> =>
  structure.type === "siteSpaces" || findSection(structure, id) === undefined
    ? sectionMissing(id)
    : Result.succeed(structure.default === id ? structure : { ...structure, default: id })

/** In the section, or at the root (null). */
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

/** Where a site space stood. */
export interface LeftPlace {
  /** Null: at the root. */
  readonly section: SiteSectionId | null
  readonly siteSpace: SiteSpaceEntry
}

/** Takes a space off, wherever it stands; sections stay, empty too. */
export const removeSpace = (
  structure: SiteStructure,
  space: SpaceId
): { readonly structure: SiteStructure; readonly removed: ReadonlyArray<LeftPlace> } => {
  const removed = siteSpaces(structure).filter(({ siteSpace }) => siteSpace.space === space)
  return {
    structure: removed.reduce(
      (left, { section, siteSpace }) =>
        withSiteSpaces(left, section?.id, (level) => level.filter((entry) => entry.id !== siteSpace.id)),
      structure
    ),
    removed: removed.map(({ section, siteSpace }) => ({ section: section?.id ?? null, siteSpace }))
  }
}

/** Puts site spaces back where their place still is: at its end, where there is room and the space is not. */
export const putBack = (structure: SiteStructure, places: ReadonlyArray<LeftPlace>): SiteStructure =>
  places.reduce((into, { section, siteSpace }) => {
    const found = section === null ? undefined : findSection(into, section)
    if (section === null ? into.type === "sections" : found === undefined) return into
    if (findSiteSpace(into, siteSpace.id) !== undefined) return into
    const level = levelOf(into, found)
    if (level.some(({ space }) => space === siteSpace.space)) return into
    if (siteSpaces(into).length >= maxSiteSpaces) return into
    const path = freePath(siteSpace.path, foldedPaths(level))
    return withSiteSpaces(into, found?.id, (before) => [...before, { ...siteSpace, path }])
  }, structure)
