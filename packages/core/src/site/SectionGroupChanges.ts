/**
 * Changes of the section groups in a site's structure, as pure functions that enforce its rules (see `SiteStructure`).
 */
import { Result } from "effect"
import {
  findGroup,
  findSection,
  type GroupEntry,
  isGroup,
  type Item,
  itemsOf,
  maxGroups,
  type SectionEntry,
  SectionGroupNotFound,
  type SiteSectionGroupId,
  type SiteSectionId,
  SiteSectionNotFound,
  type SiteStructure,
  StructureTooLarge
} from "./SiteStructure.ts"
import {
  type Changed,
  withItems,
  mapSections,
  sectionMissing,
  groupMissing,
  tooLarge,
  withOptional
} from "./StructureLevels.ts"

export interface NewGroup {
  readonly id: SiteSectionGroupId
  readonly title: string
  readonly icon?: string
  /** Sections that move into the group, in this order. */
  readonly sections: ReadonlyArray<SiteSectionId>
}

/** Adds a group at the end. */
export const addGroup = (
  structure: SiteStructure,
  { sections: sectionInputs, ...group }: NewGroup
): Changed<SiteSectionNotFound | StructureTooLarge> => {
  const items = itemsOf(structure)
  if (items.filter(isGroup).length >= maxGroups) return tooLarge("section groups", maxGroups)
  const movedSections: Array<SectionEntry> = []
  for (const id of new Set(sectionInputs)) {
    const section = findSection(structure, id)
    if (section === undefined) return sectionMissing(id)
    movedSections.push(section)
  }
  const remainingItems = mapSections(items, (section) => (movedSections.includes(section) ? undefined : section))
  return Result.succeed(withItems(structure, [...remainingItems, { ...group, sections: movedSections }]))
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

/** Removes a group. Its sections take its position, ungrouped. */
export const removeGroup = (structure: SiteStructure, id: SiteSectionGroupId): Changed<SectionGroupNotFound> => {
  if (findGroup(structure, id) === undefined) return groupMissing(id)
  return Result.succeed(changeGroup(structure, id, (group) => group.sections))
}

/** Moves a section to the end of the group. A section of the group stays where it is. */
export const addSectionToGroup = (
  structure: SiteStructure,
  id: SiteSectionGroupId,
  section: SiteSectionId
): Changed<SectionGroupNotFound | SiteSectionNotFound> => {
  const group = findGroup(structure, id)
  if (group === undefined) return groupMissing(id)
  const sectionRef = findSection(structure, section)
  if (sectionRef === undefined) return sectionMissing(section)
  if (group.sections.includes(sectionRef)) return Result.succeed(structure)
  const remainingItems = mapSections(itemsOf(structure), (entry) => (entry === sectionRef ? undefined : entry))
  return Result.succeed(
    withItems(
      structure,
      remainingItems.map((item) =>
        isGroup(item) && item.id === id ? { ...item, sections: [...item.sections, sectionRef] } : item
      )
    )
  )
}

/** Moves a section out of the group, to the position after the group. */
export const removeSectionFromGroup = (
  structure: SiteStructure,
  id: SiteSectionGroupId,
  section: SiteSectionId
): Changed<SectionGroupNotFound | SiteSectionNotFound> => {
  const group = findGroup(structure, id)
  if (group === undefined) return groupMissing(id)
  const groupedSection = group.sections.find((entry) => entry.id === section)
  if (groupedSection === undefined) return sectionMissing(section)
  return Result.succeed(
    changeGroup(structure, id, () => [
      { ...group, sections: group.sections.filter((entry) => entry !== groupedSection) },
      groupedSection
    ])
  )
}
