/**
 * Sorts a site's structure: moves an item next to another one of its kind, possibly to another level, or to the end of
 * its level.
 *
 * A section may be next to a section, grouped or not, and next to a group; a group only at the top; a site space next
 * to a site space, also of another section.
 */
import { Result } from "effect"
import { InvalidPosition } from "../collection/Collection.ts"
import {
  findGroup,
  findSiteSpace,
  foldedPaths,
  freePath,
  type GroupEntry,
  isGroup,
  type Item,
  itemsOf,
  type SectionEntry,
  SectionGroupNotFound,
  sections,
  SiteSectionNotFound,
  type SiteSpaceEntry,
  SiteSpaceNotFound,
  type SiteStructure,
  type SpaceTwice
} from "./SiteStructure.ts"
import { mapSections, spaceTwice, withItems, withSiteSpaces } from "./StructureLevels.ts"

export interface Pointer {
  readonly type: "site-space" | "site-section" | "site-section-group"
  readonly id: string
}

/** `after`: the preceding neighbour; `before`: the following one. */
export interface SitePosition {
  readonly before?: Pointer
  readonly after?: Pointer
}

const invalid = (field: "" | ".before" | ".after", message: string) =>
  Result.fail(new InvalidPosition({ issues: [{ path: `body.position${field}`, message }] }))

const neighbours = "Expected neighbours: `after` right in front of `before`"

/**
 * Returns the new index of an entry among the other entries; undefined if it does not move. `level`: entries of the
 * target level, including the entry itself if it is on that level.
 */
const indexIn = (
  level: ReadonlyArray<{ readonly id: string }>,
  self: string,
  { before, after }: SitePosition
): Result.Result<number | undefined, InvalidPosition> => {
  const otherEntries = level.filter(({ id }) => id !== self)
  const currentIndex = level.findIndex(({ id }) => id === self)
  const indexOf = (id: string) => otherEntries.findIndex((entry) => entry.id === id)
  if (before?.id === self || after?.id === self) {
    // An entry next to itself does not move. The other neighbour must be adjacent to it.
    const isInOrder =
      before === undefined ||
      after === undefined ||
      level.findIndex(({ id }) => id === after.id) + 1 === level.findIndex(({ id }) => id === before.id)
    return isInOrder ? Result.succeed(undefined) : invalid("", neighbours)
  }
  const index =
    after !== undefined ? indexOf(after.id) + 1 : before !== undefined ? indexOf(before.id) : otherEntries.length
  if (before !== undefined && indexOf(before.id) !== index) return invalid("", neighbours)
  return Result.succeed(index === currentIndex ? undefined : index)
}

const insertAt = <A>(list: ReadonlyArray<A>, index: number, value: A): ReadonlyArray<A> => [
  ...list.slice(0, index),
  value,
  ...list.slice(index)
]

/** Returns the level of both neighbours: a group, or the top (undefined). */
const itemLevel = (
  structure: SiteStructure,
  ownGroup: GroupEntry | undefined,
  position: SitePosition,
  kinds: ReadonlySet<Pointer["type"]>
): Result.Result<GroupEntry | undefined, InvalidPosition> => {
  let level: { readonly group: GroupEntry | undefined } | undefined
  for (const field of ["before", "after"] as const) {
    const reference = position[field]
    if (reference === undefined) continue
    const location = !kinds.has(reference.type)
      ? undefined
      : reference.type === "site-section"
        ? sections(structure).find(({ section }) => section.id === reference.id)
        : findGroup(structure, reference.id) && { group: undefined }
    if (location === undefined) return invalid(`.${field}`, "Expected something that it can stand beside")
    if (level !== undefined && level.group !== location.group) return invalid("", neighbours)
    level = { group: location.group }
  }
  return Result.succeed(level === undefined ? ownGroup : level.group)
}

const putItem = (
  structure: SiteStructure,
  item: Item,
  group: GroupEntry | undefined,
  position: SitePosition
): Result.Result<SiteStructure, InvalidPosition> => {
  const level: ReadonlyArray<Item> = group?.sections ?? itemsOf(structure)
  return Result.map(indexIn(level, item.id, position), (index) => {
    if (index === undefined) return structure
    const remainingItems = isGroup(item)
      ? itemsOf(structure).filter((entry) => entry !== item)
      : mapSections(itemsOf(structure), (section) => (section === item ? undefined : section))
    return withItems(
      structure,
      group === undefined
        ? insertAt(remainingItems, index, item)
        : remainingItems.map((entry) =>
            isGroup(entry) && entry.id === group.id
              ? { ...entry, sections: insertAt(entry.sections, index, item as SectionEntry) }
              : entry
          )
    )
  })
}

const sortSection = (structure: SiteStructure, id: string, position: SitePosition) => {
  const ownEntry = sections(structure).find(({ section }) => section.id === id)
  if (ownEntry === undefined) {
    return Result.fail(new SiteSectionNotFound({ message: `There is no section ${id.slice(0, 100)} on this site` }))
  }
  return Result.flatMap(
    itemLevel(structure, ownEntry.group, position, new Set(["site-section", "site-section-group"])),
    (group) => putItem(structure, ownEntry.section, group, position)
  )
}

const sortGroup = (structure: SiteStructure, id: string, position: SitePosition) => {
  const group = findGroup(structure, id)
  if (group === undefined) {
    return Result.fail(
      new SectionGroupNotFound({ message: `There is no section group ${id.slice(0, 100)} on this site` })
    )
  }
  const levelResult = itemLevel(structure, undefined, position, new Set(["site-section", "site-section-group"]))
  return Result.flatMap(levelResult, (targetGroup) =>
    targetGroup === undefined
      ? putItem(structure, group, undefined, position)
      : invalid(position.before === undefined ? ".after" : ".before", "A group can't stand in a group")
  )
}

/** Returns the level of both neighbours of a site space: a section, or the root (undefined). */
const siteSpaceLevel = (structure: SiteStructure, ownSection: SectionEntry | undefined, position: SitePosition) => {
  let level: { readonly section: SectionEntry | undefined } | undefined
  for (const field of ["before", "after"] as const) {
    const reference = position[field]
    if (reference === undefined) continue
    const location = reference.type === "site-space" ? findSiteSpace(structure, reference.id) : undefined
    if (location === undefined) return invalid(`.${field}`, "Expected a site space of this site")
    if (level !== undefined && level.section !== location.section) return invalid("", neighbours)
    level = { section: location.section }
  }
  return Result.succeed(level === undefined ? ownSection : level.section)
}

const sortSiteSpace = (
  structure: SiteStructure,
  id: string,
  position: SitePosition
): Result.Result<SiteStructure, SiteSpaceNotFound | InvalidPosition | SpaceTwice> => {
  const ownSiteSpace = findSiteSpace(structure, id)
  if (ownSiteSpace === undefined) {
    return Result.fail(new SiteSpaceNotFound({ message: `There is no site space ${id.slice(0, 100)} on this site` }))
  }
  return Result.flatMap(
    siteSpaceLevel(structure, ownSiteSpace.section, position),
    (section): Result.Result<SiteStructure, InvalidPosition | SpaceTwice> => {
      const level = section?.siteSpaces ?? (structure.type === "siteSpaces" ? structure.siteSpaces : [])
      const otherEntries = level.filter((entry) => entry.id !== id)
      return Result.flatMap(indexIn(level, id, position), (index): Result.Result<SiteStructure, SpaceTwice> => {
        if (index === undefined) return Result.succeed(structure)
        if (
          section !== ownSiteSpace.section &&
          otherEntries.some(({ space }) => space === ownSiteSpace.siteSpace.space)
        )
          return spaceTwice()
        const entry: SiteSpaceEntry = {
          ...ownSiteSpace.siteSpace,
          path: freePath(ownSiteSpace.siteSpace.path, foldedPaths(otherEntries))
        }
        const put = () => insertAt(otherEntries, index, entry)
        if (section === ownSiteSpace.section) return Result.succeed(withSiteSpaces(structure, section?.id, put))
        const remainingStructure = withSiteSpaces(structure, ownSiteSpace.section?.id, (before) =>
          before.filter((each) => each.id !== id)
        )
        return Result.succeed(withSiteSpaces(remainingStructure, section?.id, put))
      })
    }
  )
}

/** Returns the structure with the moved item; the unchanged object if it does not move. */
export const sort = (
  structure: SiteStructure,
  { type, id }: Pointer,
  position: SitePosition
): Result.Result<
  SiteStructure,
  SiteSpaceNotFound | SiteSectionNotFound | SectionGroupNotFound | InvalidPosition | SpaceTwice
> => {
  switch (type) {
    case "site-space":
      return sortSiteSpace(structure, id, position)
    case "site-section":
      return sortSection(structure, id, position)
    case "site-section-group":
      return sortGroup(structure, id, position)
  }
}
