/**
 * Adds the copy of a site space's space to the site: after the original, or in a section of its own after that of the
 * original, if that section contains only the original. The copy has the conditions of the original.
 */
import { Result } from "effect"
import { entryOf, type NewSiteSpace } from "./SiteSpaceChanges.ts"
import {
  derivedPath,
  findSiteSpace,
  foldedPaths,
  freePath,
  isGroup,
  itemsOf,
  maxSections,
  maxSiteSpaces,
  type SectionEntry,
  sections,
  type SiteSectionId,
  type SiteSpaceEntry,
  type SiteSpaceId,
  type SiteSpaceNotFound,
  siteSpaces,
  type SiteStructure,
  type StructureTooLarge
} from "./SiteStructure.ts"
import { type Changed, siteSpaceMissing, tooLarge, withItems, withSiteSpaces } from "./StructureLevels.ts"

/** `section`: id for a new section, if one is needed. */
export const addCopy = (
  structure: SiteStructure,
  original: SiteSpaceId,
  { section: id, ...copy }: NewSiteSpace & { readonly section: SiteSectionId }
): Changed<SiteSpaceNotFound | StructureTooLarge> => {
  const location = findSiteSpace(structure, original)
  if (location === undefined) return siteSpaceMissing(original)
  if (siteSpaces(structure).length >= maxSiteSpaces) return tooLarge("site spaces", maxSiteSpaces)
  const { section: originalSection, siteSpace } = location
  const entry = (level: ReadonlyArray<SiteSpaceEntry>): SiteSpaceEntry => ({
    ...entryOf(copy, level),
    ...(siteSpace.condition !== undefined && { condition: siteSpace.condition })
  })
  if (originalSection === undefined || originalSection.siteSpaces.length > 1) {
    return Result.succeed(
      withSiteSpaces(structure, originalSection?.id, (level) => insertAfter(level, siteSpace, entry(level)))
    )
  }
  if (sections(structure).length >= maxSections) return tooLarge("sections", maxSections)
  const paths = foldedPaths(sections(structure).map(({ section }) => section))
  const section: SectionEntry = {
    ...originalSection,
    id,
    title: copy.title,
    path: freePath(derivedPath(copy.title, "section"), paths),
    siteSpaces: [entry([])],
    default: copy.id
  }
  return Result.succeed(
    withItems(
      structure,
      insertAfter(itemsOf(structure), originalSection, section).map((item) =>
        isGroup(item) ? { ...item, sections: insertAfter(item.sections, originalSection, section) } : item
      )
    )
  )
}

const insertAfter = <A extends { readonly id: string }>(
  level: ReadonlyArray<A>,
  { id }: { readonly id: string },
  inserted: A
): ReadonlyArray<A> => level.flatMap((entry) => (entry.id === id ? [entry, inserted] : [entry]))
