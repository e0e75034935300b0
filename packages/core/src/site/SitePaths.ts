/**
 * Resolves paths below a site to pages, and builds the paths of pages: segments of section, site space and page,
 * without segments for the default section and site space.
 *
 * Each site space has one base for the paths of its pages (see `base`). The base omits the segments of the default
 * section and site space, unless a page at the top of the space has the name of a sibling. So every path of a page
 * resolves to the page, regardless of names.
 *
 * A moved part leaves its former path as an alias. An alias applies only if no current part, pages included, has the
 * path. So callers use `resolve` first, and `resolveFormer` if there is no page.
 *
 * Limits: the last 500 aliases of a site.
 */
import { Schema } from "effect"
import {
  foldPath,
  type SectionEntry,
  sections,
  type SiteSpaceEntry,
  siteSpaces,
  type SiteSpaceLocation,
  type SiteStructure
} from "./SiteStructure.ts"

const maxAliases = 500

const SiteAlias = Schema.Struct({
  kind: Schema.Literals(["section", "site-space"]),
  /** Former section of a site space; empty for the root, and for sections. */
  level: Schema.String,
  /** Path in lower case. */
  path: Schema.String,
  /** Id of the section or site space that the alias leads to. */
  id: Schema.String
})
type SiteAlias = typeof SiteAlias.Type
export const SiteAliases = Schema.Array(SiteAlias)
export type SiteAliases = typeof SiteAliases.Type

/** Returns true if an entry is visible to the reader. */
export type IsVisible = (entry: { readonly condition?: string; readonly space?: string }) => boolean

const allVisible: IsVisible = () => true

interface Level {
  readonly entries: ReadonlyArray<SiteSpaceEntry>
  readonly byPath: ReadonlyMap<string, SiteSpaceEntry>
  readonly default: string | null
}

/** Index of a structure for lookups. */
export interface Index {
  /** Undefined for a site without sections. */
  readonly sections: ReadonlyMap<string, SectionEntry> | undefined
  readonly sectionsByPath: ReadonlyMap<string, SectionEntry>
  readonly defaultSection: string | null
  /** Site spaces of each section by its id, and of the root by "". */
  readonly levels: ReadonlyMap<string, Level>
  readonly locationsBySiteSpace: ReadonlyMap<string, SiteSpaceLocation>
  readonly aliases: ReadonlyMap<string, OrderedAlias>
}

interface OrderedAlias extends SiteAlias {
  /** The alias with the greater value wins. */
  readonly order: number
}

const aliasKey = (kind: string, level: string, path: string) => `${kind} ${level} ${path}`

const levelOf = (entries: ReadonlyArray<SiteSpaceEntry>, chosen: string | null): Level => ({
  entries,
  byPath: new Map(entries.map((entry) => [foldPath(entry.path), entry])),
  default: chosen
})

export const index = (structure: SiteStructure, aliases: SiteAliases): Index => {
  const sectionEntries = sections(structure).map(({ section }) => section)
  return {
    sections:
      structure.type === "sections" ? new Map(sectionEntries.map((section) => [section.id, section])) : undefined,
    sectionsByPath: new Map(sectionEntries.map((section) => [foldPath(section.path), section])),
    defaultSection: structure.type === "sections" ? structure.default : null,
    levels: new Map<string, Level>([
      ...(structure.type === "siteSpaces" ? [["", levelOf(structure.siteSpaces, structure.default)] as const] : []),
      ...sectionEntries.map((section) => [section.id, levelOf(section.siteSpaces, section.default)] as const)
    ]),
    locationsBySiteSpace: new Map(siteSpaces(structure).map((location) => [location.siteSpace.id, location])),
    aliases: new Map(
      aliases.map((alias, order) => [aliasKey(alias.kind, alias.level, alias.path), { ...alias, order }])
    )
  }
}

/** Returns the first entry of a level: the visible default, or the first visible one. */
const firstIn = (level: Level | undefined, isVisible: IsVisible): SiteSpaceEntry | undefined =>
  level?.entries.find((entry) => entry.id === level.default && isVisible(entry)) ?? level?.entries.find(isVisible)

/** Returns true if a section is visible and contains a visible site space. */
const isReachable = (paths: Index, section: SectionEntry | undefined, isVisible: IsVisible): section is SectionEntry =>
  section !== undefined && isVisible(section) && paths.levels.get(section.id)!.entries.some(isVisible)

const firstSection = (paths: Index, isVisible: IsVisible): SectionEntry | undefined => {
  const chosen = paths.sections?.get(paths.defaultSection ?? "")
  if (isReachable(paths, chosen, isVisible)) return chosen
  for (const section of paths.sections?.values() ?? []) if (isReachable(paths, section, isVisible)) return section
  return undefined
}

/** Returns the site spaces whose segments may be omitted: the first one of each level. */
export const firstSiteSpaces = (paths: Index, isVisible: IsVisible = allVisible): ReadonlyArray<SiteSpaceEntry> =>
  paths.locationsBySiteSpace.size < 2
    ? []
    : [...paths.levels.values()].flatMap((level) => firstIn(level, isVisible) ?? [])

export interface ResolvedPath extends SiteSpaceLocation {
  /** The remaining segments: the path of the page. */
  readonly rest: ReadonlyArray<string>
}

const visibleSectionAt = (paths: Index, segment: string | undefined, isVisible: IsVisible) => {
  const section = segment === undefined ? undefined : paths.sectionsByPath.get(foldPath(segment))
  return isReachable(paths, section, isVisible) ? section : undefined
}

const visibleSiteSpaceAt = (paths: Index, level: string, segment: string | undefined, isVisible: IsVisible) => {
  const entry = segment === undefined ? undefined : paths.levels.get(level)?.byPath.get(foldPath(segment))
  return entry !== undefined && isVisible(entry) ? entry : undefined
}

/** Returns the section and site space of a path, without looking at pages; undefined if nothing is visible. */
export const resolve = (
  paths: Index,
  segments: ReadonlyArray<string>,
  isVisible: IsVisible = allVisible
): ResolvedPath | undefined => {
  const namedSection = visibleSectionAt(paths, segments[0], isVisible)
  const section = namedSection ?? firstSection(paths, isVisible)
  if (paths.sections !== undefined && section === undefined) return undefined
  const remaining = namedSection === undefined ? segments : segments.slice(1)
  const chosen = visibleSiteSpaceAt(paths, section?.id ?? "", remaining[0], isVisible)
  const siteSpace = chosen ?? firstIn(paths.levels.get(section?.id ?? ""), isVisible)
  return siteSpace && { section, siteSpace, rest: chosen === undefined ? remaining : remaining.slice(1) }
}

/** Returns the first section and site space, for a path that consists only of a page's path. */
export const resolvePage = (
  paths: Index,
  segments: ReadonlyArray<string>,
  isVisible: IsVisible = allVisible
): ResolvedPath | undefined => {
  const section = firstSection(paths, isVisible)
  if (paths.sections !== undefined && section === undefined) return undefined
  const siteSpace = firstIn(paths.levels.get(section?.id ?? ""), isVisible)
  return siteSpace && { section, siteSpace, rest: segments }
}

/** Returns true if the next segment of a path without a page may name a section or a site space. */
export const mayContinue = (
  paths: Index,
  { section, rest }: ResolvedPath,
  segments: ReadonlyArray<string>,
  isVisible: IsVisible = allVisible
): boolean => {
  if (rest.length > 0) return false
  const hasSeveral = <A>(all: Iterable<A>, isOne: (entry: A) => boolean) => [...all].filter(isOne).length > 1
  const variants = hasSeveral(paths.levels.get(section?.id ?? "")!.entries, isVisible)
  const [firstSegment, ...otherSegments] = segments
  if (firstSegment === undefined)
    return variants || hasSeveral(paths.sections?.values() ?? [], (entry) => isReachable(paths, entry, isVisible))
  return (
    variants && otherSegments.length === 0 && section !== undefined && foldPath(firstSegment) === foldPath(section.path)
  )
}

/** Returns the section and site space of a former path; undefined if no alias applies. */
export const resolveFormer = (
  paths: Index,
  segments: ReadonlyArray<string>,
  isVisible: IsVisible = allVisible
): ResolvedPath | undefined => {
  const [firstSegment, secondSegment] = segments
  if (firstSegment === undefined) return undefined
  const alias = (kind: SiteAlias["kind"], level: string, segment: string | undefined) =>
    segment === undefined ? undefined : paths.aliases.get(aliasKey(kind, level, foldPath(segment)))
  const resolveMoved = (id: string | undefined, rest: ReadonlyArray<string>): ResolvedPath | undefined => {
    const location = paths.locationsBySiteSpace.get(id ?? "")
    if (location === undefined || !isVisible(location.siteSpace)) return undefined
    return location.section === undefined || isVisible(location.section) ? { ...location, rest } : undefined
  }
  const movedFrom = (section: SectionEntry) =>
    resolveMoved(alias("site-space", section.id, secondSegment)?.id, segments.slice(2))
  const inSection = (section: SectionEntry | undefined): ResolvedPath | undefined => {
    if (section === undefined || !isVisible(section)) return undefined
    const chosen = visibleSiteSpaceAt(paths, section.id, secondSegment, isVisible)
    if (chosen !== undefined) return { section, siteSpace: chosen, rest: segments.slice(2) }
    const siteSpace = firstIn(paths.levels.get(section.id), isVisible)
    return movedFrom(section) ?? (siteSpace && { section, siteSpace, rest: segments.slice(1) })
  }

  // The path of an empty section is resolved by the aliases of its former site spaces.
  const namedSection = paths.sectionsByPath.get(foldPath(firstSegment))
  const movedTarget = namedSection && isVisible(namedSection) ? movedFrom(namedSection) : undefined
  if (movedTarget !== undefined || isReachable(paths, namedSection, isVisible)) return movedTarget
  const candidates = [
    alias("section", "", firstSegment),
    alias("site-space", firstSection(paths, isVisible)?.id ?? "", firstSegment),
    alias("site-space", "", firstSegment)
  ]
  for (const formerAlias of candidates
    .filter((candidate) => candidate !== undefined)
    .sort((a, b) => b.order - a.order)) {
    const resolved =
      formerAlias.kind === "section"
        ? inSection(paths.sections?.get(formerAlias.id))
        : resolveMoved(formerAlias.id, segments.slice(1))
    if (resolved !== undefined) return resolved
  }
  return undefined
}

/** Returns true if one of the names is the path of a visible entry. */
const hasName = <E>(
  byPath: ReadonlyMap<string, E> | undefined,
  names: ReadonlySet<string>,
  isIn: (entry: E) => boolean
): boolean => byPath?.entries().some(([path, entry]) => names.has(path) && isIn(entry)) === true

/**
 * Returns the base of a site space: as few segments as possible before the paths of its pages. `names`: the first
 * segments of those paths, in lower case. A space may have many pages at the top, so the names are looked up by the
 * paths of the site, not vice versa.
 */
export const base = (
  paths: Index,
  id: string,
  names: ReadonlySet<string>,
  isVisible: IsVisible = allVisible
): ReadonlyArray<string> => {
  const location = paths.locationsBySiteSpace.get(id)
  if (location === undefined) return []
  const { section, siteSpace } = location
  const level = section?.id ?? ""
  const isShort =
    firstIn(paths.levels.get(level), isVisible) === siteSpace &&
    !hasName(paths.levels.get(level)?.byPath, names, isVisible)
  const siteSpaceSegments = isShort ? [] : [siteSpace.path]
  if (section === undefined) return siteSpaceSegments
  if (firstSection(paths, isVisible) !== section) return [section.path, ...siteSpaceSegments]
  const isSection = isShort
    ? hasName(paths.sectionsByPath, names, (candidate) => isReachable(paths, candidate, isVisible))
    : visibleSectionAt(paths, siteSpace.path, isVisible) !== undefined
  return isSection ? [section.path, ...siteSpaceSegments] : siteSpaceSegments
}

/**
 * Returns true if all pages of a site space resolve below these segments. `names`: the first segments of their paths,
 * in lower case.
 */
export const isBase = (
  paths: Index,
  segments: ReadonlyArray<string>,
  id: string,
  names: ReadonlySet<string>,
  isVisible: IsVisible = allVisible
): boolean => {
  const resolvesToSiteSpace = (...rest: ReadonlyArray<string>) => {
    const resolved = resolve(paths, [...segments, ...rest], isVisible)
    return resolved?.siteSpace.id === id && resolved.rest.length === rest.length
  }
  if (!resolvesToSiteSpace()) return false
  const level = paths.locationsBySiteSpace.get(id)?.section?.id ?? ""
  const siblingPaths = [paths.sectionsByPath, paths.levels.get(level)?.byPath].flatMap((byPath) => [
    ...(byPath?.keys() ?? [])
  ])
  return siblingPaths.every((path) => !names.has(path) || resolvesToSiteSpace(path))
}

/** Returns the aliases after a change of the structure: moved parts add aliases, removed parts lose theirs. */
export const updateAliases = (
  previousStructure: SiteStructure,
  nextStructure: SiteStructure,
  aliases: SiteAliases
): SiteAliases => {
  const now = new Map<string, string>()
  const levels = new Set<string>([""])
  for (const { section } of sections(nextStructure)) {
    now.set(section.id, aliasKey("section", "", foldPath(section.path)))
    levels.add(section.id)
  }
  for (const { section, siteSpace } of siteSpaces(nextStructure)) {
    now.set(siteSpace.id, aliasKey("site-space", section?.id ?? "", foldPath(siteSpace.path)))
  }
  const aliasesByKey = new Map(aliases.map((alias) => [aliasKey(alias.kind, alias.level, alias.path), alias]))
  const addAlias = (kind: "section" | "site-space", level: string, path: string, id: string) => {
    const key = aliasKey(kind, level, path)
    if (!now.has(id) || now.get(id) === key) return
    aliasesByKey.delete(key)
    aliasesByKey.set(key, { kind, level, path, id })
  }
  for (const { section } of sections(previousStructure)) addAlias("section", "", foldPath(section.path), section.id)
  for (const { section, siteSpace } of siteSpaces(previousStructure)) {
    addAlias("site-space", section?.id ?? "", foldPath(siteSpace.path), siteSpace.id)
  }
  return [...aliasesByKey]
    .filter(([key, { id, level }]) => now.has(id) && now.get(id) !== key && levels.has(level))
    .map(([, alias]) => alias)
    .slice(-maxAliases)
}
