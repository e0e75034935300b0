/** Converts sites and their parts to resources of the interface. */
import type { Role } from "../access/Role.ts"
import { pathOf, type Preview } from "../visitor/Preview.ts"
import type { SignOnUrls } from "../visitor/VisitorKeys.ts"
import type { Space, SpaceId } from "../space/Space.ts"
import type { Site, SiteRow } from "./Site.ts"
import { type AddressedSite, directUrl, publishedUrl } from "./SiteAddress.ts"
import * as SitePaths from "./SitePaths.ts"
import { permissions } from "./SitePolicy.ts"
import type { SiteSection, SiteSectionGroup, SiteSpace, Structure } from "./SiteResources.ts"
import type { CachedSite } from "./store/SiteStore.ts"
import {
  type GroupEntry,
  isGroup,
  itemsOf,
  type SectionEntry,
  type SectionLocation,
  sections,
  siteSpaces,
  type SiteSpaceEntry
} from "./SiteStructure.ts"

/**
 * Returns the URL of a published site; undefined for an unpublished site, and for a site of share links without a valid
 * key.
 */
export const siteUrlOf = (
  cachedSite: Pick<CachedSite, "site" | "shareLinkOf">,
  sitesUrl: string,
  shareKey?: string
) => {
  const { site } = cachedSite
  if (!site.published) return undefined
  if (site.visibility !== "share-link") return publishedUrl(site, sitesUrl)
  return shareKey === undefined || cachedSite.shareLinkOf(shareKey) === undefined
    ? undefined
    : `${publishedUrl(site, sitesUrl)}${shareKey}/`
}

const hasConditions = ({ structure }: SiteRow) =>
  siteSpaces(structure).some(({ siteSpace }) => siteSpace.condition !== undefined) ||
  sections(structure).some(({ section }) => section.condition !== undefined)

/** Returns whether visitors see different parts, depending on their claims. */
export const adaptiveContentOf = (site: SiteRow): Site["adaptiveContent"] =>
  site.adaptiveContent ?? { enabled: hasConditions(site) }

/**
 * Returns the base URL of a site's preview. A proxy may not forward the path of a preview, so previews of proxied sites
 * use the direct URL.
 */
export const previewUrl = (site: AddressedSite, sitesUrl: string, preview: Pick<Preview, "changeRequest">): string => {
  const isProxied = site.proxy !== undefined && site.mountUrl === undefined
  return (isProxied ? directUrl(site, sitesUrl) : publishedUrl(site, sitesUrl)) + pathOf(preview)
}

/** `level`: undefined for an actor who may no longer see the site after the change; `base`: URL of the site. */
export const presentSite = (
  site: SiteRow,
  level: Role | undefined,
  context: {
    readonly publicUrl: string
    readonly sitesUrl: string
    readonly base: string | undefined
    /** Number of site spaces that the actor sees. Default: all. */
    readonly siteSpaces?: number | undefined
    readonly signOn?: SignOnUrls
  }
): Site => {
  const location = `${context.publicUrl}/v1/orgs/${site.organization}/sites/${site.id}`
  return {
    object: "site",
    id: site.id,
    type: site.type,
    appliedType: site.type,
    title: site.title,
    ...(site.hostname !== undefined && { hostname: site.hostname }),
    basename: site.basename,
    ...(site.proxy !== undefined && { proxy: { origin: site.proxy, target: directUrl(site, context.sitesUrl) } }),
    visibility: site.visibility,
    defaultLevel: "inherit",
    published: site.published,
    siteSpaces: context.siteSpaces ?? siteSpaces(site.structure).length,
    createdAt: site.createdAt,
    adaptiveContent: adaptiveContentOf(site),
    agentsContext: site.agentsContext,
    features: [],
    urls: {
      location,
      app: location,
      ...(context.base !== undefined && { published: context.base }),
      preview: previewUrl(site, context.sitesUrl, {}),
      ...context.signOn
    },
    permissions: permissions(level)
  }
}

/** Data from which the parts of a site are presented. */
export interface Presentation {
  readonly paths: SitePaths.Index
  /** URL of the site, if it has one. */
  readonly base: string | undefined
  /** Spaces as the actor sees them. Missing ones are not presented. */
  readonly spaces: Pick<ReadonlyMap<SpaceId, Space>, "get" | "has">
  /** First segments of page paths, for each space that is first on its level. */
  readonly names: ReadonlyMap<SpaceId, ReadonlySet<string>>
  /**
   * Decides which entries are visible. Conditions are omitted if it is set. Default: all are visible, with their
   * conditions.
   */
  readonly isVisible?: SitePaths.IsVisible
  /**
   * True for actors who change the structure. They see sections even if they see no space in them. Others do not see
   * such sections, whose title may be the title of a space.
   */
  readonly isWhole?: boolean
}

const noNames: ReadonlySet<string> = new Set()

const urls = ({ paths, base, names, isVisible }: Presentation, siteSpace: SiteSpaceEntry | undefined) => {
  if (base === undefined || siteSpace === undefined) return {}
  const path = SitePaths.base(paths, siteSpace.id, names.get(siteSpace.space) ?? noNames, isVisible).join("/")
  return { published: path === "" ? base : `${base}${path}/` }
}

export const presentSiteSpace = (
  siteSpace: SiteSpaceEntry,
  section: SectionEntry | undefined,
  isDefault: boolean,
  presentation: Presentation
): SiteSpace => {
  const space = presentation.spaces.get(siteSpace.space)!
  const siteSpaceUrl = urls(presentation, siteSpace)
  return {
    object: "site-space",
    id: siteSpace.id,
    path: siteSpace.path,
    ...(section !== undefined && { section: section.id }),
    space: { ...space, urls: { ...space.urls, ...siteSpaceUrl } },
    title: space.title,
    default: isDefault,
    ...(siteSpace.condition !== undefined &&
      presentation.isVisible === undefined && { condition: siteSpace.condition }),
    draft: false,
    hasAdvancedCustomizationFeature: true,
    urls: siteSpaceUrl
  }
}

/**
 * Presents the visible site spaces of a level, or only one of them. If the default is not visible, the first one is
 * marked as the default.
 */
export const presentSiteSpaces = (
  level: ReadonlyArray<SiteSpaceEntry>,
  section: SectionEntry | undefined,
  chosen: string | null,
  presentation: Presentation,
  only?: string
): ReadonlyArray<SiteSpace> => {
  const presentable = level.filter(
    (entry) => presentation.spaces.has(entry.space) && (presentation.isVisible?.(entry) ?? true)
  )
  const defaultEntry = presentable.find(({ id }) => id === chosen) ?? presentable[0]
  const selectedEntries = only === undefined ? presentable : presentable.filter(({ id }) => id === only)
  return selectedEntries.map((entry) => presentSiteSpace(entry, section, entry === defaultEntry, presentation))
}

export const presentSection = (
  section: SectionEntry,
  group: GroupEntry | undefined,
  isDefault: boolean,
  presentation: Presentation
): SiteSection => {
  const presentedSiteSpaces = presentSiteSpaces(section.siteSpaces, section, section.default, presentation)
  const firstId = presentedSiteSpaces.find((siteSpace) => siteSpace.default)?.id
  return {
    object: "site-section",
    id: section.id,
    title: section.title,
    ...(section.description !== undefined && { description: section.description }),
    default: isDefault,
    draft: false,
    path: section.path,
    ...(section.condition !== undefined && presentation.isVisible === undefined && { condition: section.condition }),
    ...(group !== undefined && { sectionGroup: group.id }),
    ...(section.icon !== undefined && { icon: section.icon }),
    siteSpaces: presentedSiteSpaces,
    urls: urls(
      presentation,
      section.siteSpaces.find(({ id }) => id === firstId)
    )
  }
}

/** Returns true if a section is visible. For visitors, an empty section is not. */
const isPresentable = (section: SectionEntry, { isVisible, isWhole, spaces }: Presentation): boolean => {
  if (isVisible !== undefined) {
    return isVisible(section) && section.siteSpaces.some((entry) => isVisible(entry) && spaces.has(entry.space))
  }
  return (
    isWhole === true || section.siteSpaces.length === 0 || section.siteSpaces.some((entry) => spaces.has(entry.space))
  )
}

/**
 * Presents the visible sections with their groups, in order, with the default marked. `isSelected` selects some of
 * them.
 */
const presentedSections = (
  cachedSite: Pick<CachedSite, "site">,
  presentation: Presentation,
  isSelected: (location: SectionLocation) => boolean = () => true
) => {
  const { structure } = cachedSite.site
  if (structure.type !== "sections") return []
  const presentable = sections(structure).filter(({ section }) => isPresentable(section, presentation))
  const chosen = presentable.find(({ section }) => section.id === structure.default) ?? presentable[0]
  return presentable.filter(isSelected).map(({ section, group }) => ({
    group,
    section: presentSection(section, group, section === chosen?.section, presentation)
  }))
}

export const presentSections = (
  cachedSite: Pick<CachedSite, "site">,
  presentation: Presentation
): ReadonlyArray<SiteSection> => presentedSections(cachedSite, presentation).map(({ section }) => section)

/** Presents one section by id. */
export const presentOneSection = (cachedSite: Pick<CachedSite, "site">, presentation: Presentation, id: string) =>
  presentedSections(cachedSite, presentation, ({ section }) => section.id === id)[0]?.section

const presentGroup = (group: GroupEntry, sectionResources: ReadonlyArray<SiteSection>): SiteSectionGroup => ({
  object: "site-section-group",
  id: group.id,
  title: group.title,
  draft: false,
  ...(group.icon !== undefined && { icon: group.icon }),
  sections: sectionResources,
  children: sectionResources
})

/** Presents the groups of these sections. */
const groupsOf = (
  groups: ReadonlyArray<GroupEntry>,
  sectionsWithGroups: ReturnType<typeof presentedSections>,
  presentation: Presentation
): ReadonlyArray<SiteSectionGroup> => {
  const sectionsByGroup = Map.groupBy(sectionsWithGroups, ({ group }) => group?.id)
  const groupsWithSections = new Set(groups.flatMap(({ id, sections }) => (sections.length > 0 ? [id] : [])))
  return groups
    .map((group) => presentGroup(group, sectionsByGroup.get(group.id)?.map(({ section }) => section) ?? []))
    .filter(
      ({ id, sections }) => sections.length > 0 || (presentation.isVisible === undefined && !groupsWithSections.has(id))
    )
}

export const presentGroups = (
  cachedSite: Pick<CachedSite, "site">,
  presentation: Presentation
): ReadonlyArray<SiteSectionGroup> =>
  groupsOf(
    itemsOf(cachedSite.site.structure).filter(isGroup),
    presentedSections(cachedSite, presentation),
    presentation
  )

/** Presents one group by id. */
export const presentOneGroup = (cachedSite: Pick<CachedSite, "site">, presentation: Presentation, id: string) => {
  const groups = itemsOf(cachedSite.site.structure)
    .filter(isGroup)
    .filter((group) => group.id === id)
  return groupsOf(
    groups,
    presentedSections(cachedSite, presentation, ({ group }) => group?.id === id),
    presentation
  )[0]
}

/** Presents all visible site spaces, by section. `isFirst` marks the one that the root of the site leads to. */
export const presentStructureSpaces = (
  cachedSite: Pick<CachedSite, "site">,
  presentation: Presentation
): ReadonlyArray<{ readonly siteSpace: SiteSpace; readonly isFirst: boolean }> => {
  const { structure } = cachedSite.site
  return structure.type === "siteSpaces"
    ? presentSiteSpaces(structure.siteSpaces, undefined, structure.default, presentation).map((siteSpace) => ({
        siteSpace,
        isFirst: siteSpace.default
      }))
    : presentSections(cachedSite, presentation).flatMap((section) =>
        section.siteSpaces.map((siteSpace) => ({ siteSpace, isFirst: section.default && siteSpace.default }))
      )
}

/** Presents one site space by id. */
export const presentOneSiteSpace = (cachedSite: Pick<CachedSite, "site">, presentation: Presentation, id: string) => {
  const { structure } = cachedSite.site
  const hasEntry = (level: ReadonlyArray<SiteSpaceEntry>) => level.some((entry) => entry.id === id)
  const presentedSiteSpace =
    structure.type === "siteSpaces"
      ? presentSiteSpaces(structure.siteSpaces, undefined, structure.default, presentation, id)
      : presentedSections(cachedSite, presentation, ({ section }) => hasEntry(section.siteSpaces)).flatMap(
          ({ section }) => section.siteSpaces
        )
  return presentedSiteSpace.find((siteSpace) => siteSpace.id === id)
}

export const presentStructure = (cachedSite: Pick<CachedSite, "site">, presentation: Presentation): Structure => {
  const { structure } = cachedSite.site
  if (structure.type === "siteSpaces") {
    return {
      type: "siteSpaces",
      structure: presentSiteSpaces(structure.siteSpaces, undefined, structure.default, presentation)
    }
  }
  const sectionsWithGroups = presentedSections(cachedSite, presentation)
  const parts = new Map<string, SiteSection | SiteSectionGroup>([
    ...sectionsWithGroups.map(({ section }) => [section.id, section] as const),
    ...groupsOf(structure.items.filter(isGroup), sectionsWithGroups, presentation).map(
      (group) => [group.id, group] as const
    )
  ])
  return { type: "sections", structure: structure.items.flatMap(({ id }) => parts.get(id) ?? []) }
}
