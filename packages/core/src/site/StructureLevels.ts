/** Functions shared by all changes of a site's structure: levels with their entries and defaults, and errors. */
import { Result } from "effect"
import {
  isGroup,
  type Item,
  itemsOf,
  PathTaken,
  type SectionEntry,
  SectionGroupNotFound,
  sections,
  sectionsIn,
  SiteSectionNotFound,
  type SiteSpaceEntry,
  SiteSpaceNotFound,
  type SiteStructure,
  SpaceTwice,
  StructureTooLarge
} from "./SiteStructure.ts"

export type Changed<E> = Result.Result<SiteStructure, E>

interface Identified<Id extends string> {
  readonly id: Id
}

/**
 * Returns the default of a changed level: the former default if it exists, otherwise the next entry, otherwise the
 * previous one.
 */
const defaultAfter = <Id extends string>(
  entriesBefore: ReadonlyArray<Identified<Id>>,
  chosen: Id | null,
  entriesAfter: ReadonlyArray<Identified<Id>>
): Id | null => {
  const remainingIds = new Set(entriesAfter.map(({ id }) => id))
  if (chosen !== null && remainingIds.has(chosen)) return chosen
  const index = entriesBefore.findIndex(({ id }) => id === chosen)
  const nextEntry = entriesBefore.slice(index + 1).find(({ id }) => remainingIds.has(id))
  const previousEntry = entriesBefore.slice(0, Math.max(index, 0)).findLast(({ id }) => remainingIds.has(id))
  return (nextEntry ?? previousEntry ?? entriesAfter[0])?.id ?? null
}

const emptyList = { type: "siteSpaces", siteSpaces: [], default: null } as const

/** Returns the structure with these items. Without sections it becomes an empty list of site spaces. */
export const withItems = (structure: SiteStructure, items: ReadonlyArray<Item>): SiteStructure => {
  const sectionsAfter = sectionsIn(items).map(({ section }) => section)
  if (sectionsAfter.length === 0) {
    const groups = items.filter(isGroup)
    return structure.type === "siteSpaces" ? { ...structure, groups } : { ...emptyList, groups }
  }
  const sectionsBefore = sections(structure).map(({ section }) => section)
  const chosen = structure.type === "sections" ? structure.default : null
  return { type: "sections", items, default: defaultAfter(sectionsBefore, chosen, sectionsAfter)! }
}

/** Changes sections at any position. A section is removed if `change` returns undefined. */
export const mapSections = (
  items: ReadonlyArray<Item>,
  change: (section: SectionEntry) => SectionEntry | undefined
): ReadonlyArray<Item> =>
  items.flatMap((item): ReadonlyArray<Item> => {
    if (isGroup(item)) return [{ ...item, sections: item.sections.flatMap((section) => change(section) ?? []) }]
    const changedItem = change(item)
    return changedItem === undefined ? [] : [changedItem]
  })

export const changeSection = (structure: SiteStructure, id: string, change: (section: SectionEntry) => SectionEntry) =>
  withItems(
    structure,
    mapSections(itemsOf(structure), (section) => (section.id === id ? change(section) : section))
  )

/** Returns the structure with changed site spaces of a section, or of the root (undefined). */
export const withSiteSpaces = (
  structure: SiteStructure,
  section: string | undefined,
  change: (level: ReadonlyArray<SiteSpaceEntry>) => ReadonlyArray<SiteSpaceEntry>
): SiteStructure => {
  if (section !== undefined) {
    return changeSection(structure, section, (entry) => {
      const changedSiteSpaces = change(entry.siteSpaces)
      return {
        ...entry,
        siteSpaces: changedSiteSpaces,
        default: defaultAfter(entry.siteSpaces, entry.default, changedSiteSpaces)
      }
    })
  }
  if (structure.type === "sections") return structure
  const changedSiteSpaces = change(structure.siteSpaces)
  return {
    ...structure,
    siteSpaces: changedSiteSpaces,
    default: defaultAfter(structure.siteSpaces, structure.default, changedSiteSpaces)
  }
}

export const levelOf = (structure: SiteStructure, section: SectionEntry | undefined): ReadonlyArray<SiteSpaceEntry> =>
  section?.siteSpaces ?? (structure.type === "siteSpaces" ? structure.siteSpaces : [])

export const sectionMissing = (id: string) =>
  Result.fail(new SiteSectionNotFound({ message: `There is no section ${id.slice(0, 100)} on this site` }))
export const siteSpaceMissing = (id: string) =>
  Result.fail(new SiteSpaceNotFound({ message: `There is no site space ${id.slice(0, 100)} on this site` }))
export const groupMissing = (id: string) =>
  Result.fail(new SectionGroupNotFound({ message: `There is no section group ${id.slice(0, 100)} on this site` }))
export const tooLarge = (entryKind: string, max: number) =>
  Result.fail(new StructureTooLarge({ message: `A site has at most ${max} ${entryKind}` }))
export const spaceTwice = () => Result.fail(new SpaceTwice({ message: "The space stands here already" }))
export const pathTaken = (path: string) =>
  Result.fail(new PathTaken({ message: `The path ${path} is taken by a sibling` }))

/** Sets given values, removes those that are null, and keeps the rest. */
export const withOptional = <A extends object, P extends { readonly [K in keyof A]?: A[K] | null | undefined }>(
  entry: A,
  patch: P
): A => {
  const result: Record<string, unknown> = { ...(entry as Record<string, unknown>) }
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key]
    else if (value !== undefined) result[key] = value
  }
  return result as A
}
